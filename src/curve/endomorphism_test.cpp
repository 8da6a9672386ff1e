// Endomorphisms against scalar multiplication, subgroup tests against r·P, decompositions at their edges.
#include "curve/endomorphism.hpp"

#include <gtest/gtest.h>

#include "curve/glv.hpp"
#include "curve/subgroup.hpp"

namespace cuzk {
namespace {

const Fr kZ = -Fr::from_u64(kCurveX);

Fr fr_from(uint128_t v) {
  return *Fr::from_canonical({{static_cast<uint64_t>(v), static_cast<uint64_t>(v >> 64), 0, 0}});
}
uint128_t to_u128(const BigInt<2>& v) {
  return static_cast<uint128_t>(v.limb[1]) << 64 | v.limb[0];
}

// On the curve with any order: the first x from `from` upwards that has a point.
template <class G>
typename G::Point any_point(uint64_t from) {
  for (auto x = G::Field::from_u64(from);; x += G::Field::one()) {
    auto fx = x;
    if constexpr (std::is_same_v<G, G2>) fx.c1 = x.c0.square() + x.c0;
    if (auto y = sqrt(fx.square() * fx + G::b())) return {fx, *y};
  }
}

TEST(Endomorphism, PhiIsLambda) {
  TestRandom random(21);
  EXPECT_EQ(kG1Beta.square() + kG1Beta + Fp::one(), Fp::zero());
  Fr lambda = fr_from(kLambda);
  EXPECT_EQ(lambda, kZ.square() - Fr::one());
  EXPECT_EQ(lambda.square() + lambda + Fr::one(), Fr::zero());
  auto g = G1Xyzz::from_affine(G1::generator());
  for (int i = 0; i < 5; ++i) {
    auto p = (g * Fr::random(random)).to_affine();
    EXPECT_EQ(phi(p), (G1Xyzz::from_affine(p) * lambda).to_affine());
    EXPECT_EQ(phi(phi(phi(p))), p);
  }
  EXPECT_TRUE(phi(G1Affine::infinity()).is_infinity());
}

TEST(Endomorphism, PsiIsZ) {
  TestRandom random(22);
  auto g = G2Xyzz::from_affine(G2::generator());
  for (int i = 0; i < 5; ++i) {
    auto q = (g * Fr::random(random)).to_affine();
    EXPECT_TRUE(is_on_curve<G2>(psi(q)));
    EXPECT_EQ(psi(q), (G2Xyzz::from_affine(q) * kZ).to_affine());
  }
  // On the whole curve, psi² - t·psi + p = 0 with t = z + 1: p·Q = t·psi(Q) - psi²(Q).
  auto q = any_point<G2>(3);
  auto psi_q = G2Xyzz::from_affine(psi(q));
  auto t_psi = -(psi_q * BigInt<1>::from_u64(kCurveX - 1));
  EXPECT_EQ(G2Xyzz::from_affine(q) * Fp::kModulus, t_psi - psi(psi(q)));
  EXPECT_TRUE(psi(G2Affine::infinity()).is_infinity());
}

template <class G>
void check_subgroup() {
  TestRandom random(23);
  EXPECT_TRUE(is_in_subgroup(G::Point::infinity()));
  EXPECT_TRUE(is_in_subgroup(G::generator()));
  for (int i = 0; i < 8; ++i) {
    auto p = any_point<G>(static_cast<uint64_t>(100 * i + 1));
    auto sum = G::Sum::from_affine(p);
    EXPECT_EQ(is_in_subgroup(p), (sum * Fr::kModulus).is_infinity());
    EXPECT_FALSE(is_in_subgroup(p));
    auto cofactor_part = (sum * Fr::kModulus).to_affine();  // in the complement of the subgroup
    EXPECT_FALSE(is_in_subgroup(cofactor_part));
    auto member = (G::Sum::from_affine(G::generator()) * Fr::random(random)).to_affine();
    EXPECT_TRUE(is_in_subgroup(member));
    EXPECT_FALSE(is_in_subgroup((G::Sum::from_affine(member) + cofactor_part).to_affine()));
  }
}
TEST(Subgroup, G1) {
  check_subgroup<G1>();
  EXPECT_FALSE(is_in_subgroup(G1Affine{Fp::zero(), Fp::from_u64(2)}));  // order three, fixed by phi
}
TEST(Subgroup, G2) {
  check_subgroup<G2>();
}

std::vector<BigInt<4>> edge_scalars() {
  TestRandom random(24);
  Fr lambda = fr_from(kLambda), x = Fr::from_u64(kCurveX);
  std::vector<Fr> values;
  for (Fr centre :
       {Fr::zero(), lambda, fr_from(kLambda / 2), lambda.halved(), lambda.square(),
        lambda * fr_from((kLambda + 1) / 2), lambda * fr_from(kLambda / 2), x, x * x, x * x * x,
        Fr::from_u64(kCurveX / 2), Fr::from_u64(kCurveX / 2) * x, Fr::from_u64(kCurveX / 2) * x * x,
        Fr::from_u64(kCurveX / 2) * x * x * x, Fr::from_u64(2).inverse(),
        Fr::from_u64(kCurveX / 2) * (Fr::one() + x + x * x + x * x * x),
        Fr::from_u64(kCurveX / 2 - 1) * (Fr::one() + x + x * x + x * x * x),
        Fr::from_u64(kCurveX / 2) + Fr::from_u64(kCurveX / 2 - 1) * (x + x * x + x * x * x)}) {
    for (int64_t offset = -3; offset <= 3; ++offset) {
      values.push_back(centre + Fr::from_i64(offset));
      values.push_back(-(centre + Fr::from_i64(offset)));
    }
  }
  for (uint64_t i = 0; i < 256; ++i) values.push_back(Fr::from_u64(2).pow(i) - Fr::from_u64(i % 2));
  for (uint64_t i = 0; i < 200; ++i) {
    values.push_back(lambda * Fr::from_u64(i));
    values.push_back(lambda * fr_from(kLambda - 100 + i));
    values.push_back(lambda * fr_from(kLambda / 2 - 100 + i) + fr_from(kLambda / 2));
  }
  for (int i = 0; i < 20000; ++i) values.push_back(Fr::random(random));
  std::vector<BigInt<4>> out;
  for (const Fr& v : values) out.push_back(v.to_canonical());
  return out;
}

TEST(Decomposition, HalvesAreRight) {
  Fr lambda = fr_from(kLambda);
  uint128_t largest = 0;
  for (const auto& k : edge_scalars()) {
    auto parts = decompose_g1(k);
    Fr sum = Fr::zero(), power = Fr::one();
    for (const auto& part : parts) {
      Fr value = fr_from(to_u128(part.magnitude));
      sum += (part.negative ? -value : value) * power;
      power = power * lambda;
      EXPECT_LE(to_u128(part.magnitude), kMaxHalfScalar);
      largest = std::max(largest, to_u128(part.magnitude));
    }
    ASSERT_EQ(sum.to_canonical(), k);
  }
  EXPECT_EQ(largest, kMaxHalfScalar);
  EXPECT_EQ(kMaxHalfScalar >> 127, 0u);
}

TEST(Decomposition, QuartersAreRight) {
  uint64_t largest = 0;
  for (const auto& k : edge_scalars()) {
    auto parts = decompose_g2(k);
    Fr sum = Fr::zero(), power = Fr::one();
    for (const auto& part : parts) {
      Fr value = Fr::from_u64(part.magnitude);
      sum += (part.negative ? -value : value) * power;
      power = power * kZ;
      EXPECT_LE(part.magnitude, kMaxQuarterScalar);
      largest = std::max(largest, part.magnitude);
    }
    ASSERT_EQ(sum.to_canonical(), k);
  }
  EXPECT_GE(largest, kMaxQuarterScalar - 1);
  EXPECT_EQ(kMaxQuarterScalar >> 63, 0u);
}

TEST(Decomposition, MultipliesPoints) {
  TestRandom random(25);
  auto p = G1::generator();
  auto q = G2::generator();
  for (int i = 0; i < 4; ++i) {
    auto k = Fr::random(random).to_canonical();
    auto halves = decompose_g1(k);
    auto term = [](const auto& sum, const auto& magnitude, bool negative) {
      auto product = sum * magnitude;
      return negative ? -product : product;
    };
    auto sum1 = term(G1Xyzz::from_affine(p), halves[0].magnitude, halves[0].negative) +
                term(G1Xyzz::from_affine(phi(p)), halves[1].magnitude, halves[1].negative);
    EXPECT_EQ(sum1, G1Xyzz::from_affine(p) * k);
    auto quarters = decompose_g2(k);
    auto sum2 = G2Xyzz::infinity();
    auto image = q;
    for (const auto& part : quarters) {
      sum2 += term(G2Xyzz::from_affine(image), BigInt<1>::from_u64(part.magnitude), part.negative);
      image = psi(image);
    }
    EXPECT_EQ(sum2, G2Xyzz::from_affine(q) * k);
  }
}

}  // namespace
}  // namespace cuzk
