// Group arithmetic for kernels, over a field F that one lane (DFp) or a pair of lanes (DFp2) holds. Same
// memory layout as Affine and Xyzz of src/curve, same formulas, all inputs right.
#pragma once

#include "device/cuda/mont.hpp"

namespace cuzk::gpu {

CUZK_DEV DFp exchange_in_pair(const DFp& a) {
  DFp r;
  CUZK_UNROLL
  for (int i = 0; i < DFp::N; ++i) r.v[i] = exchange_in_pair(a.v[i]);
  return r;
}

CUZK_DEV DFp load_words(const DFp* p) {
  DFp r;
#if CUZK_ON_GPU
  auto* q = reinterpret_cast<const uint4*>(p);
  CUZK_UNROLL
  for (int i = 0; i < 3; ++i) {
    uint4 t = q[i];
    r.v[4 * i] = t.x;
    r.v[4 * i + 1] = t.y;
    r.v[4 * i + 2] = t.z;
    r.v[4 * i + 3] = t.w;
  }
#else
  r = *p;
#endif
  return r;
}

CUZK_DEV void store_words(DFp* p, const DFp& a) {
#if CUZK_ON_GPU
  auto* q = reinterpret_cast<uint4*>(p);
  CUZK_UNROLL
  for (int i = 0; i < 3; ++i) q[i] = make_uint4(a.v[4 * i], a.v[4 * i + 1], a.v[4 * i + 2], a.v[4 * i + 3]);
#else
  *p = a;
#endif
}

// Products as calls: for code with many of them that few warps run at a time, where fetching straight-line
// code takes longer than computing.
CUZK_COLD DFp product_called(const DFp a, const DFp b) {
  return a * b;
}
CUZK_COLD DFp square_called(const DFp a) {
  return a.squared();
}
CUZK_COLD DFp sum_of_products_called(const DFp a, const DFp b, const DFp c, const DFp d) {
  return DFp::sum_of_products(a, b, c, d);
}
CUZK_COLD DFp inverse_called(const DFp a) {
  return a.inverse();
}

// Fp held by one lane.
template <bool kCalls>
struct FpInLane {
  static constexpr unsigned kLanes = 1;
  using Called = FpInLane<true>;
  DFp c;

  static CUZK_DEV FpInLane zero() { return {DFp::zero()}; }
  static CUZK_DEV FpInLane one() { return {DFp::one()}; }
  static CUZK_DEV FpInLane load(const DFp* element) { return {load_words(element)}; }
  CUZK_DEV void store(DFp* element) const { store_words(element, c); }
  CUZK_DEV bool is_zero() const { return c.is_zero(); }
  CUZK_DEV bool operator==(const FpInLane& o) const { return c == o.c; }
  friend CUZK_DEV FpInLane operator+(const FpInLane& a, const FpInLane& b) { return {a.c + b.c}; }
  friend CUZK_DEV FpInLane operator-(const FpInLane& a, const FpInLane& b) { return {a.c - b.c}; }
  friend CUZK_DEV FpInLane operator*(const FpInLane& a, const FpInLane& b) {
    if constexpr (kCalls) return {product_called(a.c, b.c)};
    return {a.c * b.c};
  }
  CUZK_DEV FpInLane squared() const {
    if constexpr (kCalls) return {square_called(c)};
    return {c.squared()};
  }
  CUZK_DEV FpInLane doubled() const { return {c.doubled()}; }
  CUZK_DEV FpInLane negated_if(bool negate) const { return {c.negated_if(negate)}; }
  CUZK_DEV FpInLane inverse() const { return {inverse_called(c)}; }
};

// Fp2 held by a pair of neighbouring lanes: the even one has c0, the odd one c1. Both lanes of a pair must
// take the same branches; predicates are the same in both. A product is two products with one reduction in
// each lane, as many word products as Karatsuba's three, and half the registers a lane.
template <bool kCalls>
struct Fp2InPair {
  static constexpr unsigned kLanes = 2;
  using Called = Fp2InPair<true>;
  DFp c;

