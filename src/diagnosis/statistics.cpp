#include "diagnosis/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace cuzk::diagnosis {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The regularised incomplete beta function by its continued fraction (Abramowitz and Stegun 26.5.8, in
// Lentz's form).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;
  double c = 1, d = 1 - (a + b) * x / (a + 1);
  d = 1 / (std::abs(d) < kTiny ? kTiny : d);
  double result = d;
  for (int m = 1; m < 400; ++m) {
    auto step = [&](double numerator) {
      d = 1 + numerator * d;
      c = 1 + numerator / c;
      d = 1 / (std::abs(d) < kTiny ? kTiny : d);
      c = std::abs(c) < kTiny ? kTiny : c;
      result *= c * d;
      return c * d;
    };
    step(m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)));
    if (std::abs(step(-(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))) - 1) < 1e-14) break;
  }
  return result;
}

double incomplete_beta(double a, double b, double x) {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  double front =
      std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
  if (x < (a + 1) / (a + b + 2)) return front * beta_fraction(a, b, x) / a;
  return 1 - front * beta_fraction(b, a, 1 - x) / b;
}

// Solves a·x = b for several right sides by Gauss-Jordan with pivots; a becomes its inverse. False if a is
// singular to working precision.
bool invert(std::vector<std::vector<double>>& a) {
  const size_t n = a.size();
  std::vector<std::vector<double>> inverse(n, std::vector<double>(n, 0.0));
  std::vector<double> size(n);
  for (size_t i = 0; i < n; ++i) {
    inverse[i][i] = 1;
    size[i] = std::abs(a[i][i]);
  }
  for (size_t k = 0; k < n; ++k) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; ++i)
      if (std::abs(a[i][k]) > std::abs(a[pivot][k])) pivot = i;
    if (!(std::abs(a[pivot][k]) > 1e-9 * std::max(size[k], 1e-300))) return false;
    std::swap(a[k], a[pivot]);
    std::swap(inverse[k], inverse[pivot]);
    const double by = 1 / a[k][k];
    for (size_t j = 0; j < n; ++j) {
      a[k][j] *= by;
      inverse[k][j] *= by;
    }
    for (size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double f = a[i][k];
      for (size_t j = 0; j < n; ++j) {
        a[i][j] -= f * a[k][j];
        inverse[i][j] -= f * inverse[k][j];
      }
    }
  }
  a = std::move(inverse);
  return true;
}

Interval around(double value, double error, double df) {
  const double t = student_quantile(0.975, df) * error;
  return {value - t, value + t};
}

}  // namespace

