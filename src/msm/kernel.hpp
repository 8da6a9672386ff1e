// The inner loop of the module, in one version for each instruction set.
#pragma once

#include "msm/batch_affine.hpp"

namespace cuzk::detail {

// Points that a kernel adds have their coordinates in its own Montgomery form, stored like any other
// coordinate and reduced: the coordinate in the usual form times `scale`.
template <class G>
struct Kernel {
  using F = typename G::Field;
  using Job = AddJob<F>;

  const char* name;
  void (*batch_add)(std::span<const Job>, AddScratch<F>&);
  Fp scale, unscale;

  Affine<F> to_kernel(const Affine<F>& p) const { return {p.x * scale, p.y * scale}; }
  Affine<F> from_kernel(const Affine<F>& p) const { return {p.x * unscale, p.y * unscale}; }
};

// The one to use on this machine, by active_isa.
template <class G>
Kernel<G> active_kernel();

// Sum of the points, which are overwritten and may be infinite: rounds of pairwise additions while they are
// worth an inversion. Points in the kernel's form; the sum is in the usual one.
template <class G>
typename G::Sum sum_in_place(const Kernel<G>& kernel, std::span<typename G::Point> points,
                             AddScratch<typename G::Field>& scratch,
                             std::vector<AddJob<typename G::Field>>& jobs) {
  constexpr size_t kWorthInversion = 24;
  size_t n = points.size();
  while (n >= 2 * kWorthInversion) {
    jobs.clear();
    size_t half = n / 2;
    // The upper half is added onto the lower one; an odd point in the middle stays.
    for (size_t i = 0; i < half; ++i) jobs.push_back({&points[i], &points[n - 1 - i], &points[i]});
    kernel.batch_add(jobs, scratch);
    n -= half;
  }
  auto sum = G::Sum::infinity();
  for (size_t i = 0; i < n; ++i) sum += kernel.from_kernel(points[i]);
  return sum;
}

}  // namespace cuzk::detail
