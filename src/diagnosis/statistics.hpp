// The statistics of the analysis: means with intervals, straight lines with robust errors, change points.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace cuzk::diagnosis {

struct Interval {
  double lo = 0, hi = 0;
};

double mean(std::span<const double> values);
// Of the sample (n - 1); 0 for fewer than two.
double variance(std::span<const double> values);
// By linear interpolation between order statistics; q from 0 to 1. NaN when empty.
double quantile(std::vector<double> values, double q);
double median(std::vector<double> values);
// Median of the distances from the median, scaled to the standard deviation of a normal distribution.
double mad_sigma(const std::vector<double>& values);

// P(T <= t) and its inverse for Student's distribution. df > 0, p in (0, 1).
double student_cdf(double t, double df);
double student_quantile(double p, double df);

// A difference of two means (b - a) with its 95 % interval: Welch's.
struct Difference {
  double value = 0;
  Interval ci95;
  bool known = false;  // both sides have at least two values
};
Difference welch(std::span<const double> a, std::span<const double> b);
// The mean with its 95 % interval.
Difference mean_interval(std::span<const double> values);

// Least squares y = b0 + b1 x1 + … with errors that hold when neighbours in time are alike: values of one
// cluster count as one (cluster-robust, small-sample corrected; t with clusters - 1 degrees of freedom).
struct Regression {
  struct Coefficient {
    double value = 0, error = 0;
    Interval ci95;
  };
  bool known = false;  // enough values, enough clusters, and columns that are not combinations of others
  double intercept = 0;
  std::vector<Coefficient> slopes;  // one a column
};
// columns[k][i]: the k-th regressor's value of observation i. cluster[i]: any numbers.
Regression regress(std::span<const double> y, const std::vector<std::vector<double>>& columns,
                   std::span<const uint32_t> cluster);

// Numbers observations in time by equal counts: cluster ids 0 … clusters - 1.
std::vector<uint32_t> time_blocks(std::span<const int64_t> times, size_t clusters);

// Indices at which the level of a series changes: binary segmentation, each change larger than what noise
// of the size of neighbours' differences makes likely. At most `most`, ascending.
std::vector<size_t> change_points(std::span<const double> values, size_t most = 5);

}  // namespace cuzk::diagnosis