double mean(std::span<const double> values) {
  if (values.empty()) return kNan;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double variance(std::span<const double> values) {
  if (values.size() < 2) return 0;
  const double m = mean(values);
  double sum = 0;
  for (double v : values) sum += (v - m) * (v - m);
  return sum / static_cast<double>(values.size() - 1);
}

double quantile(std::vector<double> values, double q) {
  if (values.empty()) return kNan;
  const double place = q * static_cast<double>(values.size() - 1);
  const size_t low = static_cast<size_t>(place);
  auto at = values.begin() + static_cast<std::ptrdiff_t>(low);
  std::nth_element(values.begin(), at, values.end());
  const double below = *at;
  if (low + 1 >= values.size()) return below;
  const double above = *std::min_element(at + 1, values.end());
  return below + (place - static_cast<double>(low)) * (above - below);
}

double median(std::vector<double> values) {
  return quantile(std::move(values), 0.5);
}

double mad_sigma(const std::vector<double>& values) {
  const double m = median(values);
  std::vector<double> distances;
  distances.reserve(values.size());
  for (double v : values) distances.push_back(std::abs(v - m));
  return 1.4826 * median(std::move(distances));
}

double student_cdf(double t, double df) {
  const double tail = 0.5 * incomplete_beta(df / 2, 0.5, df / (df + t * t));
  return t > 0 ? 1 - tail : tail;
}

double student_quantile(double p, double df) {
  double lo = -1e6, hi = 1e6;
  for (int i = 0; i < 200 && hi - lo > 1e-12 * (1 + std::abs(lo)); ++i) {
    const double middle = (lo + hi) / 2;
    (student_cdf(middle, df) < p ? lo : hi) = middle;
  }
  return (lo + hi) / 2;
}

Difference welch(std::span<const double> a, std::span<const double> b) {
  Difference out;
  if (a.size() < 2 || b.size() < 2) return out;
  const double na = static_cast<double>(a.size()), nb = static_cast<double>(b.size());
  const double va = variance(a) / na, vb = variance(b) / nb, error = std::sqrt(va + vb);
  out.value = mean(b) - mean(a);
  out.known = true;
  if (!(error > 0)) {
    out.ci95 = {out.value, out.value};
    return out;
  }
  const double df = (va + vb) * (va + vb) / (va * va / (na - 1) + vb * vb / (nb - 1));
  out.ci95 = around(out.value, error, df);
  return out;
}

Difference mean_interval(std::span<const double> values) {
  Difference out;
  if (values.size() < 2) return out;
  const double n = static_cast<double>(values.size());
  out.value = mean(values);
  out.ci95 = around(out.value, std::sqrt(variance(values) / n), n - 1);
  out.known = true;
  return out;
}

Regression regress(std::span<const double> y, const std::vector<std::vector<double>>& columns,
                   std::span<const uint32_t> cluster) {
  Regression out;
  const size_t n = y.size(), p = columns.size() + 1;
  if (n < p + 3) return out;
  // Columns are centred, so that large offsets cost no precision.
  std::vector<double> centre(p, 0.0);
  for (size_t k = 1; k < p; ++k) centre[k] = mean(columns[k - 1]);
  auto x = [&](size_t k, size_t i) { return k == 0 ? 1.0 : columns[k - 1][i] - centre[k]; };
  std::vector<std::vector<double>> xtx(p, std::vector<double>(p, 0.0));
  std::vector<double> xty(p, 0.0);
  for (size_t i = 0; i < n; ++i)
    for (size_t k = 0; k < p; ++k) {
      xty[k] += x(k, i) * y[i];
      for (size_t l = 0; l < p; ++l) xtx[k][l] += x(k, i) * x(l, i);
    }
  if (!invert(xtx)) return out;
  std::vector<double> beta(p, 0.0);
  for (size_t k = 0; k < p; ++k)
    for (size_t l = 0; l < p; ++l) beta[k] += xtx[k][l] * xty[l];
  // The sum over clusters of (X'u)(X'u)'.
  std::unordered_map<uint32_t, std::vector<double>> scores;
  for (size_t i = 0; i < n; ++i) {
    double residual = y[i];
    for (size_t k = 0; k < p; ++k) residual -= beta[k] * x(k, i);
    auto& score = scores.try_emplace(cluster[i], p, 0.0).first->second;
    for (size_t k = 0; k < p; ++k) score[k] += residual * x(k, i);
  }
  const double clusters = static_cast<double>(scores.size());
  if (scores.size() < p + 2) return out;
  const double correction =
      clusters / (clusters - 1) * static_cast<double>(n - 1) / static_cast<double>(n - p);
  for (size_t k = 1; k < p; ++k) {
    double sum = 0;
    for (const auto& [id, score] : scores) {
      double part = 0;
      for (size_t l = 0; l < p; ++l) part += xtx[k][l] * score[l];
      sum += part * part;
    }
    Regression::Coefficient c{beta[k], std::sqrt(sum * correction), {}};
    c.ci95 = around(c.value, c.error, clusters - 1);
    out.slopes.push_back(c);
  }
  out.intercept = beta[0];
  for (size_t k = 1; k < p; ++k) out.intercept -= beta[k] * centre[k];
  out.known = true;
  return out;
}

std::vector<uint32_t> time_blocks(std::span<const int64_t> times, size_t clusters) {
  std::vector<uint32_t> out(times.size());
  if (times.empty()) return out;
  std::vector<size_t> order(times.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return times[a] < times[b]; });
  for (size_t i = 0; i < order.size(); ++i)
    out[order[i]] = static_cast<uint32_t>(i * std::max<size_t>(clusters, 1) / order.size());
  return out;
}

namespace {

// The best place to split [begin, end) in two levels, and how much that lowers the sum of squares.
std::pair<size_t, double> best_split(const std::vector<double>& sums, size_t begin, size_t end) {
  constexpr size_t kLeast = 5;
  std::pair<size_t, double> best{begin, 0};
  const double total = sums[end] - sums[begin], n = static_cast<double>(end - begin);
  for (size_t at = begin + kLeast; at + kLeast <= end; ++at) {
    const double left = sums[at] - sums[begin], nl = static_cast<double>(at - begin), nr = n - nl;
    const double gain = left * left / nl + (total - left) * (total - left) / nr - total * total / n;
    if (gain > best.second) best = {at, gain};
  }
  return best;
}

}  // namespace

std::vector<size_t> change_points(std::span<const double> values, size_t most) {
  std::vector<size_t> out;
  if (values.size() < 12) return out;
  std::vector<double> steps, sums(values.size() + 1, 0.0);
  const double m = mean(values);
  for (size_t i = 0; i < values.size(); ++i) {
    sums[i + 1] = sums[i] + values[i] - m;
    if (i > 0) steps.push_back((values[i] - values[i - 1]) / std::sqrt(2.0));
  }
  const double noise = std::max(mad_sigma(steps), std::sqrt(variance(steps)) / 2);
  // The largest of n such gains of pure noise is about 2 log n times its variance.
  const double needed = 4 * std::log(static_cast<double>(values.size())) * noise * noise;
  std::vector<std::pair<size_t, size_t>> open{{0, values.size()}};
  while (!open.empty() && out.size() < most) {
    size_t widest = 0;
    std::pair<size_t, double> best{0, 0};
    for (size_t i = 0; i < open.size(); ++i) {
      auto split = best_split(sums, open[i].first, open[i].second);
      if (split.second > best.second) {
        best = split;
        widest = i;
      }
    }
    if (!(best.second > needed) || best.second <= 0) break;
    out.push_back(best.first);
    auto [begin, end] = open[widest];
    open[widest] = {begin, best.first};
    open.emplace_back(best.first, end);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace cuzk::diagnosis
