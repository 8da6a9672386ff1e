// Points of y² = x³ + b: affine and extended Jacobian (XYZZ) coordinates, group operations.
#pragma once

#include <span>
#include <vector>

#include "field/fp2.hpp"
#include "field/fr.hpp"

namespace cuzk {

// Affine point. Infinity is (0, 0), which is on neither curve because b ≠ 0.
template <class F>
struct Affine {
  F x, y;

  static constexpr Affine infinity() { return {F::zero(), F::zero()}; }
  constexpr bool is_infinity() const { return x.is_zero() && y.is_zero(); }
  constexpr bool operator==(const Affine&) const = default;
  constexpr Affine operator-() const { return {x, -y}; }
};

// Extended Jacobian point: affine (X/ZZ, Y/ZZZ) with ZZ³ = ZZZ². Infinity: ZZ = 0.
// Formulas: EFD, shortw/xyzz (add-2008-s, madd-2008-s, dbl-2008-s-1, mdbl-2008-s-1), a = 0. All inputs are
// right, equal, opposite and infinite ones included; branches make them variable-time.
template <class F>
struct Xyzz {
  F x, y, zz, zzz;

  static constexpr Xyzz infinity() { return {F::one(), F::one(), F::zero(), F::zero()}; }
  static constexpr Xyzz from_affine(const Affine<F>& p) {
    if (p.is_infinity()) return infinity();
    return {p.x, p.y, F::one(), F::one()};
  }
  constexpr bool is_infinity() const { return zz.is_zero(); }
  constexpr Xyzz operator-() const { return {x, -y, zz, zzz}; }

  constexpr bool operator==(const Xyzz& o) const {
    if (is_infinity() || o.is_infinity()) return is_infinity() == o.is_infinity();
    return x * o.zz == o.x * zz && y * o.zzz == o.y * zzz;
  }

  constexpr Xyzz doubled() const {
    if (is_infinity()) return *this;
    F u = y.doubled(), v = u.square(), w = u * v, s = x * v, xx = x.square();
    F m = xx.doubled() + xx;
    F x3 = m.square() - s.doubled();
    return {x3, m * (s - x3) - w * y, v * zz, w * zzz};
  }

  constexpr Xyzz operator+(const Affine<F>& o) const {
    if (o.is_infinity()) return *this;
    if (is_infinity()) return from_affine(o);
    F p = o.x * zz - x, r = o.y * zzz - y;
    if (p.is_zero()) return r.is_zero() ? doubled() : infinity();
    return finish_addition(p, r, x, y, zz, zzz);
  }
  constexpr Xyzz operator+(const Xyzz& o) const {
    if (o.is_infinity()) return *this;
    if (is_infinity()) return o;
    F u1 = x * o.zz, s1 = y * o.zzz;
    F p = o.x * zz - u1, r = o.y * zzz - s1;
    if (p.is_zero()) return r.is_zero() ? doubled() : infinity();
    return finish_addition(p, r, u1, s1, zz * o.zz, zzz * o.zzz);
  }
  constexpr Xyzz operator-(const Affine<F>& o) const { return *this + -o; }
  constexpr Xyzz operator-(const Xyzz& o) const { return *this + -o; }
  constexpr Xyzz& operator+=(const Affine<F>& o) { return *this = *this + o; }
  constexpr Xyzz& operator+=(const Xyzz& o) { return *this = *this + o; }

  constexpr Affine<F> to_affine() const {
    if (is_infinity()) return Affine<F>::infinity();
    F inverse = zzz.inverse();   // 1/Z³
    F inverse_z = inverse * zz;  // 1/Z
    return {x * inverse_z.square(), y * inverse};
  }

  // Scalar multiplication by an integer, double-and-add from the top. Not for secrets.
  template <size_t M>
  constexpr Xyzz operator*(const BigInt<M>& scalar) const {
    Xyzz r = infinity();
    for (size_t i = scalar.bit_length(); i-- > 0;) {
      r = r.doubled();
      if (scalar.bit(i)) r = r + *this;
    }
    return r;
  }
  constexpr Xyzz operator*(const Fr& scalar) const { return *this * scalar.to_canonical(); }

 private:
  static constexpr Xyzz finish_addition(const F& p, const F& r, const F& u1, const F& s1, const F& zz,
                                        const F& zzz) {
    F pp = p.square(), ppp = p * pp, q = u1 * pp;
    F x3 = r.square() - ppp - q.doubled();
    return {x3, r * (q - x3) - s1 * ppp, zz * pp, zzz * ppp};
  }
};

// What the rest of the code asks of a group: coordinates, coefficient b, generator.
struct G1 {
  using Field = Fp;
  using Point = Affine<Fp>;
  using Sum = Xyzz<Fp>;
  static constexpr const char* kName = "G1";
  static constexpr Fp b() { return Fp::from_u64(4); }
  static constexpr Point generator();
};

struct G2 {
  using Field = Fp2;
  using Point = Affine<Fp2>;
  using Sum = Xyzz<Fp2>;
  static constexpr const char* kName = "G2";
  static constexpr Fp2 b() { return {Fp::from_u64(4), Fp::from_u64(4)}; }
  static constexpr Point generator();
};

using G1Affine = G1::Point;
using G1Xyzz = G1::Sum;
using G2Affine = G2::Point;
using G2Xyzz = G2::Sum;

namespace detail {
constexpr Fp fp_from_hex(std::string_view digits) {
  return *Fp::from_canonical(Fp::Int::from_hex(digits));
}
}  // namespace detail

// The standard generators (IETF draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1).
constexpr G1::Point G1::generator() {
  return {detail::fp_from_hex(
              "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af0"
              "0adb22c6bb"),
          detail::fp_from_hex(
              "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa23"
              "2946c5e7e1")};
}
constexpr G2::Point G2::generator() {
  return {{detail::fp_from_hex(
               "024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd480"
               "56c8c121bdb8"),
           detail::fp_from_hex(
               "13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac"
               "7d055d042b7e")},
          {detail::fp_from_hex(
               "0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193"
               "548608b82801"),
           detail::fp_from_hex(
               "0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9"
               "075ff05f79be")}};
}

// On the curve, or infinity. Says nothing about the subgroup.
template <class G>
constexpr bool is_on_curve(const typename G::Point& p) {
  return p.is_infinity() || p.y.square() == p.x.square() * p.x + G::b();
}

// Many points to affine with one inversion; infinity stays infinity.
template <class F>
std::vector<Affine<F>> batch_to_affine(std::span<const Xyzz<F>> points) {
  std::vector<F> inverses(points.size()), scratch(points.size());
  for (size_t i = 0; i < points.size(); ++i) inverses[i] = points[i].zzz;
  batch_invert<F>(inverses, scratch);
  std::vector<Affine<F>> out(points.size());
  for (size_t i = 0; i < points.size(); ++i) {
    if (points[i].is_infinity()) {
      out[i] = Affine<F>::infinity();
      continue;
    }
    F inverse_z = inverses[i] * points[i].zz;
    out[i] = {points[i].x * inverse_z.square(), points[i].y * inverses[i]};
  }
  return out;
}

}  // namespace cuzk
