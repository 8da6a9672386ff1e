#include <gmpxx.h>
#include <gtest/gtest.h>

#include "curve/point.hpp"

namespace cuzk {
namespace {

// What makes psi(Q) = zQ sufficient: gcd(p - z, order of E') = r.
TEST(Cofactor, GcdIsR) {
  mpz_class z = -mpz_class("d201000000010000", 16);
  mpz_class r = z * z * z * z - z * z + 1, z2 = z * z, z3 = z2 * z, z4 = z2 * z2;
  mpz_class p = (z - 1) * (z - 1) / 3 * r + z;
  uint8_t bytes[48];
  Fp::kModulus.to_be_bytes(bytes);
  EXPECT_EQ(p, mpz_class(to_hex(bytes), 16));
  mpz_class h2 = (z4 * z4 - 4 * z4 * z3 + 5 * z4 * z2 - 4 * z4 + 6 * z3 - 4 * z2 - 4 * z + 13) / 9;
  mpz_class order = h2 * r;
  // The order, checked on a point: order · Q = infinity.
  BigInt<12> scalar{};
  mpz_class rest = order;
  for (uint64_t& limb : scalar.limb) {
    mpz_class low = rest & mpz_class("ffffffffffffffff", 16);
    limb = low.get_ui();
    rest >>= 64;
  }
  ASSERT_EQ(rest, 0);
  G2Affine point;
  for (point.x = {Fp::from_u64(5), Fp::one()};; point.x.c0 += Fp::one()) {
    if (auto y = sqrt(point.x.square() * point.x + G2::b())) {
      point.y = *y;
      break;
    }
  }
  EXPECT_FALSE((G2Xyzz::from_affine(point) * Fr::kModulus).is_infinity());
  EXPECT_TRUE((G2Xyzz::from_affine(point) * scalar).is_infinity());
  mpz_class difference = p - z;
  EXPECT_EQ(gcd(difference, order), r);
}

}  // namespace
}  // namespace cuzk