  static CUZK_DEV bool high() { return (thread_index() & 1) != 0; }
  static CUZK_DEV Fp2InPair zero() { return {DFp::zero()}; }
  static CUZK_DEV Fp2InPair one() { return {DFp::select(high(), DFp::zero(), DFp::one())}; }
  static CUZK_DEV Fp2InPair load(const DFp* element) { return {load_words(element + (high() ? 1 : 0))}; }
  CUZK_DEV void store(DFp* element) const { store_words(element + (high() ? 1 : 0), c); }
  static CUZK_DEV bool both(bool mine) { return (exchange_in_pair(mine ? 1u : 0u) != 0) & mine; }
  CUZK_DEV bool is_zero() const { return both(c.is_zero()); }
  CUZK_DEV bool operator==(const Fp2InPair& o) const { return both(c == o.c); }
  friend CUZK_DEV Fp2InPair operator+(const Fp2InPair& a, const Fp2InPair& b) { return {a.c + b.c}; }
  friend CUZK_DEV Fp2InPair operator-(const Fp2InPair& a, const Fp2InPair& b) { return {a.c - b.c}; }
  // c0: a0·b0 + a1·(-b1); c1: a1·b0 + a0·b1.
  friend CUZK_DEV Fp2InPair operator*(const Fp2InPair& a, const Fp2InPair& b) {
    DFp a_other = exchange_in_pair(a.c), b_other = exchange_in_pair(b.c);
    DFp with_own = DFp::select(high(), b_other, b.c);
    DFp with_other = DFp::select(high(), b.c, -b_other);
    if constexpr (kCalls) return {sum_of_products_called(a.c, with_own, a_other, with_other)};
    return {DFp::sum_of_products(a.c, with_own, a_other, with_other)};
  }
  // c0: (a0 + a1)(a0 - a1); c1: (a1 + a1)·a0.
  CUZK_DEV Fp2InPair squared() const {
    DFp other = exchange_in_pair(c);
    DFp left = c + DFp::select(high(), c, other);
    DFp right = DFp::select(high(), other, c - other);
    if constexpr (kCalls) return {product_called(left, right)};
    return {left * right};
  }
  CUZK_DEV Fp2InPair doubled() const { return {c.doubled()}; }
  CUZK_DEV Fp2InPair negated_if(bool negate) const { return {c.negated_if(negate)}; }
  // Conjugate over norm.
  CUZK_DEV Fp2InPair inverse() const {
    DFp other = exchange_in_pair(c);
    DFp norm = DFp::sum_of_products(c, c, other, other);
    return {c.negated_if(high()) * inverse_called(norm)};
  }
};

using LaneFp = FpInLane<false>;
using PairFp2 = Fp2InPair<false>;

template <class F>
struct GpuAffine {
  F x, y;

  static constexpr size_t kWords = 2 * F::kLanes;  // in units of DFp
  static CUZK_DEV GpuAffine infinity() { return {F::zero(), F::zero()}; }
  static CUZK_DEV GpuAffine load(const DFp* points, size_t i) {
    const DFp* p = points + i * kWords;
    return {F::load(p), F::load(p + F::kLanes)};
  }
  CUZK_DEV void store(DFp* points, size_t i) const {
    DFp* p = points + i * kWords;
    x.store(p);
    y.store(p + F::kLanes);
  }
  CUZK_DEV bool is_infinity() const { return x.is_zero() && y.is_zero(); }
};

template <class F>
struct GpuXyzz {
  F x, y, zz, zzz;

  static constexpr size_t kWords = 4 * F::kLanes;
  static CUZK_DEV GpuXyzz infinity() { return {F::zero(), F::zero(), F::zero(), F::zero()}; }
  static CUZK_DEV GpuXyzz load(const DFp* points, size_t i) {
    const DFp* p = points + i * kWords;
    return {F::load(p), F::load(p + F::kLanes), F::load(p + 2 * F::kLanes), F::load(p + 3 * F::kLanes)};
  }
  CUZK_DEV void store(DFp* points, size_t i) const {
    DFp* p = points + i * kWords;
    x.store(p);
    y.store(p + F::kLanes);
    zz.store(p + 2 * F::kLanes);
    zzz.store(p + 3 * F::kLanes);
  }
  CUZK_DEV bool is_infinity() const { return zz.is_zero(); }

  // Out of line, as it is rare. The argument is a copy, so that the caller's value can stay in registers.
  static CUZK_COLD void double_cold(GpuXyzz& a) {
    auto called = GpuXyzz<typename F::Called>{{a.x.c}, {a.y.c}, {a.zz.c}, {a.zzz.c}}.doubled();
    a = {{called.x.c}, {called.y.c}, {called.zz.c}, {called.zzz.c}};
  }

  CUZK_DEV GpuXyzz doubled() const {
    F u = y.doubled(), v = u.squared(), w = u * v, s = x * v, xx = x.squared();
    F m = xx.doubled() + xx;
    F x3 = m.squared() - s.doubled();
    return {x3, m * (s - x3) - w * y, v * zz, w * zzz};  // infinity stays infinity: zz = 0
  }

  CUZK_DEV void add(const GpuAffine<F>& o) {
    if (o.is_infinity()) return;
    if (is_infinity()) {
      *this = {o.x, o.y, F::one(), F::one()};
      return;
    }
    F p = o.x * zz - x, r = o.y * zzz - y;
    if (p.is_zero()) {
      double_or_cancel(r);
      return;
    }
    finish_addition(p, r, x, y);
  }
  CUZK_DEV void add(const GpuXyzz& o) {
    if (o.is_infinity()) return;
    if (is_infinity()) {
      *this = o;
      return;
    }
    F u1 = x * o.zz, s1 = y * o.zzz;
    F p = o.x * zz - u1, r = o.y * zzz - s1;
    if (p.is_zero()) {
      double_or_cancel(r);
      return;
    }
    zz = zz * o.zz;
    zzz = zzz * o.zzz;
    finish_addition(p, r, u1, s1);
  }

 private:
  CUZK_DEV void double_or_cancel(const F& r) {
    if (r.is_zero()) {
      GpuXyzz copy = *this;
      double_cold(copy);
      *this = copy;
    } else {
      *this = infinity();
    }
  }

  CUZK_DEV void finish_addition(const F& p, const F& r, const F& u1, const F& s1) {
    F pp = p.squared(), ppp = p * pp, q = u1 * pp;
    zz = zz * pp;
    zzz = zzz * ppp;
    F sub = s1 * ppp;
    F x3 = r.squared() - ppp - q.doubled();
    y = r * (q - x3) - sub;
    x = x3;
  }
};

}  // namespace cuzk::gpu
