#include "curve/subgroup.hpp"

#include "curve/endomorphism.hpp"

namespace cuzk {

namespace {

// Jacobian coordinates (X/Z², Y/Z³): doubling is cheaper than in XYZZ (7 multiplications, not 9), and these
// chains are nearly all doublings. Formula: EFD, shortw/jacobian-0, dbl-2009-l. Right for infinity (Z = 0)
// too; neither curve has points of order two.
template <class F>
struct Jacobian {
  F x, y, z;

  Jacobian doubled() const {
    F a = x.square(), b = y.square(), c = b.square();
    F d = ((x + b).square() - a - c).doubled(), e = a.doubled() + a;
    F x3 = e.square() - d.doubled();
    return {x3, e * (d - x3) - c.doubled().doubled().doubled(), (y * z).doubled()};
  }
  // With Z = ZZ: X/ZZ = X·ZZ/Z² and Y/ZZZ = Y·ZZZ/Z³, because ZZ³ = ZZZ².
  static Jacobian from_xyzz(const Xyzz<F>& p) { return {p.x * p.zz, p.y * p.zzz, p.zz}; }
  Xyzz<F> to_xyzz() const {
    F zz = z.square();
    return {x, y, zz, zz * z};
  }
};

// |z|·P: five additions in 63 doublings.
template <class F>
Xyzz<F> times_abs_z(const Xyzz<F>& point) {
  Xyzz<F> sum = point;
  for (size_t bit = 63; bit > 0;) {
    auto run = Jacobian<F>::from_xyzz(sum);
    do {
      run = run.doubled();
      --bit;
    } while (bit > 0 && (kCurveX >> bit & 1) == 0);
    sum = run.to_xyzz();
    if ((kCurveX >> bit & 1) != 0) sum += point;
  }
  return sum;
}

// Whether the sum is this finite affine point.
template <class F>
bool equals(const Xyzz<F>& sum, const Affine<F>& point) {
  return !sum.is_infinity() && sum.x == point.x * sum.zz && sum.y == point.y * sum.zzz;
}

}  // namespace

bool is_in_subgroup(const G1Affine& point) {
  if (point.is_infinity()) return true;
  auto z_squared = times_abs_z(times_abs_z(G1Xyzz::from_affine(point)));
  return equals(z_squared, -phi(phi(point)));
}

bool is_in_subgroup(const G2Affine& point) {
  if (point.is_infinity()) return true;
  return equals(times_abs_z(G2Xyzz::from_affine(point)), -psi(point));
}

}  // namespace cuzk
