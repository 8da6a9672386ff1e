// The card's multi-scalar multiplication, all sizes and settings. Linked with the emulator or with the card.
#include "device/cuda/msm_cases_test.hpp"

namespace cuzk::gpu {
namespace {

using namespace cases;

TEST(GpuMsm, G1Sizes) {
  check_sizes<G1>({0, 1, 2, 31, 32, 33, 237});
}
TEST(GpuMsm, G2Sizes) {
  check_sizes<G2>({0, 1, 33, 100});
}
TEST(GpuMsm, G1Edges) {
  check_edges<G1>(75);
}
TEST(GpuMsm, G2Edges) {
  check_edges<G2>(40);
}

#if CUZK_ON_CARD
// The settings that are used, against the CPU's multiplication.
template <class G>
void check_large(std::initializer_list<unsigned> logs) {
  ThreadPool threads;
  auto points = some_points<G>(size_t{1} << *(logs.end() - 1));
  TestRandom random(8);
  for (unsigned log : logs) {
    size_t n = (size_t{1} << log) - log % 3;
    points.resize(std::max(points.size(), n));
    std::vector<typename G::Point> some(points.begin(), points.begin() + static_cast<long>(n));
    std::vector<Fr> scalars(n);
    for (bool bits : {false, true}) {
      for (auto& s : scalars)
        s = bits && random.next() % 100 != 0 ? Fr::from_u64(random.next() & 1) : Fr::random(random);
      auto tuning = tune_msm(n, std::is_same_v<G, G2>);
      if (bits) tuning.split = true;
      auto got = on_card<G>(some, scalars, tuning);
      auto expected = msm<G>(SpanSource<G>(some), Scalars{scalars}, threads);
      ASSERT_TRUE(got.has_value()) << got.error().message;
      ASSERT_TRUE(expected.has_value());
      EXPECT_TRUE(*got == expected->to_affine()) << n << (bits ? " bits" : " random");
    }
  }
}
TEST(GpuMsm, G1Large) {
  check_large<G1>({10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20});
}
TEST(GpuMsm, G2Large) {
  check_large<G2>({10, 12, 14, 16, 17, 18});
}
#endif

}  // namespace
}  // namespace cuzk::gpu
