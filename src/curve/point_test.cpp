// Group laws for G1 and G2, exceptional cases included.
#include "curve/point.hpp"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

template <class G>
typename G::Sum random_point(TestRandom& random) {
  return G::Sum::from_affine(G::generator()) * Fr::random(random);
}

template <class G>
void check_group_laws() {
  using Sum = typename G::Sum;
  TestRandom random(5);
  const Sum infinity = Sum::infinity(), g = Sum::from_affine(G::generator());
  ASSERT_TRUE(is_on_curve<G>(G::generator()));
  EXPECT_TRUE((g * Fr::kModulus).is_infinity());
  for (int i = 0; i < 8; ++i) {
    Sum a = random_point<G>(random), b = random_point<G>(random), c = random_point<G>(random);
    auto affine = a.to_affine();
    EXPECT_TRUE(is_on_curve<G>(affine));
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ(a + b, b + a);
    EXPECT_EQ(b + affine, a + b);
    EXPECT_EQ(a + a, a.doubled());
    EXPECT_EQ(a + affine, a.doubled());
    EXPECT_EQ(a.doubled() + affine, a * BigInt<1>::from_u64(3));
    EXPECT_TRUE((a - a).is_infinity());
    EXPECT_TRUE((a - affine).is_infinity());
    EXPECT_EQ(a + infinity, a);
    EXPECT_EQ(infinity + a, a);
    EXPECT_EQ(infinity + affine, a);
    EXPECT_EQ(a + G::Point::infinity(), a);
    EXPECT_TRUE(infinity.doubled().is_infinity());
    Fr s = Fr::random(random), t = Fr::random(random);
    EXPECT_EQ(a * s + a * t, a * (s + t));
    EXPECT_EQ((a * s) * t, a * (s * t));
  }
  EXPECT_TRUE((g * Fr::zero()).is_infinity());
  EXPECT_EQ(g * -Fr::one(), -g);
}

template <class G>
void check_batch_to_affine() {
  TestRandom random(6);
  std::vector<typename G::Sum> points;
  for (int i = 0; i < 9; ++i) points.push_back(i % 4 == 0 ? G::Sum::infinity() : random_point<G>(random));
  auto affine = batch_to_affine<typename G::Field>(points);
  for (size_t i = 0; i < points.size(); ++i) EXPECT_EQ(affine[i], points[i].to_affine());
  EXPECT_TRUE(batch_to_affine<typename G::Field>({}).empty());
}

TEST(G1, GroupLaws) {
  check_group_laws<G1>();
}
TEST(G2, GroupLaws) {
  check_group_laws<G2>();
}
TEST(G1, BatchToAffine) {
  check_batch_to_affine<G1>();
}
TEST(G2, BatchToAffine) {
  check_batch_to_affine<G2>();
}

}  // namespace
}  // namespace cuzk
