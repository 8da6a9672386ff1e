// The last step of a multi-scalar multiplication, on the host: from the windows' sums to the result.
#pragma once

#include "curve/point.hpp"
#include "device/cuda/msm.hpp"

namespace cuzk::gpu {

// About 255 doublings: 0.1 ms for G1.
template <class G>
typename G::Sum combine_msm(const MsmParts& parts) {
  using Sum = typename G::Sum;
  const auto* sums = static_cast<const Sum*>(parts.window_sums);
  Sum total = Sum::infinity();
  for (size_t w = parts.positions.size(); w-- > 0;) {
    total += sums[w];
    size_t below = w == 0 ? 0 : parts.positions[w - 1];
    for (size_t i = parts.positions[w]; i > below; --i) total = total.doubled();
  }
  return total + *static_cast<const Sum*>(parts.ones);
}

}  // namespace cuzk::gpu
