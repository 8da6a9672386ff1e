// The pairing: bilinear, non-degenerate, right at infinity, products and prepared points as single pairings.
#include "curve/pairing.hpp"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

template <class G>
typename G::Point times(const typename G::Point& point, const Fr& scalar) {
  return (G::Sum::from_affine(point) * scalar).to_affine();
}

TEST(Pairing, NonDegenerateOfOrderR) {
  Fp12 e = pairing(G1::generator(), G2::generator());
  EXPECT_FALSE(e.is_one());
  EXPECT_TRUE(e.pow(Fr::kModulus).is_one());
  EXPECT_EQ(e.cyclotomic_pow(Fr::kModulus), Fp12::one());
}

TEST(Pairing, Bilinear) {
  TestRandom random(41);
  const auto p = G1::generator();
  const auto q = G2::generator();
  const Fp12 e = pairing(p, q);
  for (int i = 0; i < 5; ++i) {
    Fr a = Fr::random(random), b = Fr::random(random);
    auto ap = times<G1>(p, a);
    auto bq = times<G2>(q, b);
    EXPECT_EQ(pairing(ap, bq), e.cyclotomic_pow((a * b).to_canonical()));
    EXPECT_EQ(pairing(ap, q), pairing(p, times<G2>(q, a)));
    EXPECT_EQ(pairing((G1Xyzz::from_affine(ap) + p).to_affine(), bq), pairing(ap, bq) * pairing(p, bq));
    EXPECT_EQ(pairing(ap, (G2Xyzz::from_affine(bq) + q).to_affine()), pairing(ap, bq) * pairing(ap, q));
    EXPECT_EQ(pairing(-ap, bq), pairing(ap, -bq));
    EXPECT_EQ(pairing(-ap, bq), pairing(ap, bq).conjugate());
  }
}

TEST(Pairing, Infinity) {
  EXPECT_TRUE(pairing(G1Affine::infinity(), G2::generator()).is_one());
  EXPECT_TRUE(pairing(G1::generator(), G2Affine::infinity()).is_one());
  EXPECT_TRUE(pairing(G1Affine::infinity(), G2Affine::infinity()).is_one());
  EXPECT_TRUE(pairing_product_is_one({}));
  EXPECT_TRUE(multi_pairing({}).is_one());
  PreparedG2 infinity(G2Affine::infinity()), generator(G2::generator());
  PreparedPair pairs[] = {{G1::generator(), &infinity}, {G1Affine::infinity(), &generator}};
  EXPECT_TRUE(pairing_product_is_one({}, pairs));
}

TEST(Pairing, ProductsAndPreparedPoints) {
  TestRandom random(42);
  std::vector<PointPair> pairs;
  std::vector<PreparedG2> prepared_points;
  Fp12 product = Fp12::one();
  Fr sum = Fr::zero();
  for (int i = 0; i < 5; ++i) {
    Fr a = Fr::random(random), b = Fr::random(random);
    pairs.emplace_back(times<G1>(G1::generator(), a), times<G2>(G2::generator(), b));
    if (i == 3) {
      pairs.back().first = G1Affine::infinity();
      a = Fr::zero();
    }
    product *= pairing(pairs.back().first, pairs.back().second);
    prepared_points.emplace_back(pairs.back().second);
    sum += a * b;
  }
  std::vector<PreparedPair> prepared;
  for (size_t i = 0; i < pairs.size(); ++i) prepared.emplace_back(pairs[i].first, &prepared_points[i]);
  EXPECT_EQ(multi_pairing(pairs), product);
  EXPECT_EQ(multi_pairing({}, prepared), product);
  EXPECT_EQ(multi_pairing(std::span(pairs).first(2), std::span(prepared).subspan(2)), product);
  EXPECT_EQ(
      final_exponentiation(miller_loop(std::span(pairs).first(2)) * miller_loop(std::span(pairs).subspan(2))),
      product);

  EXPECT_FALSE(pairing_product_is_one(pairs));
  pairs.emplace_back(times<G1>(G1::generator(), -sum), G2::generator());
  EXPECT_TRUE(pairing_product_is_one(pairs));
  std::swap(pairs[0].first, pairs[1].first);
  EXPECT_FALSE(pairing_product_is_one(pairs));
}

// The exponent of the final exponentiation, against plain exponentiation by its definition.
TEST(Pairing, FinalExponentIsThreeTimesTheReducedOne) {
  TestRandom random(43);
  Fp12 f = Fp12::random(random);
  Fp12 easy = f.conjugate() * f.inverse();
  easy = easy.frobenius_squared() * easy;
  // (p⁴ - p² + 1)·3 applied to the r-th power: final_exponentiation(f)^r = easy^(3(p⁴ - p² + 1)) = 1, and for
  // f = g^r the value is easy(g)^(3(p⁴-p²+1)) = 1 too.
  EXPECT_TRUE(final_exponentiation(f).pow(Fr::kModulus).is_one());
  EXPECT_TRUE(final_exponentiation(f.pow(Fr::kModulus)).is_one());
  EXPECT_FALSE(final_exponentiation(f).is_one());
  EXPECT_TRUE(
      (easy.frobenius_squared().frobenius_squared() * easy * easy.frobenius_squared().conjugate()).is_one());
  // Elements of proper subfields vanish.
  EXPECT_TRUE(final_exponentiation({f.c0, Fp6::zero()}).is_one());
}

}  // namespace
}  // namespace cuzk
