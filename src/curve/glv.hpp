// Scalars split along the endomorphisms, so that a multiplication needs half (G1) or a quarter (G2) of the
// doublings: [k]P = [k0]P + [k1]φ(P) and [k]Q = Σ [k_i]ψ^i(Q). Variable time.
// Source: Gallant, Lambert, Vanstone 2001; Galbraith, Lin, Scott 2009; the lattice of BLS12 has a basis in
// closed form, used below.
#pragma once

#include <array>

#include "curve/endomorphism.hpp"

namespace cuzk {

struct HalfScalar {
  BigInt<2> magnitude;
  bool negative;  // may be set with magnitude zero
};
struct QuarterScalar {
  uint64_t magnitude;
  bool negative;  // may be set with magnitude zero
};

// Largest magnitudes that the two functions below give.
inline constexpr uint128_t kMaxHalfScalar = (kLambda + 1) / 2;  // below 2^126.44
inline constexpr uint64_t kMaxQuarterScalar = kCurveX / 2 + 1;  // below 2^62.72

namespace detail {

constexpr uint64_t low_word(uint128_t v) {
  return static_cast<uint64_t>(v);
}
constexpr uint64_t high_word(uint128_t v) {
  return static_cast<uint64_t>(v >> 64);
}
constexpr BigInt<2> to_big(uint128_t v) {
  return {{low_word(v), high_word(v)}};
}

// The 256-bit product of two 128-bit integers.
constexpr BigInt<4> wide_product(uint128_t a, uint128_t b) {
  uint128_t ll = static_cast<uint128_t>(low_word(a)) * low_word(b);
  uint128_t lh = static_cast<uint128_t>(low_word(a)) * high_word(b);
  uint128_t hl = static_cast<uint128_t>(high_word(a)) * low_word(b);
  uint128_t hh = static_cast<uint128_t>(high_word(a)) * high_word(b);
  uint128_t middle = static_cast<uint128_t>(high_word(ll)) + low_word(lh) + low_word(hl);
  uint128_t high = hh + high_word(lh) + high_word(hl) + high_word(middle);
  return {{low_word(ll), low_word(middle), low_word(high), high_word(high)}};
}

// floor((2^bits - 1) / divisor), by long division; the quotient must fit.
constexpr uint128_t reciprocal(size_t bits, uint128_t divisor) {
  uint128_t quotient = 0, remainder = 0;
  for (size_t i = 0; i < bits; ++i) {
    bool carry = remainder >> 127 != 0;
    remainder = remainder << 1 | 1;
    quotient <<= 1;
    if (carry || remainder >= divisor) remainder -= divisor, quotient |= 1;
  }
  return quotient;
}

// q = floor(n / x) and the remainder for x = kCurveX, n = high·2^64 + low with high < x: Möller, Granlund,
// "Improved division by invariant integers", 2011, algorithm 4 (x has its top bit set).
struct QuotientByX {
  uint64_t quotient, remainder;
};
constexpr QuotientByX divide_by_x(uint64_t high, uint64_t low) {
  constexpr uint64_t kReciprocal = low_word(reciprocal(128, kCurveX));  // less 2^64
  uint128_t q = static_cast<uint128_t>(kReciprocal) * high + (static_cast<uint128_t>(high) << 64 | low);
  uint64_t quotient = high_word(q) + 1, remainder = low - quotient * kCurveX;
  if (remainder > low_word(q)) --quotient, remainder += kCurveX;
  if (remainder >= kCurveX) ++quotient, remainder -= kCurveX;
  return {quotient, remainder};
}

}  // namespace detail

// k < r as k0 + k1·λ mod r, magnitudes at most kMaxHalfScalar.
//
// With q the nearest integer to k/λ, (k - qλ, q) has |k0| <= λ/2 and 0 <= q <= λ + 1. As 1 + (λ + 1)λ = r,
// (1, λ + 1) may be taken off once, which brings q into ±(λ + 1)/2.
constexpr std::array<HalfScalar, 2> decompose_g1(const BigInt<4>& k) {
  constexpr uint128_t kHalf = kLambda / 2, kReciprocal = detail::reciprocal(255, kLambda);
  BigInt<4> n = k;
  n.add_in_place({{detail::low_word(kHalf), detail::high_word(kHalf), 0, 0}});
  // Barrett: n < 2^255, so the estimate is at most three too small.
  BigInt<4> top = n.shifted_right(127);
  BigInt<4> estimate =
      detail::wide_product(static_cast<uint128_t>(top.limb[1]) << 64 | top.limb[0], kReciprocal);
  uint128_t q = static_cast<uint128_t>(estimate.limb[3]) << 64 | estimate.limb[2];
  n.sub_in_place(detail::wide_product(q, kLambda));
  constexpr BigInt<4> kLambdaWide{{detail::low_word(kLambda), detail::high_word(kLambda), 0, 0}};
  while (!(n < kLambdaWide)) n.sub_in_place(kLambdaWide), ++q;
  uint128_t remainder = static_cast<uint128_t>(n.limb[1]) << 64 | n.limb[0];  // k0 = remainder - kHalf

  uint128_t offset = kHalf;
  bool negative1 = q > (kLambda + 1) / 2;
  if (negative1) ++offset, q = kLambda + 1 - q;
  bool negative0 = remainder < offset;
  uint128_t magnitude0 = negative0 ? offset - remainder : remainder - offset;
  return {{{detail::to_big(magnitude0), negative0}, {detail::to_big(q), negative1}}};
}

// k < r as Σ k_i z^i mod r, i = 0 to 3, magnitudes at most kMaxQuarterScalar.
//
// Digits to the base x = |z|, balanced to [-x/2, x/2); the carry out of the last one is x⁴ = x² - 1 mod r.
// Odd digits change sign because z = -x.
constexpr std::array<QuarterScalar, 4> decompose_g2(const BigInt<4>& k) {
  uint64_t n[4] = {k.limb[0], k.limb[1], k.limb[2], k.limb[3]};
  int64_t digit[4] = {};
  uint64_t carry = 0;
  for (size_t i = 0; i < 4; ++i) {
    // n has 4 - i words, the top one below x because n < x^(4-i).
    uint64_t remainder = n[3 - i];
    for (size_t j = 3 - i; j-- > 0;) {
      auto [q, r] = detail::divide_by_x(remainder, n[j]);
      n[j] = q;
      remainder = r;
    }
    uint64_t d = remainder + carry;
    carry = d >= kCurveX / 2 ? 1 : 0;
    digit[i] = static_cast<int64_t>(d - (carry != 0 ? kCurveX : 0));
  }
  digit[2] += static_cast<int64_t>(carry);
  digit[0] -= static_cast<int64_t>(carry);

  std::array<QuarterScalar, 4> parts{};
  for (size_t i = 0; i < 4; ++i) {
    bool negative = digit[i] < 0;
    auto bits = static_cast<uint64_t>(digit[i]);
    parts[i] = {negative ? ~bits + 1 : bits, negative != (i % 2 == 1)};
  }
  return parts;
}

}  // namespace cuzk
