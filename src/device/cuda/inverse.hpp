// Inversion modulo a prime by division steps, for one thread of the card (and its host body).
// Source: D. J. Bernstein, B.-Y. Yang, "Fast constant-time gcd computation and modular inversion", CHES 2019:
// a step halves g; kSteps of them depend on the lowest bits of f and g alone and are applied to the whole
// numbers, and to the coefficients modulo p, as one 2x2 matrix. Here the steps have no branches, so that the
// lanes of a warp stay together, and end when g is zero.
#pragma once

#include "device/cuda/gpu.hpp"
#include "field/bigint.hpp"

namespace cuzk::gpu::detail {

inline constexpr int kSteps = 30;
inline constexpr int32_t kLimbMask = (1 << kSteps) - 1;

// Numbers as signed limbs of 30 bits, the top one with the sign.
template <int L>
struct Limbs30 {
  int32_t v[L];
};

template <int L, size_t M>
constexpr Limbs30<L> limbs30_of(const BigInt<M>& a) {
  Limbs30<L> r{};
  for (int i = 0; i < L; ++i) r.v[i] = static_cast<int32_t>(a.bits(static_cast<size_t>(kSteps * i), kSteps));
  return r;
}

// 1/p modulo 2^30.
constexpr uint32_t inverse_mod_2_30(uint32_t p0) {
  uint32_t x = 1;
  for (int i = 0; i < 5; ++i) x *= 2 - p0 * x;
  return x & kLimbMask;
}

struct StepMatrix {
  int32_t u, v, q, r;
};

// kSteps division steps on the lowest bits of f (odd) and g: 2^kSteps·(f', g') = (u f + v g, q f + r g).
CUZK_HD StepMatrix division_steps(int32_t& delta, uint32_t f, uint32_t g) {
  uint32_t u = 1, v = 0, q = 0, r = 1;
  for (int i = 0; i < kSteps; ++i) {
    uint32_t odd = 0u - (g & 1);
    uint32_t swap = delta > 0 ? odd : 0u;
    // (f, g) = (g, -f) under swap; the same for the matrix.
    uint32_t d = (f ^ g) & swap;
    f ^= d;
    g = ((g ^ d) ^ swap) - swap;
    d = (u ^ q) & swap;
    u ^= d;
    q = ((q ^ d) ^ swap) - swap;
    d = (v ^ r) & swap;
    v ^= d;
    r = ((r ^ d) ^ swap) - swap;
    delta = static_cast<int32_t>((static_cast<uint32_t>(delta) ^ swap) - swap) + 1;
    g += f & odd;
    q += u & odd;
    r += v & odd;
    g >>= 1;
    u <<= 1;
    v <<= 1;
  }
  return {static_cast<int32_t>(u), static_cast<int32_t>(v), static_cast<int32_t>(q), static_cast<int32_t>(r)};
}

// (f, g) = matrix·(f, g) / 2^kSteps, exact.
template <int L>
CUZK_HD void apply_exactly(const StepMatrix& t, int32_t* f, int32_t* g) {
  int64_t cf = int64_t{t.u} * f[0] + int64_t{t.v} * g[0], cg = int64_t{t.q} * f[0] + int64_t{t.r} * g[0];
  cf >>= kSteps;
  cg >>= kSteps;
  CUZK_UNROLL
  for (int i = 1; i < L; ++i) {
    cf += int64_t{t.u} * f[i] + int64_t{t.v} * g[i];
    cg += int64_t{t.q} * f[i] + int64_t{t.r} * g[i];
    f[i - 1] = static_cast<int32_t>(cf) & kLimbMask;
    g[i - 1] = static_cast<int32_t>(cg) & kLimbMask;
    cf >>= kSteps;
    cg >>= kSteps;
  }
  f[L - 1] = static_cast<int32_t>(cf);
  g[L - 1] = static_cast<int32_t>(cg);
}

// (d, e) = matrix·(d, e) / 2^kSteps modulo p; both stay in (-2p, p).
template <int L>
CUZK_HD void apply_modulo(const StepMatrix& t, int32_t* d, int32_t* e, const Limbs30<L>& p,
                          uint32_t p_inverse) {
  int32_t sign_d = d[L - 1] >> 31, sign_e = e[L - 1] >> 31;
  int32_t md = (t.u & sign_d) + (t.v & sign_e), me = (t.q & sign_d) + (t.r & sign_e);
  int64_t cd = int64_t{t.u} * d[0] + int64_t{t.v} * e[0], ce = int64_t{t.q} * d[0] + int64_t{t.r} * e[0];
  md -= static_cast<int32_t>((p_inverse * static_cast<uint32_t>(cd) + static_cast<uint32_t>(md)) & kLimbMask);
  me -= static_cast<int32_t>((p_inverse * static_cast<uint32_t>(ce) + static_cast<uint32_t>(me)) & kLimbMask);
  cd += int64_t{p.v[0]} * md;
  ce += int64_t{p.v[0]} * me;
  cd >>= kSteps;
  ce >>= kSteps;
  CUZK_UNROLL
  for (int i = 1; i < L; ++i) {
    cd += int64_t{t.u} * d[i] + int64_t{t.v} * e[i] + int64_t{p.v[i]} * md;
    ce += int64_t{t.q} * d[i] + int64_t{t.r} * e[i] + int64_t{p.v[i]} * me;
    d[i - 1] = static_cast<int32_t>(cd) & kLimbMask;
    e[i - 1] = static_cast<int32_t>(ce) & kLimbMask;
    cd >>= kSteps;
    ce >>= kSteps;
  }
  d[L - 1] = static_cast<int32_t>(cd);
  e[L - 1] = static_cast<int32_t>(ce);
}

// x = ±x + (x < 0 after that or before: p), in limbs of 30 bits with carries.
template <int L>
CUZK_HD void negate_and_add(int32_t* x, bool negate, bool add, const Limbs30<L>& p) {
  int32_t carry = 0;
  CUZK_UNROLL
  for (int i = 0; i < L; ++i) {
    int32_t v = (negate ? -x[i] : x[i]) + (add ? p.v[i] : 0) + carry;
    x[i] = i == L - 1 ? v : v & kLimbMask;
    carry = v >> kSteps;
  }
}

// 1/a modulo P::kModulus for words a below it; 0 for 0. out may be a.
template <class P, int N>
CUZK_HD void invert_words(const uint32_t* a, uint32_t* out) {
  constexpr int kBits = static_cast<int>(P::kModulus.bit_length());
  constexpr int L = (kBits + 2 + kSteps) / kSteps;
  constexpr auto p = limbs30_of<L>(P::kModulus);
  constexpr uint32_t p_inverse = inverse_mod_2_30(static_cast<uint32_t>(P::kModulus.limb[0]));
  int32_t f[L], g[L], d[L], e[L];
  CUZK_UNROLL
  for (int i = 0; i < L; ++i) {
    int at = kSteps * i, word = at / 32, shift = at % 32;
    uint64_t both = word < N ? a[word] : 0u;
    if (word + 1 < N) both |= static_cast<uint64_t>(a[word + 1]) << 32;
    f[i] = p.v[i];
    g[i] = static_cast<int32_t>(both >> shift) & kLimbMask;
    d[i] = 0;
    e[i] = i == 0 ? 1 : 0;
  }
  int32_t delta = 1;
  for (;;) {
    int32_t any = 0;
    CUZK_UNROLL
    for (int i = 0; i < L; ++i) any |= g[i];
    if (any == 0) break;
    StepMatrix t = division_steps(delta, static_cast<uint32_t>(f[0]) | static_cast<uint32_t>(f[1]) << kSteps,
                                  static_cast<uint32_t>(g[0]) | static_cast<uint32_t>(g[1]) << kSteps);
    apply_exactly<L>(t, f, g);
    apply_modulo<L>(t, d, e, p, p_inverse);
  }
  // f = ±1 = d·a modulo p, d in (-2p, p).
  bool negative = f[L - 1] < 0;
  negate_and_add<L>(d, false, d[L - 1] < 0, p);
  negate_and_add<L>(d, negative, false, p);
  negate_and_add<L>(d, false, d[L - 1] < 0, p);
  CUZK_UNROLL
  for (int w = 0; w < N; ++w) {
    int bit = 32 * w, limb = bit / kSteps, shift = bit % kSteps;
    uint64_t v = static_cast<uint64_t>(static_cast<uint32_t>(d[limb])) >> shift;
    if (limb + 1 < L) v |= static_cast<uint64_t>(static_cast<uint32_t>(d[limb + 1])) << (kSteps - shift);
    if (limb + 2 < L) v |= static_cast<uint64_t>(static_cast<uint32_t>(d[limb + 2])) << (2 * kSteps - shift);
    out[w] = static_cast<uint32_t>(v);
  }
}

}  // namespace cuzk::gpu::detail
