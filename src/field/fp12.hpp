// Fp12 = Fp6[w] / (w² - v): the target field of the pairing.
#pragma once

#include "field/fp6.hpp"

namespace cuzk {

struct Fp12 {
  Fp6 c0, c1;  // c0 + c1·w

  static constexpr Fp12 zero() { return {Fp6::zero(), Fp6::zero()}; }
  static constexpr Fp12 one() { return {Fp6::one(), Fp6::zero()}; }
  static Fp12 random(RandomSource& source) {
    Fp6 a = Fp6::random(source);
    return {a, Fp6::random(source)};
  }

  constexpr bool operator==(const Fp12&) const = default;
  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  constexpr bool is_one() const { return c0.is_one() && c1.is_zero(); }

  constexpr Fp12 operator+(const Fp12& o) const { return {c0 + o.c0, c1 + o.c1}; }
  constexpr Fp12 operator-(const Fp12& o) const { return {c0 - o.c0, c1 - o.c1}; }
  constexpr Fp12 operator-() const { return {-c0, -c1}; }
  constexpr Fp12 operator*(const Fp12& o) const {
    Fp6 t0 = c0 * o.c0, t1 = c1 * o.c1;
    return {t0 + t1.times_v(), (c0 + c1) * (o.c0 + o.c1) - t0 - t1};
  }
  constexpr Fp12& operator*=(const Fp12& o) { return *this = *this * o; }

  // Times b0 + b1·w² + b3·w³, the shape of a line: thirteen multiplications in Fp2.
  constexpr Fp12 times_line(const Fp2& b0, const Fp2& b1, const Fp2& b3) const {
    Fp6 t0 = c0.times_01(b0, b1), t1 = c1.times_1(b3);
    return {t0 + t1.times_v(), (c0 + c1).times_01(b0, b1 + b3) - t0 - t1};
  }

  // (c0 + c1)(c0 + v·c1) - (1 + v)·c0·c1 + 2·c0·c1·w.
  constexpr Fp12 square() const {
    Fp6 t = c0 * c1;
    return {(c0 + c1) * (c0 + c1.times_v()) - t - t.times_v(), t.doubled()};
  }
  // To the power p⁶; the inverse on the cyclotomic subgroup.
  constexpr Fp12 conjugate() const { return {c0, -c1}; }
  constexpr Fp12 inverse() const {
    Fp6 norm_inverse = (c0.square() - c1.square().times_v()).inverse();
    return {c0 * norm_inverse, -(c1 * norm_inverse)};
  }

  // To the power p.
  constexpr Fp12 frobenius() const {
    return {c0.frobenius(),
            {c1.c0.conjugate() * kFrobenius[1], c1.c1.conjugate() * kFrobenius[3],
             c1.c2.conjugate() * kFrobenius[5]}};
  }
  // To the power p².
  constexpr Fp12 frobenius_squared() const {
    const auto& k = kFrobeniusSquared;
    return {{c0.c0, c0.c1 * k[2], c0.c2 * k[4]}, {c1.c0 * k[1], c1.c1 * k[3], c1.c2 * k[5]}};
  }

  // Square of an element of the cyclotomic subgroup (order dividing p⁴ - p² + 1): nine squarings in Fp2.
  // Source: Granger, Scott, "Faster squaring in the cyclotomic subgroup of sixth degree extensions", 2010.
  constexpr Fp12 cyclotomic_square() const {
    // a + b·s over Fp4 = Fp2[s] / (s² - ξ), squared.
    struct Pair {
      Fp2 a, b;
    };
    auto square_pair = [](const Fp2& a, const Fp2& b) {
      Fp2 aa = a.square(), bb = b.square();
      return Pair{aa + bb.times_xi(), (a + b).square() - aa - bb};
    };
    auto minus = [](const Fp2& t, const Fp2& z) { return (t - z).doubled() + t; };  // 3t - 2z
    auto plus = [](const Fp2& t, const Fp2& z) { return (t + z).doubled() + t; };   // 3t + 2z
    Pair p = square_pair(c0.c0, c1.c1), q = square_pair(c1.c0, c0.c2), s = square_pair(c0.c1, c1.c2);
    return {{minus(p.a, c0.c0), minus(q.a, c0.c1), minus(s.a, c0.c2)},
            {plus(s.b.times_xi(), c1.c0), plus(p.b, c1.c1), plus(q.b, c1.c2)}};
  }

  template <size_t M>
  constexpr Fp12 pow(const BigInt<M>& exponent) const {
    Fp12 r = one();
    for (size_t i = exponent.bit_length(); i-- > 0;) {
      r = r.square();
      if (exponent.bit(i)) r = r * *this;
    }
    return r;
  }
  // The same for an element of the cyclotomic subgroup, faster.
  template <size_t M>
  constexpr Fp12 cyclotomic_pow(const BigInt<M>& exponent) const {
    Fp12 r = one();
    for (size_t i = exponent.bit_length(); i-- > 0;) {
      r = r.cyclotomic_square();
      if (exponent.bit(i)) r = r * *this;
    }
    return r;
  }
};

}  // namespace cuzk
