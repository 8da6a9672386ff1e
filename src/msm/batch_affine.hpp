// Affine additions that share one inversion: an addition costs five multiplications and a square, against ten
// and more in projective coordinates. Internal to msm.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "curve/point.hpp"

namespace cuzk::detail {

// A point in memory, or its negative. The sign is kept in the lowest bit of the address, which alignment
// leaves free.
template <class F>
class SignedRef {
 public:
  SignedRef() = default;
  SignedRef(const Affine<F>* p, bool negative = false)
      : bits_(reinterpret_cast<uintptr_t>(p) | (negative ? 1 : 0)) {}

  const Affine<F>& point() const { return *reinterpret_cast<const Affine<F>*>(bits_ & ~uintptr_t{1}); }
  uintptr_t bits() const { return bits_; }
  bool negative() const { return (bits_ & 1) != 0; }
  F y() const { return negative() ? -point().y : point().y; }
  Affine<F> value() const { return {point().x, y()}; }

 private:
  uintptr_t bits_;
};

// *out = a + b. out may be a or b of the same job, but nothing that another job of the batch reads.
template <class F>
struct AddJob {
  SignedRef<F> a, b;
  Affine<F>* out;
};

// What kind of addition a job turns out to be.
enum class AddKind : uint8_t { kDistinct, kDouble, kTakeA, kTakeB, kInfinity };

template <class F>
AddKind classify(const AddJob<F>& job) {
  const Affine<F>&a = job.a.point(), &b = job.b.point();
  if (b.is_infinity()) return AddKind::kTakeA;
  if (a.is_infinity()) return AddKind::kTakeB;
  if (!(a.x == b.x)) return AddKind::kDistinct;
  // Of a point of order two only the sum with itself is left: infinity, as the tangent is vertical.
  return job.a.y() == job.b.y() && !a.y.is_zero() ? AddKind::kDouble : AddKind::kInfinity;
}

// Scratch of batch_add, kept from batch to batch.
template <class F>
struct AddScratch {
  std::vector<F> difference, prefix;
  std::vector<AddKind> kind;
};

// Runs the jobs; all operands are right (equal, opposite, infinite).
template <class F>
void batch_add(std::span<const AddJob<F>> jobs, AddScratch<F>& scratch) {
  if (scratch.kind.size() < jobs.size()) {
    scratch.difference.resize(jobs.size()), scratch.prefix.resize(jobs.size());
    scratch.kind.resize(jobs.size());
  }
  F product = F::one();
  for (size_t i = 0; i < jobs.size(); ++i) {
    const AddJob<F>& job = jobs[i];
    AddKind kind = classify(job);
    scratch.kind[i] = kind;
    if (kind > AddKind::kDouble) continue;
    F difference = kind == AddKind::kDouble ? job.a.y().doubled() : job.b.point().x - job.a.point().x;
    scratch.prefix[i] = product;
    scratch.difference[i] = difference;
    product *= difference;
  }
  F inverse = product.inverse();
  for (size_t i = jobs.size(); i-- > 0;) {
    const AddJob<F>& job = jobs[i];
    switch (scratch.kind[i]) {
      case AddKind::kTakeA:
        *job.out = job.a.value();
        continue;
      case AddKind::kTakeB:
        *job.out = job.b.value();
        continue;
      case AddKind::kInfinity:
        *job.out = Affine<F>::infinity();
        continue;
      default:
        break;
    }
    F own = inverse * scratch.prefix[i];
    inverse *= scratch.difference[i];
    Affine<F> a = job.a.value();
    F slope;
    if (scratch.kind[i] == AddKind::kDouble) {
      F xx = a.x.square();
      slope = (xx.doubled() + xx) * own;
    } else {
      slope = (job.b.y() - a.y) * own;
    }
    F x = slope.square() - a.x - job.b.point().x;
    *job.out = {x, slope * (a.x - x) - a.y};
  }
}

}  // namespace cuzk::detail
