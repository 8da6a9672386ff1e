#include "curve/subgroup.hpp"

#include "curve/endomorphism.hpp"

namespace cuzk {

namespace {

// |z|·P.
template <class F>
Xyzz<F> times_abs_z(const Xyzz<F>& point) {
  return point * BigInt<1>::from_u64(kCurveX);
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
