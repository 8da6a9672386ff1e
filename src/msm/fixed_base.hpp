// Fixed-base multiplication: many multiples of one point, from a table of its small multiples.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "base/executor.hpp"
#include "base/result.hpp"
#include "curve/point.hpp"
#include "msm/huge_array.hpp"

namespace cuzk {

// A table of d·2^(w·i)·base for every window i of w bits and digit d = 1 … 2^(w-1); digits are signed. A
// multiple is then one addition a window; additions of many scalars share an inversion.
template <class G>
class FixedBase {
 public:
  using Point = typename G::Point;

  // Widest window a table may have: 16 bits are 50 MiB for G1, 100 MiB for G2.
  static constexpr size_t kMaxWindowBits = 16;

  // The window that makes table and `count` multiplications together cheapest, 2 to kMaxWindowBits.
  static size_t choose_window_bits(size_t count);

  // Builds the table for about `count` multiplications. base: in the subgroup or infinity.
  // window_bits: 0 chooses; otherwise 2 to kMaxWindowBits (for tests).
  FixedBase(const Point& base, size_t count, Executor& executor, size_t window_bits = 0);

  // out[i] = scalars[i] · base, affine. As many of one as of the other.
  void multiply(std::span<const Fr> scalars, std::span<Point> out, Executor& executor) const;

  // The same in order, `chunk` results at a time, for lists too long to hold: sink(first index, results).
  // Stops at the sink's first error and returns it. The sink runs on the caller's thread.
  Status multiply(std::span<const Fr> scalars, size_t chunk, Executor& executor,
                  const std::function<Status(size_t, std::span<const Point>)>& sink) const;

  size_t window_bits() const { return window_bits_; }

 private:
  struct Scratch;
  void multiply_batch(std::span<const Fr> scalars, std::span<Point> out, Scratch& scratch) const;

  size_t window_bits_, windows_;
  size_t window_size_;              // entries a window: 2^(w-1)
  detail::HugeArray<Point> table_;  // window by window
};

extern template class FixedBase<G1>;
extern template class FixedBase<G2>;

}  // namespace cuzk
