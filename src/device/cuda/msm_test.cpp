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

}  // namespace
}  // namespace cuzk::gpu
