// Fixed-base multiplication against double-and-add.
#include "msm/fixed_base.hpp"

#include <gtest/gtest.h>

namespace cuzk {
namespace {

std::vector<Fr> edge_scalars(TestRandom& random, size_t n) {
  std::vector<Fr> scalars{Fr::zero(), Fr::one(), -Fr::one(), Fr::from_u64(2), Fr::from_u64(2).pow(254)};
  while (scalars.size() < n) scalars.push_back(Fr::random(random));
  scalars.resize(n);
  return scalars;
}

template <class G>
void check_windows(size_t widest) {
  TestRandom random(21);
  auto base = G::Sum::from_affine(G::generator()) * Fr::random(random);
  auto scalars = edge_scalars(random, 40);
  ThreadPool executor(2);
  for (size_t bits = 2; bits <= widest; ++bits) {
    FixedBase<G> table(base.to_affine(), 0, executor, bits);
    EXPECT_EQ(table.window_bits(), bits);
    std::vector<typename G::Point> out(scalars.size());
    table.multiply(scalars, out, executor);
    for (size_t i = 0; i < out.size(); ++i) EXPECT_EQ(out[i], (base * scalars[i]).to_affine()) << bits;
  }
}
TEST(FixedBaseG1, EveryWindow) {
  check_windows<G1>(12);
}
TEST(FixedBaseG2, EveryWindow) {
  check_windows<G2>(9);
}

TEST(FixedBase, ChunksComeInOrder) {
  TestRandom random(22);
  auto scalars = edge_scalars(random, 2500);
  ThreadPool executor(2);
  FixedBase<G1> table(G1::generator(), scalars.size(), executor);
  std::vector<G1::Point> whole(scalars.size()), chunked;
  table.multiply(scalars, whole, executor);
  auto collect = [&](size_t first, std::span<const G1::Point> points) -> Status {
    EXPECT_EQ(first, chunked.size());
    chunked.insert(chunked.end(), points.begin(), points.end());
    return {};
  };
  ASSERT_TRUE(table.multiply(scalars, 1100, executor, collect).has_value());
  EXPECT_EQ(chunked, whole);
  for (size_t i = 0; i < 2500; i += 499)
    EXPECT_EQ(whole[i], (G1::Sum::from_affine(G1::generator()) * scalars[i]).to_affine());
  size_t calls = 0;
  auto refuse = [&](size_t, std::span<const G1::Point>) -> Status {
    ++calls;
    return fail(ErrorCode::kIo, "disk full");
  };
  auto status = table.multiply(scalars, 1000, executor, refuse);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().message, "disk full");
  EXPECT_EQ(calls, 1u);
}

TEST(FixedBase, BaseAtInfinityAndNoScalars) {
  TestRandom random(23);
  InlineExecutor executor;
  FixedBase<G2> table(G2::Point::infinity(), 10, executor);
  auto scalars = edge_scalars(random, 10);
  std::vector<G2::Point> out(10, G2::generator());
  table.multiply(scalars, out, executor);
  for (const auto& p : out) EXPECT_TRUE(p.is_infinity());
  table.multiply({}, {}, executor);
}

TEST(FixedBase, WindowGrowsWithTheCount) {
  EXPECT_LE(FixedBase<G1>::choose_window_bits(0), 3u);
  size_t last = 2;
  for (size_t count = 1; count < (size_t{1} << 24); count *= 4) {
    size_t bits = FixedBase<G1>::choose_window_bits(count);
    EXPECT_GE(bits, last);
    last = bits;
  }
  EXPECT_GE(last, 14u);
}

}  // namespace
}  // namespace cuzk
