// Batched addition of points, by the fastest instructions there are.
#pragma once

#include <type_traits>

#include "msm/batch_affine.hpp"
#include "msm/simd_add.hpp"

namespace cuzk::detail {

template <class G>
class BatchAdder {
 public:
  using F = typename G::Field;
  using Job = AddJob<F>;

  // The vector kernels that active_isa allows; nullptr: the scalar code.
  static const SimdAddKernels* active_kernels();
  // The same algorithm in plain C++, for tests.
  static const SimdAddKernels* emulated_kernels();

  // How many jobs a call of run() should have for speed.
  static size_t good_batch(const SimdAddKernels* kernels) {
    return kernels == nullptr ? 1024 : kernels->good_batch;
  }

  explicit BatchAdder(const SimdAddKernels* kernels = active_kernels()) : kernels_(kernels) {}

  // Runs the jobs (contract of AddJob); all operands are right (equal, opposite, infinite).
  void run(std::span<const Job> jobs);

 private:
  void sort_out(std::span<const Job> jobs);

  const SimdAddKernels* kernels_;
  AddScratch<F> scalar_;
  // Jobs for the vector kernels, and those that they do not take.
  std::vector<SimdJob> plain_;
  std::vector<Job> special_;
  struct alignas(64) Line {
    uint8_t bytes[64];
  };
  std::vector<Line> saved_;
  std::vector<F> products_, inverse_scratch_;
};

// Sum of the points, which are overwritten and may be infinite: rounds of pairwise additions while they are
// worth an inversion.
template <class G>
typename G::Sum sum_in_place(BatchAdder<G>& adder, std::span<typename G::Point> points,
                             std::vector<AddJob<typename G::Field>>& jobs) {
  constexpr size_t kWorthInversion = 24;
  size_t n = points.size();
  while (n >= 2 * kWorthInversion) {
    jobs.clear();
    size_t half = n / 2;
    // The upper half is added onto the lower one; an odd point in the middle stays.
    for (size_t i = 0; i < half; ++i) jobs.push_back({&points[i], &points[n - 1 - i], &points[i]});
    adder.run(jobs);
    n -= half;
  }
  auto sum = G::Sum::infinity();
  for (size_t i = 0; i < n; ++i) sum += points[i];
  return sum;
}

extern template class BatchAdder<G1>;
extern template class BatchAdder<G2>;

}  // namespace cuzk::detail
