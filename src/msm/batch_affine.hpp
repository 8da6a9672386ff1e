// Affine additions that share one inversion: an addition costs five multiplications and a square, against ten
// and more in projective coordinates. Internal to msm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "curve/point.hpp"

namespace cuzk::detail {

// out = ±a ± b. out may be a or b of the same job, but nothing that another job of the batch reads.
template <class F>
struct AddJob {
  const Affine<F>* a;
  const Affine<F>* b;
  Affine<F>* out;
  bool negate_a = false, negate_b = false;
};

// Scratch of batch_add, kept from batch to batch.
template <class F>
struct AddScratch {
  std::vector<F> difference, prefix;
  std::vector<uint8_t> kind;
  void reserve(size_t n) {
    if (kind.size() < n) difference.resize(n), prefix.resize(n), kind.resize(n);
  }
};

enum AddKind : uint8_t { kAddDistinct, kAddDouble, kAddTakeA, kAddTakeB, kAddInfinity };

template <class F>
Affine<F> signed_point(const Affine<F>& p, bool negate) {
  return {p.x, negate ? -p.y : p.y};
}

// Runs the jobs; all operands are right (equal, opposite, infinite).
template <class F>
void batch_add(std::span<const AddJob<F>> jobs, AddScratch<F>& scratch) {
  scratch.reserve(jobs.size());
  F product = F::one();
  for (size_t i = 0; i < jobs.size(); ++i) {
    const auto& job = jobs[i];
    uint8_t kind = kAddDistinct;
    F difference = job.b->x - job.a->x;
    if (job.b->x.is_zero() && job.b->y.is_zero()) {
      kind = kAddTakeA;
    } else if (job.a->x.is_zero() && job.a->y.is_zero()) {
      kind = kAddTakeB;
    } else if (difference.is_zero()) {
      F ya = job.negate_a ? -job.a->y : job.a->y;
      F yb = job.negate_b ? -job.b->y : job.b->y;
      kind = ya == yb && !ya.is_zero() ? kAddDouble : kAddInfinity;
      difference = ya.doubled();
    }
    scratch.kind[i] = kind;
    scratch.prefix[i] = product;
    if (kind > kAddDouble) continue;
    scratch.difference[i] = difference;
    product = product * difference;
  }
  F inverse = product.inverse();
  for (size_t i = jobs.size(); i-- > 0;) {
    const auto& job = jobs[i];
    uint8_t kind = scratch.kind[i];
    if (kind > kAddDouble) {
      if (kind == kAddTakeA) *job.out = signed_point(*job.a, job.negate_a);
      if (kind == kAddTakeB) *job.out = signed_point(*job.b, job.negate_b);
      if (kind == kAddInfinity) *job.out = Affine<F>::infinity();
      continue;
    }
    F own = inverse * scratch.prefix[i];
    inverse = inverse * scratch.difference[i];
    Affine<F> a = signed_point(*job.a, job.negate_a), b = signed_point(*job.b, job.negate_b);
    F slope;
    if (kind == kAddDouble) {
      F xx = a.x.square();
      slope = (xx.doubled() + xx) * own;
    } else {
      slope = (b.y - a.y) * own;
    }
    F x = slope.square() - a.x - b.x;
    *job.out = {x, slope * (a.x - x) - a.y};
  }
}

// Sum of the points, which are overwritten: rounds of pairwise additions while they are worth an inversion.
template <class F>
Xyzz<F> sum_in_place(std::span<Affine<F>> points, AddScratch<F>& scratch, std::vector<AddJob<F>>& jobs) {
  constexpr size_t kWorthInversion = 32;
  size_t n = points.size();
  while (n >= 2 * kWorthInversion) {
    jobs.clear();
    size_t half = n / 2;
    // The upper half is added onto the lower one; an odd point in the middle stays.
    for (size_t i = 0; i < half; ++i) jobs.push_back({&points[i], &points[n - 1 - i], &points[i]});
    batch_add<F>(jobs, scratch);
    n -= half;
  }
  Xyzz<F> sum = Xyzz<F>::infinity();
  for (size_t i = 0; i < n; ++i) sum += points[i];
  return sum;
}

}  // namespace cuzk::detail
