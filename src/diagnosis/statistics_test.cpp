#include "diagnosis/statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "base/random.hpp"

namespace cuzk::diagnosis {
namespace {

TEST(Statistics, StudentQuantilesAreThoseOfTheTables) {
  EXPECT_NEAR(student_quantile(0.975, 1), 12.7062, 1e-3);
  EXPECT_NEAR(student_quantile(0.975, 4), 2.7764, 1e-4);
  EXPECT_NEAR(student_quantile(0.975, 10), 2.2281, 1e-4);
  EXPECT_NEAR(student_quantile(0.995, 30), 2.7500, 1e-4);
  EXPECT_NEAR(student_quantile(0.5, 7), 0, 1e-6);
  EXPECT_NEAR(student_quantile(0.025, 10), -2.2281, 1e-4);
  EXPECT_NEAR(student_cdf(1.0, 1), 0.75, 1e-12);
}

TEST(Statistics, Quantiles) {
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(quantile({1, 2, 3, 4, 5}, 0.9), 4.6);
  EXPECT_TRUE(std::isnan(quantile({}, 0.5)));
  EXPECT_NEAR(mad_sigma({1, 2, 3, 4, 5}), 1.4826, 1e-9);
}

// Example of Welch's test: the two samples of NIST's Dataplot manual in small.
TEST(Statistics, Welch) {
  const std::vector<double> a{27.5, 21.0, 19.0, 23.6, 17.0, 17.9, 16.9, 20.1,
                              21.9, 22.6, 23.1, 19.6, 19.0, 21.7, 21.4};
  const std::vector<double> b{27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0,
                              24.8, 20.2, 21.9, 22.1, 22.9, 30.5, 24.4};
  const Difference d = welch(a, b);
  ASSERT_TRUE(d.known);
  EXPECT_NEAR(d.value, 2.8333, 1e-3);
  // Student's t for 27.7 degrees of freedom: 2.0492; the standard error is 0.9768.
  EXPECT_NEAR(d.ci95.lo, 2.8333 - 2.0492 * 1.0082, 0.06);
  EXPECT_GT(d.ci95.lo, 0);
  EXPECT_FALSE(welch(std::vector<double>{1.0}, b).known);
}

TEST(Statistics, RegressionFindsThePlaneItWasMadeOf) {
  TestRandom random(7);
  auto noise = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5; };
  std::vector<double> y, a, b;
  std::vector<int64_t> times;
  for (int i = 0; i < 400; ++i) {
    a.push_back(noise() * 10);
    b.push_back(noise() * 4);
    y.push_back(5 + 2 * a.back() - 3 * b.back() + noise());
    times.push_back(i);
  }
  const Regression r = regress(y, {a, b}, time_blocks(times, 40));
  ASSERT_TRUE(r.known);
  EXPECT_NEAR(r.intercept, 5, 0.05);
  EXPECT_NEAR(r.slopes[0].value, 2, 0.02);
  EXPECT_NEAR(r.slopes[1].value, -3, 0.05);
  EXPECT_LT(r.slopes[0].ci95.lo, 2);
  EXPECT_GT(r.slopes[0].ci95.hi, 2);
  // A column that is another one twice cannot be told from it.
  std::vector<double> twice = a;
  for (double& v : twice) v *= 2;
  EXPECT_FALSE(regress(y, {a, twice}, time_blocks(times, 40)).known);
  EXPECT_FALSE(regress(std::vector<double>{1, 2}, {{1, 2}}, std::vector<uint32_t>{0, 1}).known);
}

// Neighbours that are alike: the interval must cover the truth nearly as often as it says.
TEST(Statistics, RobustIntervalsCover) {
  TestRandom random(11);
  auto uniform = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5; };
  int covered = 0;
  constexpr int kTrials = 300;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> y, x;
    std::vector<int64_t> times;
    double level = 0, regressor = 0;
    for (int i = 0; i < 300; ++i) {
      if (i % 10 == 0) {
        level = uniform();
        regressor = uniform();
      }
      x.push_back(regressor);
      y.push_back(level + 0.1 * uniform());  // the slope is 0
      times.push_back(i);
    }
    const Regression r = regress(y, {x}, time_blocks(times, 30));
    covered += r.known && r.slopes[0].ci95.lo <= 0 && r.slopes[0].ci95.hi >= 0;
  }
  EXPECT_GT(covered, kTrials * 90 / 100);
}

TEST(Statistics, ChangePoints) {
  TestRandom random(3);
  auto noise = [&] { return static_cast<double>(random.next() >> 11) * 0x1p-53 - 0.5; };
  std::vector<double> flat, step;
  for (int i = 0; i < 60; ++i) {
    flat.push_back(10 + noise());
    step.push_back((i < 25 ? 10 : 13) + noise());
  }
  EXPECT_TRUE(change_points(flat).empty());
  const auto found = change_points(step);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], 25u);
}

}  // namespace
}  // namespace cuzk::diagnosis
