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

TEST(GpuMsm, SharedEdges) {
  TestRandom random(13);
  for (int kind = 0; kind < 4; ++kind) {
    std::vector<Fr> scalars(130);
    for (size_t i = 0; i < scalars.size(); ++i)
      scalars[i] = kind == 0   ? Fr::zero()
                   : kind == 1 ? Fr::one()
                   : kind == 2 ? Fr::random(random)
                               : Fr::from_u64(i % 2);
    for (bool compact : {false, true})
      for (bool split : {false, true})
        for (size_t first : {0, 96, 128}) check_shared(130, first, scalars, compact, {37, 1, 300, split, 2});
  }
}

#if CUZK_ON_CARD
// The settings that are used, against the CPU's multiplication. 2^16 distinct points and their negatives,
// repeated.
template <class G>
void check_large(unsigned least, unsigned most) {
  ThreadPool threads;
  const auto distinct = some_points<G>(size_t{1} << 16);
  std::vector<typename G::Point> points(size_t{1} << most);
  for (size_t i = 0; i < points.size(); ++i) {
    const auto& p = distinct[(i * 40503) % distinct.size()];
    points[i] = (i >> 16) % 2 == 1 ? -p : p;
  }
  points[5] = points[points.size() / 2] = points.back() = G::Point::infinity();
  for (unsigned log = least; log <= most; ++log) {
    const size_t n = (size_t{1} << log) - log % 3;
    const std::vector<typename G::Point> some(points.begin(), points.begin() + static_cast<long>(n));
    std::vector<Fr> scalars(n);
    for (bool bits : {false, true}) {
      threads.run(64, [&](size_t part) {
        TestRandom random(64 * log + part);
        for (size_t i = part; i < n; i += 64)
          scalars[i] =
              bits && random.next() % 100 != 0 ? Fr::from_u64(random.next() & 1) : Fr::random(random);
      });
      auto tuning = tune_msm(n);
      if (std::is_same_v<G, G2>) tuning.rounds = tuning.g2_rounds;
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
  check_large<G1>(10, 24);
}
TEST(GpuMsm, G2Large) {
  check_large<G2>(10, 24);
}
TEST(GpuMsm, AroundBlockSizes) {
  ThreadPool threads;
  TestRandom random(15);
  const auto all = some_points<G1>(4097);
  for (size_t n : {127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2049, 4095, 4097}) {
    const std::vector<G1Affine> points(all.begin(), all.begin() + static_cast<long>(n));
    std::vector<Fr> scalars(n);
    for (auto& s : scalars) s = Fr::random(random);
    for (uint32_t rounds : {0, 2}) {
      auto tuning = tune_msm(n);
      tuning.rounds = rounds;
      auto got = on_card<G1>(points, scalars, tuning);
      auto expected = msm<G1>(SpanSource<G1>(points), Scalars{scalars}, threads);
      ASSERT_TRUE(got.has_value() && expected.has_value());
      EXPECT_TRUE(*got == expected->to_affine()) << n;
    }
  }
}
TEST(GpuMsm, EveryLengthTo300) {
  TestRandom random(14);
  const auto all = some_points<G1>(300);
  for (size_t n = 0; n <= 300; ++n) {
    const std::vector<G1Affine> points(all.begin(), all.begin() + static_cast<long>(n));
    std::vector<Fr> scalars(n);
    for (auto& s : scalars) s = Fr::random(random);
    expect_msm<G1>(points, scalars, tune_msm(n), "every length");
  }
}
#endif

}  // namespace
}  // namespace cuzk::gpu
