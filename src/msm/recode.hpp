// Scalars split along the endomorphisms and cut into signed digits. Internal to msm.
#pragma once

#include <array>

#include "curve/glv.hpp"

namespace cuzk::detail {

// Windows of nearly equal width that cover kBits bits from the bottom; the wider ones come first.
struct Windows {
  size_t count, bits;

  size_t width(size_t window) const { return bits / count + (window < bits % count ? 1 : 0); }
  size_t buckets(size_t window) const { return size_t{1} << (width(window) - 1); }
};

// What a group's bases and scalars become: kParts points for each base, with kParts magnitudes below 2^(kBits
// - 1).
template <class G>
struct Split;

template <>
struct Split<G1> {
  static constexpr size_t kParts = 2, kBits = 128;
  static_assert(kMaxHalfScalar >> (kBits - 1) == 0);

  static auto decompose(const BigInt<4>& k) { return decompose_g1(k); }
  static uint64_t bits(const HalfScalar& s, size_t from, size_t count) {
    return s.magnitude.bits(from, count);
  }
  // P, φ(P); in any Montgomery form, as all of it is linear.
  static void expand(const G1Affine& p, G1Affine* out) {
    out[0] = p;
    out[1] = phi(p);
  }
};

template <>
struct Split<G2> {
  static constexpr size_t kParts = 4, kBits = 64;
  static_assert(kMaxQuarterScalar >> (kBits - 1) == 0);

  static auto decompose(const BigInt<4>& k) { return decompose_g2(k); }
  static uint64_t bits(const QuarterScalar& s, size_t from, size_t count) {
    return (s.magnitude >> from) & ((uint64_t{1} << count) - 1);
  }
  // P, ψ(P), ψ²(P), ψ³(P). ψ² is (N(kPsiX)·x, N(kPsiY)·y) with norms in Fp, the second of them -1.
  static void expand(const G2Affine& p, G2Affine* out) {
    constexpr Fp kNorm = kPsiX.norm();
    static_assert(kPsiY.norm() == -Fp::one());
    out[0] = p;
    out[1] = psi(p);
    out[2] = {out[0].x * kNorm, -out[0].y};
    out[3] = {out[1].x * kNorm, -out[1].y};
  }
};

// A digit as it is stored: |digit| - 1 with the sign in bit 15, kNoDigit for zero. Digits are above -2^15 and
// at most 2^15, so the code of zero is free.
using DigitCode = uint16_t;
inline constexpr DigitCode kNoDigit = 0xffff;
inline constexpr size_t kMaxWindowBits = 16;

// Digits of one part's magnitude in windows from the bottom, each in (-2^(w-1), 2^(w-1)]; writes window i's
// to out[i · stride]. There is no carry out of the top window: the magnitude is below 2^(kBits - 1).
template <class G, class Part>
void write_digits(const Part& part, const Windows& windows, DigitCode* out, size_t stride) {
  uint64_t carry = 0;
  for (size_t i = 0, from = 0; i < windows.count; ++i) {
    size_t width = windows.width(i);
    uint64_t digit = Split<G>::bits(part, from, width) + carry;
    from += width;
    bool high = digit > uint64_t{1} << (width - 1);
    carry = high ? 1 : 0;
    uint64_t magnitude = high ? (uint64_t{1} << width) - digit : digit;
    out[i * stride] =
        magnitude == 0 ? kNoDigit : static_cast<DigitCode>((magnitude - 1) | (high ? 0x8000 : 0));
  }
}

}  // namespace cuzk::detail
