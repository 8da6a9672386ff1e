#include "groth16/group_dft.hpp"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

G1Affine times_generator(const Fr& scalar) {
  return (G1Xyzz::from_affine(G1::generator()) * scalar).to_affine();
}

TEST(GroupDft, MultipliesLikeDoubleAndAdd) {
  TestRandom random(1);
  const G1Xyzz point = G1Xyzz::from_affine(G1::generator()) * Fr::random(random);
  std::vector<Fr> scalars = {Fr::zero(),      Fr::one(),        -Fr::one(),
                             Fr::from_u64(2), Fr::from_u64(15), Fr::from_u64(16)};
  for (size_t k = 0; k < 255; ++k) scalars.push_back(Fr::from_u64(2).pow(k));
  for (int i = 0; i < 40; ++i) scalars.push_back(Fr::random(random));
  for (const Fr& scalar : scalars) {
    EXPECT_EQ(multiply_subgroup_point(point, scalar), point * scalar);
    EXPECT_EQ(multiply_subgroup_point(point, -scalar), -(point * scalar));
  }
  EXPECT_TRUE(multiply_subgroup_point(G1Xyzz::infinity(), Fr::random(random)).is_infinity());
}

// With H_i = s_i·G the result is (the same combination of the s_i)·G. Zeros give infinity among the bases.
TEST(GroupDft, IsTheSumOverOddPoints) {
  TestRandom random(2);
  ThreadPool pool(2);
  for (size_t log2_n = 0; log2_n <= 5; ++log2_n) {
    const size_t n = size_t{1} << log2_n;
    std::vector<Fr> scalars(n);
    std::vector<G1Affine> bases(n);
    for (size_t i = 0; i < n; ++i) {
      scalars[i] = i % 5 == 4 ? Fr::zero() : Fr::random(random);
      bases[i] = times_generator(scalars[i]);
    }
    for (const DomainRoot which : {DomainRoot::kBellman, DomainRoot::kSnarkjs}) {
      const auto h = coefficient_bases(bases, which, pool);
      ASSERT_EQ(h.size(), n - 1);
      const Fr root = fr_root_of_unity(log2_n + 1, which);
      for (size_t j = 0; j + 1 < n; ++j) {
        Fr sum = Fr::zero();
        for (size_t i = 0; i < n; ++i) sum += root.pow((2 * i + 1) * j) * scalars[i];
        EXPECT_EQ(h[j], times_generator(-sum.doubled())) << n << " " << j;
      }
    }
  }
}

TEST(GroupDft, OfEqualPoints) {
  InlineExecutor executor;
  std::vector<G1Xyzz> values(8, G1Xyzz::from_affine(G1::generator()));
  group_dft(values, DomainRoot::kSnarkjs, executor);
  EXPECT_EQ(values[0], G1Xyzz::from_affine(times_generator(Fr::from_u64(8))));
  for (size_t i = 1; i < 8; ++i) EXPECT_TRUE(values[i].is_infinity());
}

}  // namespace
}  // namespace cuzk
