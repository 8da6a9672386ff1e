// The card's multi-scalar multiplication, small cases. Linked with the emulator or with the card.
#include "device/cuda/msm_cases_test.hpp"

namespace cuzk::gpu {
namespace {

using namespace cases;

// Enough for a checker that makes everything slow.
TEST(GpuMsm, G1Small) {
  check_edges<G1>(34, true);
}
TEST(GpuMsm, G2Small) {
  check_edges<G2>(33, true);
}

TEST(GpuMsm, FewPoints) {
  TestRandom random(9);
  auto all = some_points<G1>(33);
  for (size_t n : {0, 1, 2, 31, 32, 33}) {
    std::vector<G1Affine> points(all.begin(), all.begin() + static_cast<long>(n));
    std::vector<Fr> scalars(n);
    for (auto& s : scalars) s = Fr::random(random);
    for (const auto& t : tunings(n, true)) expect_msm<G1>(points, scalars, t, "random");
  }
}

// Limbs that are no canonical form, as broken memory could have them: they count as what they are modulo r.
TEST(GpuMsm, LimbsOfRAndMore) {
  const auto points = some_points<G1>(4);
  std::vector<Fr> scalars(4), residues(4);
  const BigInt<4> r = Fr::kModulus;
  BigInt<4> above[4] = {r, r, {{~0ull, ~0ull, ~0ull, ~0ull}}, {{0, 0, 0, 1ull << 63}}};
  above[1].limb[0] += 1;
  for (size_t i = 0; i < 4; ++i) {
    std::memcpy(static_cast<void*>(&scalars[i]), &above[i], sizeof(Fr));
    // Limbs x stand for x/2^256; x·(2^256)^-1 by multiplying the plain integer x with the inverse of 2^256.
    residues[i] = Fr::from_reduced(above[i]) * Fr::from_u64(2).pow(256).inverse();
  }
  for (const auto& t : tunings(4, true)) {
    auto got = on_card<G1>(points, scalars, t);
    ASSERT_TRUE(got.has_value());
    EXPECT_TRUE(*got == naive<G1>(points, residues));
  }
}

TEST(GpuMsm, OneVectorOverSeveralSets) {
  TestRandom random(12);
  std::vector<Fr> scalars(45);
  for (size_t i = 0; i < scalars.size(); ++i)
    scalars[i] = i % 3 == 0 ? Fr::random(random) : Fr::from_u64(random.next() & 1);
  for (bool compact : {false, true}) {
    check_shared(45, 0, scalars, compact, {51, 1, size_t{1} << 20, true, 2});
    check_shared(45, 32, scalars, compact, {51, 0, 200, false, 1});
  }
}

}  // namespace
}  // namespace cuzk::gpu
