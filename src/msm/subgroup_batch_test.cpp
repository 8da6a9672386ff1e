// The batch test of subgroups: points outside are found and named wherever they are and whatever cancels.
#include "msm/subgroup_batch.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

namespace cuzk {
namespace {

template <class G>
using Points = std::vector<typename G::Point>;

// The primes of the cofactor, with multiplicity; the last one of G2 has 135 digits.
constexpr uint64_t kFactorsG1[] = {3, 11, 11, 10177, 10177, 859267, 859267, 52437899, 52437899};
constexpr uint64_t kFactorsG2[] = {13, 13, 23, 23, 2713, 11953, 262069};
constexpr auto kLastFactorG2 = BigInt<7>::from_hex(
    "8d9f503deeeb5d5c423572788bea4d6ae0490c5afca1eeb2a9d75bb98b95878afab9c0da5cf222c377d87384d026cd73826d1772"
    "00c0d3b1");

template <class G>
typename G::Sum times_large_factors(const typename G::Sum& sum) {
  if constexpr (std::is_same_v<G, G1>) return sum * Fr::kModulus;
  if constexpr (std::is_same_v<G, G2>) return sum * Fr::kModulus * kLastFactorG2;
}
template <class G>
std::span<const uint64_t> small_factors() {
  if constexpr (std::is_same_v<G, G1>) return kFactorsG1;
  if constexpr (std::is_same_v<G, G2>) return kFactorsG2;
}

// A point of the curve of this order, a prime that divides the cofactor.
template <class G>
typename G::Point point_of_order(uint64_t order) {
  for (auto x = G::Field::one();; x += G::Field::one()) {
    auto at = x;
    if constexpr (std::is_same_v<G, G2>) at.c1 = x.c0.square();
    const auto y = sqrt(at.square() * at + G::b());
    if (!y) continue;
    auto sum = times_large_factors<G>(G::Sum::from_affine({at, *y}));
    for (uint64_t factor : small_factors<G>())
      if (factor != order) sum = sum * BigInt<1>::from_u64(factor);
    if (sum.is_infinity()) continue;
    for (;;) {
      const auto multiple = sum * BigInt<1>::from_u64(order);
      if (multiple.is_infinity()) return sum.to_affine();
      sum = multiple;
    }
  }
}

template <class G>
Points<G> good_points(size_t count, uint64_t seed = 1) {
  TestRandom random(seed);
  const auto step = (G::Sum::from_affine(G::generator()) * Fr::random(random)).to_affine();
  std::vector<typename G::Sum> sums;
  for (size_t i = 0; i < count; ++i) sums.push_back((i == 0 ? G::Sum::infinity() : sums[i - 1]) + step);
  return batch_to_affine<typename G::Field>(sums);
}

constexpr size_t kNone = ~size_t{0};
template <class G>
size_t first_outside(const Points<G>& points, uint64_t seed = 7) {
  TestRandom random(seed);
  return first_outside_subgroup<G>(points, random).value_or(kNone);
}

template <class G>
typename G::Point plus(const typename G::Point& a, const typename G::Point& b) {
  return (G::Sum::from_affine(a) + b).to_affine();
}

template <class G>
void check_good() {
  for (size_t count : {0, 1, 2, 150, 300, 1100}) {
    auto points = good_points<G>(count);
    EXPECT_EQ(first_outside<G>(points), kNone) << count;
    for (size_t i = 0; i < count; i += 3) points[i] = G::Point::infinity();
    EXPECT_EQ(first_outside<G>(points), kNone) << count;
    for (auto& point : points) point = G::generator();  // all equal: sums are multiples
    EXPECT_EQ(first_outside<G>(points), kNone) << count;
  }
}
TEST(SubgroupBatch, GoodPointsPassG1) {
  check_good<G1>();
}
TEST(SubgroupBatch, GoodPointsPassG2) {
  check_good<G2>();
}

template <class G>
void check_positions(uint64_t order) {
  const auto torsion = point_of_order<G>(order);
  ASSERT_FALSE(torsion.is_infinity());
  ASSERT_TRUE((G::Sum::from_affine(torsion) * BigInt<1>::from_u64(order)).is_infinity());
  for (size_t count : {1, 50, 900}) {
    const auto good = good_points<G>(count);
    for (size_t position : {size_t{0}, count / 2, count - 1}) {
      auto points = good;
      points[position] = torsion;
      EXPECT_EQ(first_outside<G>(points), position) << count;
      points[count - 1] = torsion;  // a second one, never before the first
      EXPECT_EQ(first_outside<G>(points), position) << count;
    }
  }
}
TEST(SubgroupBatch, NamesThePointG1) {
  check_positions<G1>(3);
}
TEST(SubgroupBatch, NamesThePointG2) {
  check_positions<G2>(13);
}

// Points outside whose sum is inside.
template <class G>
void check_cancelling(std::span<const uint64_t> orders) {
  const auto good = good_points<G>(600);
  for (uint64_t order : orders) {
    const auto torsion = point_of_order<G>(order);
    auto pair = good;
    pair[400] = plus<G>(good[400], torsion);
    pair[500] = plus<G>(good[500], -torsion);
    EXPECT_EQ(first_outside<G>(pair), 400u) << order;
    for (size_t copies : {size_t{2}, size_t{3}, size_t{order}}) {
      auto repeated = good;
      for (size_t i = 0; i < copies; ++i)
        repeated[200 + 7 * i] = copies == 3 ? plus<G>(good[0], torsion) : torsion;
      EXPECT_EQ(first_outside<G>(repeated), 200u) << order;
    }
  }
}
TEST(SubgroupBatch, CancellingPointsAreFoundG1) {
  check_cancelling<G1>(std::array<uint64_t, 2>{3, 11});
}
TEST(SubgroupBatch, CancellingPointsAreFoundG2) {
  check_cancelling<G2>(std::array<uint64_t, 2>{13, 23});
}

TEST(SubgroupBatch, AllPointsOutside) {
  EXPECT_EQ(first_outside<G1>(Points<G1>(2000, point_of_order<G1>(3))), 0u);
  EXPECT_EQ(first_outside<G2>(Points<G2>(2000, point_of_order<G2>(13))), 0u);
}

// How often points pass that should not.
template <class G>
double share_passed(const detail::BucketTest& test, const Points<G>& points, size_t trials) {
  TestRandom random(31);
  size_t passed = 0;
  for (size_t i = 0; i < trials; ++i) passed += detail::passes<G>(test, points, random) ? 1 : 0;
  return static_cast<double>(passed) / static_cast<double>(trials);
}
void expect_share(double share, double expected, size_t trials) {
  const double deviation = std::sqrt(expected * (1 - expected) / static_cast<double>(trials));
  EXPECT_LT(std::abs(share - expected), 4 * deviation) << share << " instead of " << expected;
}

// Two points that cancel are the worst case, and reach the bound: 1/B a round, two rounds a pass.
TEST(SubgroupBatch, ErrorsAreAsRareAsClaimed) {
  const auto three = point_of_order<G1>(3);
  Points<G1> pair = good_points<G1>(6);
  pair[1] = three, pair[4] = -three;
  constexpr size_t kTrials = 600;
  expect_share(share_passed<G1>({1, 1}, pair, kTrials), 1.0 / 4, kTrials);
  expect_share(share_passed<G1>({2, 1}, pair, kTrials), 1.0 / 16, kTrials);
  expect_share(share_passed<G1>({1, 2}, pair, kTrials), 1.0 / 16, kTrials);
  // Three of order three must all meet: 1/B² a round.
  expect_share(share_passed<G1>({1, 1}, {three, three, three}, kTrials), 1.0 / 16, kTrials);
  // One alone, or three of order 11, are always found.
  const auto eleven = point_of_order<G1>(11);
  EXPECT_EQ(share_passed<G1>({1, 1}, {three}, 50), 0);
  EXPECT_EQ(share_passed<G1>({1, 1}, {eleven, eleven, eleven}, 50), 0);

  const auto thirteen = point_of_order<G2>(13);
  expect_share(share_passed<G2>({1, 1}, {thirteen, -thirteen}, 200), 1.0 / 4, 200);
}

}  // namespace
}  // namespace cuzk
