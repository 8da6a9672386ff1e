#include "field/fp2.hpp"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

TEST(Fp2, Laws) {
  TestRandom random(11);
  for (int i = 0; i < 100; ++i) {
    Fp2 a = Fp2::random(random), b = Fp2::random(random), c = Fp2::random(random);
    if (i % 4 == 1) a.c0 = Fp::zero();
    if (i % 4 == 2) a.c1 = Fp::zero();
    if (i % 8 == 3) b = -a;
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a.times_xi(), a * (Fp2{Fp::one(), Fp::one()}));
    EXPECT_EQ(a * a.conjugate(), (Fp2{a.norm(), Fp::zero()}));
    if (!a.is_zero()) {
      EXPECT_TRUE((a * a.inverse()).is_one());
    }
    // Schoolbook.
    EXPECT_EQ(a * b, (Fp2{a.c0 * b.c0 - a.c1 * b.c1, a.c0 * b.c1 + a.c1 * b.c0}));
  }
  EXPECT_EQ((Fp2{Fp::zero(), Fp::one()}).square(), -Fp2::one());
}

// The kernel against Karatsuba on reduced elements, at the ends of the ranges and in place.
TEST(Fp2, MultiplicationAgreesWithPortable) {
  TestRandom random(13);
  const Fp edges[] = {Fp::zero(),
                      Fp::one(),
                      -Fp::one(),
                      Fp::from_montgomery(Fp::Int::from_u64(1)),
                      -Fp::from_montgomery(Fp::Int::from_u64(1)),
                      Fp::from_u64(2).inverse()};
  auto draw = [&](uint64_t choice) { return choice < std::size(edges) ? edges[choice] : Fp::random(random); };
  for (uint64_t i = 0; i < 7 * 7 * 7 * 7; ++i) {
    Fp2 a{draw(i % 7), draw(i / 7 % 7)}, b{draw(i / 49 % 7), draw(i / 343)};
    Fp2 expected = a.mul_portable(b);
    ASSERT_EQ(a * b, expected) << i;
    Fp2 left = a, right = b;
    left = left * b;
    right = a * right;
    ASSERT_EQ(left, expected);
    ASSERT_EQ(right, expected);
    ASSERT_EQ(a * a, a.square());
  }
  for (int i = 0; i < 20000; ++i) {
    Fp2 a = Fp2::random(random), b = Fp2::random(random);
    ASSERT_EQ(a * b, a.mul_portable(b));
  }
}

TEST(Fp2, SquareRoots) {
  TestRandom random(12);
  int residues = 0;
  for (int i = 0; i < 40; ++i) {
    Fp2 a = Fp2::random(random);
    if (i == 1) a.c1 = Fp::zero();
    if (i == 2) a.c0 = Fp::zero();
    auto root = sqrt(a.square());
    ASSERT_TRUE(root.has_value());
    EXPECT_TRUE(*root == a || *root == -a);
    if (sqrt(a)) ++residues;
  }
  EXPECT_LT(residues, 36);
  EXPECT_TRUE(sqrt(Fp2::zero())->is_zero());
  EXPECT_EQ(sqrt(-Fp2::one())->square(), -Fp2::one());
}

}  // namespace
}  // namespace cuzk
