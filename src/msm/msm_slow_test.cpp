// Lists longer than what is staged at a time, with sums known from the points' relations.
#include <gtest/gtest.h>

#include "msm/buckets.hpp"
#include "msm/msm.hpp"

namespace cuzk {
namespace {

// base + i·step: the sum of k_i·(base + i·step) is (Σ k_i)·base + (Σ i·k_i)·step.
template <class G>
struct Progression {
  typename G::Sum base, step;
  std::vector<typename G::Point> points;

  Progression(TestRandom& random, size_t n) {
    auto generator = G::Sum::from_affine(G::generator());
    base = generator * Fr::random(random);
    step = generator * Fr::random(random);
    std::vector<typename G::Sum> sums(n);
    auto affine_step = step.to_affine();
    auto sum = base;
    for (auto& s : sums) s = sum, sum += affine_step;
    points = batch_to_affine<typename G::Field>(sums);
  }
  typename G::Sum expected(const std::vector<Fr>& scalars) const {
    Fr sum = Fr::zero(), weighted = Fr::zero();
    for (size_t i = 0; i < scalars.size(); ++i) sum += scalars[i], weighted += Fr::from_u64(i) * scalars[i];
    return base * sum + step * weighted;
  }
};

template <class G>
void check_long_lists(size_t n) {
  TestRandom random(41);
  ASSERT_GT(n, detail::BucketSum<G>::kCapacity);
  Progression<G> list(random, n);
  std::vector<std::vector<Fr>> cases(4, std::vector<Fr>(n));
  const Fr same = Fr::random(random);
  for (size_t i = 0; i < n; ++i) {
    cases[0][i] = Fr::random(random);
    cases[1][i] = same;  // one bucket a window
    cases[2][i] = Fr::from_u64(random.next() % 2);
    cases[3][i] = random.next() % 16 == 0 ? Fr::random(random) : Fr::from_u64(random.next() % 2);
  }
  for (size_t threads : {1, 2, 5}) {
    ThreadPool executor(threads);
    for (size_t c = 0; c < cases.size(); ++c) {
      auto sum = msm<G>(SpanSource<G>(list.points), Scalars{cases[c]}, executor);
      ASSERT_TRUE(sum.has_value());
      EXPECT_EQ(*sum, list.expected(cases[c])) << threads << " threads, case " << c;
    }
  }
}
TEST(MsmG1, LongLists) {
  check_long_lists<G1>(70001);
}
TEST(MsmG2, LongLists) {
  check_long_lists<G2>(17003);
}

// Every instruction set and thread count gives the same sum.
template <class G>
void check_instruction_sets() {
  TestRandom random(42);
  Progression<G> list(random, 5000);
  std::vector<Fr> scalars(5000);
  for (auto& s : scalars) s = Fr::random(random);
  for (Isa isa :
       {Isa{}, Isa{.adx = true}, Isa{.adx = true, .avx2_fma = true}, Isa{.adx = true, .ifma = true}}) {
    ScopedIsa scope(isa);
    for (size_t threads : {1, 3}) {
      ThreadPool executor(threads);
      auto sum = msm<G>(SpanSource<G>(list.points), Scalars{scalars}, executor);
      ASSERT_TRUE(sum.has_value());
      EXPECT_EQ(*sum, list.expected(scalars)) << active_isa.describe() << ", " << threads << " threads";
    }
  }
}
TEST(MsmG1, EveryInstructionSet) {
  check_instruction_sets<G1>();
}
TEST(MsmG2, EveryInstructionSet) {
  check_instruction_sets<G2>();
}

}  // namespace
}  // namespace cuzk
