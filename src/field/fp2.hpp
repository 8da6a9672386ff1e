// Fp2 = Fp[u] / (u² + 1).
#pragma once

#include "field/fp.hpp"
#include "field/fp2_adx.hpp"

namespace cuzk {

struct Fp2 {
  Fp c0, c1;  // c0 + c1·u

  static constexpr size_t kBytes = 2 * Fp::kBytes;

  static constexpr Fp2 zero() { return {Fp::zero(), Fp::zero()}; }
  static constexpr Fp2 one() { return {Fp::one(), Fp::zero()}; }
  static constexpr Fp2 from_u64(uint64_t v) { return {Fp::from_u64(v), Fp::zero()}; }
  static Fp2 random(RandomSource& source) {
    Fp a = Fp::random(source);
    return {a, Fp::random(source)};
  }

  constexpr bool operator==(const Fp2&) const = default;
  constexpr bool is_zero() const { return c0.is_zero() && c1.is_zero(); }
  constexpr bool is_one() const { return c0.is_one() && c1.is_zero(); }

  constexpr Fp2 operator+(const Fp2& o) const { return {c0 + o.c0, c1 + o.c1}; }
  constexpr Fp2 operator-(const Fp2& o) const { return {c0 - o.c0, c1 - o.c1}; }
  constexpr Fp2 operator-() const { return {-c0, -c1}; }
  constexpr Fp2 operator*(const Fp2& o) const {
#if CUZK_HAS_ADX
    if (!std::is_constant_evaluated() && active_isa.adx) [[likely]] {
      Fp2 r;
      adx::fp2_mul(r.c0, r.c1, c0, c1, o.c0, o.c1);
      return r;
    }
#endif
    return mul_portable(o);
  }
  // Karatsuba: three multiplications in Fp.
  constexpr Fp2 mul_portable(const Fp2& o) const {
    Fp a = c0 * o.c0, b = c1 * o.c1, c = (c0 + c1) * (o.c0 + o.c1);
    return {a - b, c - a - b};
  }
  constexpr Fp2 operator*(const Fp& s) const { return {c0 * s, c1 * s}; }
  constexpr Fp2& operator+=(const Fp2& o) { return *this = *this + o; }
  constexpr Fp2& operator-=(const Fp2& o) { return *this = *this - o; }
  constexpr Fp2& operator*=(const Fp2& o) { return *this = *this * o; }

  // (c0 + c1)(c0 - c1) + 2·c0·c1·u: two multiplications.
  constexpr Fp2 square() const { return {(c0 + c1) * (c0 - c1), (c0 * c1).doubled()}; }
  constexpr Fp2 doubled() const { return {c0.doubled(), c1.doubled()}; }
  constexpr Fp2 halved() const { return {c0.halved(), c1.halved()}; }
  constexpr Fp2 conjugate() const { return {c0, -c1}; }
  // Times ξ = 1 + u, the non-residue of the next extension.
  constexpr Fp2 times_xi() const { return {c0 - c1, c0 + c1}; }
  constexpr Fp norm() const { return c0.square() + c1.square(); }
  constexpr Fp2 inverse() const { return conjugate() * norm().inverse(); }

  template <size_t M>
  constexpr Fp2 pow(const BigInt<M>& exponent) const {
    Fp2 r = one();
    for (size_t i = exponent.bit_length(); i-- > 0;) {
      r = r.square();
      if (exponent.bit(i)) r = r * *this;
    }
    return r;
  }
};

// A square root, or nothing. sqrt(c0 + c1·u) = x + y·u has x² = δ or -c1²/4δ for δ = (c0 + sqrt(norm))/2 and
// y = c1/2x. The candidate root r of δ is a root of δ or of -δ: in the first case x = r, in the second y = r
// up to sign, and the other one is c1/2r both times.
inline std::optional<Fp2> sqrt(const Fp2& a) {
  if (a.c1.is_zero()) {
    if (auto r = sqrt(a.c0)) return Fp2{*r, Fp::zero()};
    auto r = sqrt(-a.c0);  // -1 is not a square in Fp, so one of the two has a root
    return Fp2{Fp::zero(), *r};
  }
  auto root_of_norm = sqrt(a.norm());
  if (!root_of_norm) return std::nullopt;
  Fp delta = (a.c0 + *root_of_norm).halved();  // not zero, because c1 is not
  Fp w = inverse_root_candidate(delta), r = delta * w;
  Fp other = a.c1.halved() * w;  // c1/2r where r² = δ, -c1/2r where r² = -δ
  Fp2 root = r.square() == delta ? Fp2{r, other} : Fp2{other, -r};
  if (!(root.square() == a)) return std::nullopt;
  return root;
}

// Order of the zcash encoding: compares c1 first, c0 where c1 is zero.
inline bool is_lexicographically_largest(const Fp2& y) {
  return y.c1.is_zero() ? is_lexicographically_largest(y.c0) : is_lexicographically_largest(y.c1);
}

}  // namespace cuzk
