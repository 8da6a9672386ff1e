// Multi-scalar multiplication against the sum of single multiplications.
#include "msm/msm.hpp"

#include <gtest/gtest.h>

#include <string>

#include "msm/buckets.hpp"
#include "msm/test_points.hpp"

namespace cuzk {
namespace {

std::vector<Fr> random_scalars(TestRandom& random, size_t n) {
  std::vector<Fr> scalars(n);
  for (auto& s : scalars) s = Fr::random(random);
  return scalars;
}

// Scalars of every shape: zero, one, -1, small, top-heavy, full.
std::vector<Fr> mixed_scalars(TestRandom& random, size_t n) {
  std::vector<Fr> scalars(n);
  for (auto& s : scalars) {
    switch (random.next() % 8) {
      case 0:
        s = Fr::zero();
        break;
      case 1:
      case 2:
        s = Fr::one();
        break;
      case 3:
        s = -Fr::one();
        break;
      case 4:
        s = Fr::from_u64(random.next() % 100);
        break;
      case 5:
        s = Fr::from_u64(random.next() | 1) * Fr::from_u64(2).pow(190);
        break;
      default:
        s = Fr::random(random);
    }
  }
  return scalars;
}

template <class G>
typename G::Sum naive(std::span<const typename G::Point> points, std::span<const Fr> scalars) {
  auto sum = G::Sum::infinity();
  for (size_t i = 0; i < points.size(); ++i) sum += G::Sum::from_affine(points[i]) * scalars[i];
  return sum;
}

// msm() with one and with three threads, Montgomery and plain scalars, against the naive sum.
template <class G>
void expect_right(std::span<const typename G::Point> points, std::span<const Fr> scalars) {
  auto expected = naive<G>(points, scalars);
  SpanSource<G> source(points);
  std::vector<BigInt<4>> plain;
  for (const Fr& s : scalars) plain.push_back(s.to_canonical());
  InlineExecutor one;
  ThreadPool three(3);
  for (Executor* executor : {static_cast<Executor*>(&one), static_cast<Executor*>(&three)}) {
    auto sum = msm<G>(source, Scalars{scalars}, *executor);
    ASSERT_TRUE(sum.has_value());
    EXPECT_EQ(*sum, expected) << points.size();
    auto of_plain = msm<G>(source, plain, *executor);
    ASSERT_TRUE(of_plain.has_value());
    EXPECT_EQ(*of_plain, expected) << points.size();
  }
}

template <class G>
void check_lengths(size_t longest) {
  TestRandom random(11);
  auto points = random_points<G>(random, longest);
  for (size_t n = 0; n <= 33; ++n) {
    auto scalars = mixed_scalars(random, n);
    expect_right<G>(std::span(points).first(n), scalars);
  }
  for (size_t n : {size_t{237}, longest}) {
    expect_right<G>(std::span(points).first(n), mixed_scalars(random, n));
    expect_right<G>(std::span(points).first(n), random_scalars(random, n));
  }
}
TEST(MsmG1, EveryLength) {
  check_lengths<G1>(1000);
}
TEST(MsmG2, EveryLength) {
  check_lengths<G2>(300);
}

template <class G>
void check_scalar_shapes() {
  TestRandom random(12);
  auto points = random_points<G>(random, 70);
  auto all = [&](const Fr& value) { expect_right<G>(points, std::vector<Fr>(points.size(), value)); };
  all(Fr::zero());
  all(Fr::one());
  all(-Fr::one());
  all(Fr::from_u64(2));
  all(Fr::from_u64(0xffff));
  all(Fr::from_u64(2).pow(254));
  all(Fr::random(random));
  for (size_t bit = 0; bit < 255; bit += 7)
    expect_right<G>(std::span(points).first(3), std::vector<Fr>(3, Fr::from_u64(2).pow(bit)));
}
TEST(MsmG1, ScalarShapes) {
  check_scalar_shapes<G1>();
}
TEST(MsmG2, ScalarShapes) {
  check_scalar_shapes<G2>();
}

// Equal and opposite points and infinity, with scalars that bring them into the same buckets.
template <class G>
void check_exceptional_points() {
  TestRandom random(13);
  using Point = typename G::Point;
  auto distinct = random_points<G>(random, 40);
  const Point p = distinct[0];
  std::vector<Fr> same(40, Fr::random(random)), mixed = mixed_scalars(random, 40), ones(40, Fr::one());
  auto check = [&](const std::vector<Point>& points) {
    expect_right<G>(points, same);
    expect_right<G>(points, mixed);
    expect_right<G>(points, ones);
  };
  check(std::vector<Point>(40, p));
  check(std::vector<Point>(40, Point::infinity()));
  std::vector<Point> alternating;
  for (size_t i = 0; i < 40; ++i) alternating.push_back(i % 2 == 0 ? p : -p);
  check(alternating);
  auto with_infinity = distinct;
  with_infinity.front() = with_infinity.back() = with_infinity[17] = Point::infinity();
  check(with_infinity);
  std::vector<Point> pairs;
  for (size_t i = 0; i < 40; ++i) pairs.push_back(i % 3 == 0 ? distinct[i / 2] : -distinct[i / 2]);
  check(pairs);
}
TEST(MsmG1, EqualOppositeAndInfinitePoints) {
  check_exceptional_points<G1>();
}
TEST(MsmG2, EqualOppositeAndInfinitePoints) {
  check_exceptional_points<G2>();
}

template <class G>
void check_windows() {
  TestRandom random(14);
  auto points = random_points<G>(random, 50);
  std::vector<Fr> scalars = mixed_scalars(random, 50);
  std::vector<BigInt<4>> plain;
  for (const Fr& s : scalars) plain.push_back(s.to_canonical());
  auto expected = naive<G>(points, scalars);
  ThreadPool executor(2);
  constexpr size_t kBits = detail::Split<G>::kBits;
  for (size_t windows = kBits / detail::kMaxWindowBits; windows <= kBits; ++windows) {
    for (auto* kernels :
         {detail::BatchAdder<G>::active_kernels(), detail::BatchAdder<G>::emulated_kernels()}) {
      // All windows by the fastest kernels, the wider ones by the emulated ones.
      if (kernels == detail::BatchAdder<G>::emulated_kernels() && windows > kBits / 12) continue;
      detail::BucketSum<G> buckets(kernels, 50, 30, windows);
      buckets.stage(std::span(points).first(20), std::span(plain).first(20));
      buckets.flush(executor);
      buckets.stage(std::span(points).subspan(20), std::span(plain).subspan(20));
      buckets.flush(executor);
      EXPECT_EQ(buckets.finish(executor), expected) << windows;
    }
  }
}
TEST(MsmG1, EveryWindow) {
  check_windows<G1>();
}
TEST(MsmG2, EveryWindow) {
  check_windows<G2>();
}

template <class G>
void check_batch_sum() {
  TestRandom random(15);
  auto points = random_points<G>(random, 3000);
  points[5] = points[2999 - 5];
  points[7] = -points[2999 - 7];
  points[8] = G::Point::infinity();
  ThreadPool executor(2);
  for (size_t n : {size_t{0}, size_t{1}, size_t{2}, size_t{65}, size_t{1025}, size_t{3000}}) {
    auto expected = G::Sum::infinity();
    for (size_t i = 0; i < n; ++i) expected += points[i];
    auto sum = batch_sum<G>(SpanSource<G>(std::span(points).first(n)), executor);
    ASSERT_TRUE(sum.has_value());
    EXPECT_EQ(*sum, expected) << n;
  }
}
TEST(MsmG1, BatchSum) {
  check_batch_sum<G1>();
}
TEST(MsmG2, BatchSum) {
  check_batch_sum<G2>();
}

TEST(Msm, Selection) {
  TestRandom random(16);
  auto points = random_points<G1>(random, 30);
  auto values = mixed_scalars(random, 100);
  std::vector<uint32_t> select;
  std::vector<Fr> selected;
  for (uint32_t i = 0; i < 30; ++i) {
    select.push_back((i * 37 + 5) % 100);
    selected.push_back(values[select.back()]);
  }
  InlineExecutor executor;
  auto sum = msm<G1>(SpanSource<G1>(points), {values, select}, executor);
  ASSERT_TRUE(sum.has_value());
  EXPECT_EQ(*sum, naive<G1>(points, selected));
  select[20] = 100;
  auto beyond = msm<G1>(SpanSource<G1>(points), {values, select}, executor);
  ASSERT_FALSE(beyond.has_value());
  EXPECT_EQ(beyond.error().message, "scalar 20 selects value 100 of 100");
}

TEST(Msm, RefusesScalarsNotBelowTheOrder) {
  TestRandom random(17);
  auto points = random_points<G1>(random, 3);
  InlineExecutor executor;
  BigInt<4> order = Fr::kModulus, above = order, all_ones{{~0ull, ~0ull, ~0ull, ~0ull}};
  above.add_in_place(BigInt<4>::from_u64(1));
  for (const auto& bad : {order, above, all_ones}) {
    std::vector<BigInt<4>> scalars{BigInt<4>::from_u64(1), bad, BigInt<4>::from_u64(5)};
    auto sum = msm<G1>(SpanSource<G1>(points), scalars, executor);
    ASSERT_FALSE(sum.has_value());
    EXPECT_EQ(sum.error().message, "scalar 1 is not below the group order");
  }
}

TEST(Msm, RefusesOtherCount) {
  TestRandom random(18);
  auto points = random_points<G1>(random, 3);
  std::vector<Fr> scalars(4, Fr::one());
  InlineExecutor executor;
  auto sum = msm<G1>(SpanSource<G1>(points), Scalars{scalars}, executor);
  ASSERT_FALSE(sum.has_value());
  EXPECT_EQ(sum.error().message, "G1 multiplication: 3 bases, 4 scalars");
  auto of_nothing = msm<G1>(SpanSource<G1>({}), Scalars{scalars}, executor);
  ASSERT_TRUE(of_nothing.has_value());
  EXPECT_TRUE(of_nothing->is_infinity());
}

// Points at and beyond `bad` cannot be loaded.
class FailingSource final : public PointSource<G1> {
 public:
  FailingSource(size_t size, size_t bad) : size_(size), bad_(bad) {}
  size_t size() const override { return size_; }
  Status load(size_t begin, std::span<G1::Point> out) const override {
    for (size_t i = 0; i < out.size(); ++i) {
      if (begin + i >= bad_)
        return invalid("list h, point " + std::to_string(begin + i) + ": not on the curve");
      out[i] = G1::generator();
    }
    return {};
  }

 private:
  size_t size_, bad_;
};

TEST(Msm, ReportsTheFirstBadPointWhateverItsScalar) {
  ThreadPool executor(3);
  for (const Fr& scalar : {Fr::zero(), Fr::one(), -Fr::one()}) {
    std::vector<Fr> scalars(100000, scalar);
    auto sum = msm<G1>(FailingSource(scalars.size(), 70001), Scalars{scalars}, executor);
    ASSERT_FALSE(sum.has_value());
    EXPECT_EQ(sum.error().message, "list h, point 70001: not on the curve");
  }
}

}  // namespace
}  // namespace cuzk
