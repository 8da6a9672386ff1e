#include "msm/buckets.hpp"

namespace cuzk::detail {

namespace {
size_t choose_window_bits(size_t expected) {
  size_t best = 2;
  double best_cost = 0;
  for (size_t bits = 2; bits <= 14; ++bits) {
    auto windows = static_cast<double>(255 / bits + 1);
    double cost =
        windows * (static_cast<double>(expected) + 2.5 * static_cast<double>(size_t{1} << (bits - 1)));
    if (bits == 2 || cost < best_cost) best = bits, best_cost = cost;
  }
  return best;
}
}  // namespace

template <class G>
BucketSum<G>::BucketSum(size_t expected, size_t window_bits)
    : window_bits_(window_bits == 0 ? choose_window_bits(expected) : window_bits),
      windows_(255 / window_bits_ + 1),
      window_buckets_(size_t{1} << (window_bits_ - 1)),
      buckets_(windows_ * window_buckets_, Sum::infinity()) {}

template <class G>
void BucketSum<G>::add(std::span<const Point> points, std::span<const BigInt<4>> scalars,
                       Executor& executor) {
  executor.run(windows_, [&](size_t window) {
    Sum* buckets = buckets_.data() + window * window_buckets_;
    for (size_t i = 0; i < points.size(); ++i) {
      int32_t digit = signed_digit(scalars[i], window, window_bits_);
      if (digit > 0) buckets[digit - 1] += points[i];
      if (digit < 0) buckets[-digit - 1] += -points[i];
    }
  });
}

template <class G>
typename G::Sum BucketSum<G>::finish(Executor& executor) const {
  std::vector<Sum> window_sums(windows_);
  executor.run(windows_, [&](size_t window) {
    const Sum* buckets = buckets_.data() + window * window_buckets_;
    Sum running = Sum::infinity(), total = Sum::infinity();
    for (size_t i = window_buckets_; i-- > 0;) {
      running += buckets[i];
      total += running;
    }
    window_sums[window] = total;
  });
  Sum sum = Sum::infinity();
  for (size_t window = windows_; window-- > 0;) {
    for (size_t i = 0; i < window_bits_; ++i) sum = sum.doubled();
    sum += window_sums[window];
  }
  return sum;
}

template class BucketSum<G1>;
template class BucketSum<G2>;

}  // namespace cuzk::detail
