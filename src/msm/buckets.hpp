// The bucket method (Pippenger) on full-width scalars. Internal to msm.
#pragma once

#include <vector>

#include "base/executor.hpp"
#include "msm/batch_affine.hpp"

namespace cuzk::detail {

// Takes (point, scalar) in portions and keeps the sum in buckets: one for each window of the scalar and
// digit.
template <class G>
class BucketSum {
 public:
  using Point = typename G::Point;
  using Sum = typename G::Sum;

  // expected: about how many pairs will come. window_bits: 0 chooses.
  explicit BucketSum(size_t expected, size_t window_bits = 0);

  void add(std::span<const Point> points, std::span<const BigInt<4>> scalars, Executor& executor);
  Sum finish(Executor& executor) const;

 private:
  size_t window_bits_, windows_, window_buckets_;
  std::vector<Sum> buckets_;
};

// Signed digit `index` of a scalar below 2^255 in windows of `bits`: in [-2^(bits-1), 2^(bits-1)]. The carry
// of the digits below is found from the bit below the window.
inline int32_t signed_digit(const BigInt<4>& scalar, size_t index, size_t bits) {
  auto digit = static_cast<int32_t>(scalar.bits(index * bits, bits));
  if (index > 0) digit += static_cast<int32_t>(scalar.bits(index * bits - 1, 1));
  int32_t top = static_cast<int32_t>(scalar.bits((index + 1) * bits - 1, 1));
  return digit - (top << bits);
}

}  // namespace cuzk::detail
