// Fp6 = Fp2[v] / (v³ - ξ), ξ = 1 + u.
#pragma once

#include "field/frobenius.hpp"

namespace cuzk {

struct Fp6 {
  Fp2 c0, c1, c2;  // c0 + c1·v + c2·v²

  static constexpr Fp6 zero() { return {Fp2::zero(), Fp2::zero(), Fp2::zero()}; }
  static constexpr Fp6 one() { return {Fp2::one(), Fp2::zero(), Fp2::zero()}; }
  static Fp6 random(RandomSource& source) {
    Fp2 a = Fp2::random(source), b = Fp2::random(source);
    return {a, b, Fp2::random(source)};
  }

  constexpr bool operator==(const Fp6&) const = default;
  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero() && c2.is_zero(); }
  constexpr bool is_one() const { return c0.is_one() && c1.is_zero() && c2.is_zero(); }

  constexpr Fp6 operator+(const Fp6& o) const { return {c0 + o.c0, c1 + o.c1, c2 + o.c2}; }
  constexpr Fp6 operator-(const Fp6& o) const { return {c0 - o.c0, c1 - o.c1, c2 - o.c2}; }
  constexpr Fp6 operator-() const { return {-c0, -c1, -c2}; }
  // Karatsuba: six multiplications in Fp2 (Devegili et al., "Multiplication and squaring on pairing-friendly
  // fields", section 4).
  constexpr Fp6 operator*(const Fp6& o) const {
    Fp2 t0 = c0 * o.c0, t1 = c1 * o.c1, t2 = c2 * o.c2;
    return {t0 + ((c1 + c2) * (o.c1 + o.c2) - t1 - t2).times_xi(),
            (c0 + c1) * (o.c0 + o.c1) - t0 - t1 + t2.times_xi(), (c0 + c2) * (o.c0 + o.c2) - t0 - t2 + t1};
  }
  constexpr Fp6 operator*(const Fp2& s) const { return {c0 * s, c1 * s, c2 * s}; }

  // Times b0 + b1·v: five multiplications.
  constexpr Fp6 times_01(const Fp2& b0, const Fp2& b1) const {
    Fp2 t0 = c0 * b0, t1 = c1 * b1;
    return {t0 + (c2 * b1).times_xi(), (c0 + c1) * (b0 + b1) - t0 - t1, c2 * b0 + t1};
  }
  // Times b1·v: three multiplications.
  constexpr Fp6 times_1(const Fp2& b1) const { return {(c2 * b1).times_xi(), c0 * b1, c1 * b1}; }
  constexpr Fp6 times_v() const { return {c2.times_xi(), c0, c1}; }

  // Chung-Hasan SQR2: two multiplications, three squarings.
  constexpr Fp6 square() const {
    Fp2 s0 = c0.square(), s1 = (c0 * c1).doubled(), s2 = (c0 - c1 + c2).square(), s3 = (c1 * c2).doubled(),
        s4 = c2.square();
    return {s0 + s3.times_xi(), s1 + s4.times_xi(), s1 + s2 + s3 - s0 - s4};
  }
  constexpr Fp6 doubled() const { return {c0.doubled(), c1.doubled(), c2.doubled()}; }

  constexpr Fp6 inverse() const {
    Fp2 a = c0.square() - (c1 * c2).times_xi(), b = c2.square().times_xi() - c0 * c1,
        c = c1.square() - c0 * c2;
    Fp2 norm = c0 * a + (c2 * b + c1 * c).times_xi();
    return Fp6{a, b, c} * norm.inverse();
  }

  // To the power p.
  constexpr Fp6 frobenius() const {
    return {c0.conjugate(), c1.conjugate() * kFrobenius[2], c2.conjugate() * kFrobenius[4]};
  }
};

}  // namespace cuzk
