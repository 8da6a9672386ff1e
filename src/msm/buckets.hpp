// The bucket method (Pippenger) on full-width scalars. Internal to msm.
//
// A scalar is split along the endomorphisms (G1: two parts of 127 bits, G2: four of 63) and the parts cut
// into signed digits; for every window the points with digit d are summed in bucket d, and the sum over d of
// d·bucket is a running sum. Points are staged a chunk at a time; then, for every window, sorted by bucket
// and added pairwise, bucket by bucket, until each bucket is one affine point again. All additions of a round
// share an inversion (batch_affine.hpp).
#pragma once

#include <atomic>
#include <vector>

#include "base/executor.hpp"
#include "msm/huge_array.hpp"
#include "msm/kernel.hpp"
#include "msm/recode.hpp"
#include "msm/scratch_pool.hpp"

namespace cuzk::detail {

// The number of windows that should make `scalars` full-width scalars cheapest: additions into buckets and,
// at two a bucket, their reduction. At most kMaxWindowBits wide.
template <class G>
size_t choose_windows(size_t scalars);

template <class G>
class BucketSum {
 public:
  using Point = typename G::Point;
  using Sum = typename G::Sum;
  using F = typename G::Field;

  // Pairs that fit between two flushes: points staged take 6 MiB in G1 and 12 in G2, buckets at most 24.
  // Twice as many in G1 cost more in memory first touched than they save in additions
  // (docs/performance/msm.md).
  static constexpr size_t kCapacity = size_t{1} << (Split<G>::kParts == 2 ? 15 : 14);

  // scalars: about how many will come in all. capacity: how many may be staged, at most kCapacity. windows: 0
  // chooses.
  // kernels: as in BatchAdder.
  BucketSum(const SimdAddKernels* kernels, size_t scalars, size_t capacity, size_t windows = 0);

  // Pairs that still fit.
  size_t room() const { return capacity_ - staged_.load(std::memory_order_relaxed); }

  // Stages pairs of finite points and scalars below r; at most room(). Several threads may do so at once.
  void stage(std::span<const Point> points, std::span<const BigInt<4>> scalars);

  // Adds what is staged to the buckets.
  void flush(Executor& executor);

  // The sum of everything that was flushed.
  Sum finish(Executor& executor) const;

 private:
  static constexpr size_t kParts = Split<G>::kParts;

  struct Scratch {
    explicit Scratch(const SimdAddKernels* kernels) : adder(kernels) {}
    BatchAdder<G> adder;
    std::vector<AddJob<F>> jobs;
    std::vector<SignedRef<F>> elements;
    std::vector<Point> sums;
    struct Run {
      Point* bucket;
      uint32_t size;
    };
    std::vector<Run> runs;
  };

  // Of the staged points sorted by bucket: where those of each bucket of the window start.
  uint32_t* sorted_begin(size_t window) { return &sorted_begin_[bucket_begin_[window] + 2 * window]; }
  void sort_digits(size_t window);
  void fill_buckets(Scratch& scratch, size_t window, size_t first, size_t last);
  void add_runs(Scratch& scratch);
  Sum window_sum(size_t window, std::span<const Point> running, std::span<const Point> weighted) const;

  const SimdAddKernels* kernels_;
  Windows windows_;
  size_t capacity_;
  size_t group_;                      // elements that go through the rounds of additions together
  std::vector<size_t> bucket_begin_;  // of each window
  HugeArray<Point> buckets_;
  // Staged: kParts points for each pair; their digits, window by window; indices sorted by digit, likewise.
  HugeArray<Point> points_;
  HugeArray<DigitCode> codes_;
  HugeArray<uint32_t> sorted_;
  std::vector<uint32_t> sorted_begin_;
  std::atomic<size_t> staged_{0};
  ScratchPool<Scratch> scratch_;
};

}  // namespace cuzk::detail
