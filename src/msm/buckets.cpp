#include "msm/buckets.hpp"

#include "base/check.hpp"

namespace cuzk::detail {

namespace {

// Segments that a window's buckets are cut into for their reduction: about the square root of their number, a
// power of two. More would be more additions at the end, fewer smaller batches.
constexpr size_t segment_count(size_t buckets) {
  size_t count = 1;
  while (2 * count * 2 * count <= buckets) count *= 2;
  return count;
}

}  // namespace

template <class G>
size_t choose_windows(size_t scalars) {
  constexpr size_t kBits = Split<G>::kBits, kParts = Split<G>::kParts;
  size_t best = 0;
  double best_cost = 0;
  for (size_t count = kBits / kMaxWindowBits; count <= kBits / 2; ++count) {
    Windows windows{count, kBits};
    double cost = 0;
    for (size_t i = 0; i < count; ++i)
      cost += static_cast<double>(scalars * kParts) + 2.2 * static_cast<double>(windows.buckets(i)) + 20;
    if (best == 0 || cost < best_cost) best = count, best_cost = cost;
  }
  return best;
}

template <class G>
BucketSum<G>::BucketSum(const SimdAddKernels* kernels, size_t scalars, size_t capacity, size_t windows)
    : kernels_(kernels),
      windows_{windows == 0 ? choose_windows<G>(scalars) : windows, Split<G>::kBits},
      capacity_(capacity),
      group_(2 * BatchAdder<G>::good_batch(kernels)) {
  CUZK_CHECK(capacity_ <= kCapacity && windows_.count <= windows_.bits &&
             windows_.width(0) <= kMaxWindowBits);
  size_t buckets = 0;
  for (size_t i = 0; i < windows_.count; ++i) {
    bucket_begin_.push_back(buckets);
    buckets += windows_.buckets(i);
  }
  buckets_ = HugeArray<Point>(buckets);
  std::fill_n(buckets_.data(), buckets, Point::infinity());
  points_ = HugeArray<Point>(capacity_ * kParts);
  codes_ = HugeArray<DigitCode>(capacity_ * kParts * windows_.count);
  sorted_ = HugeArray<uint32_t>(codes_.size());
  sorted_begin_.resize(buckets + 2 * windows_.count);
}

template <class G>
void BucketSum<G>::stage(std::span<const Point> points, std::span<const BigInt<4>> scalars) {
  size_t at = staged_.fetch_add(points.size(), std::memory_order_relaxed);
  CUZK_CHECK(at + points.size() <= capacity_ && points.size() == scalars.size());
  for (size_t i = 0; i < points.size(); ++i, ++at) {
    auto parts = Split<G>::decompose(scalars[i]);
    Point* expanded = &points_[at * kParts];
    Split<G>::expand(points[i], expanded);
    for (size_t j = 0; j < kParts; ++j) {
      if (parts[j].negative) expanded[j].y = -expanded[j].y;
      write_digits<G>(parts[j], windows_, &codes_[at * kParts + j], capacity_ * kParts);
    }
  }
}

template <class G>
void BucketSum<G>::flush(Executor& executor) {
  executor.run(windows_.count, [&](size_t window) { sort_digits(window); });
  // Windows are cut into ranges of buckets with about as many additions each: many more tasks than threads,
  // so that all end at about the same time, but none too small.
  size_t threads = executor.concurrency(), cuts = 1;
  if (threads > 1) {
    cuts = (16 * threads + windows_.count - 1) / windows_.count;
    cuts = std::max<size_t>(1, std::min(cuts, staged_ * kParts / 4096));
  }
  executor.run(windows_.count * cuts, [&](size_t task) {
    typename ScratchPool<Scratch>::Lease scratch(scratch_, kernels_);
    size_t window = task / cuts, cut = task % cuts;
    const uint32_t* begin = sorted_begin(window);
    const uint32_t* end = begin + windows_.buckets(window);
    // The first bucket that starts at or beyond a share of the additions.
    auto first_of = [&](size_t share) {
      auto target = static_cast<uint32_t>(size_t{*end} * share / cuts);
      return static_cast<size_t>(std::lower_bound(begin, end, target) - begin);
    };
    fill_buckets(*scratch, window, first_of(cut),
                 cut + 1 == cuts ? windows_.buckets(window) : first_of(cut + 1));
  });
  staged_ = 0;
}

// Counting sort of the staged points: those with a digit for bucket b are at sorted_begin(window)[b] … [b +
// 1] of the window's part of sorted_, each as 2·index + sign.
template <class G>
void BucketSum<G>::sort_digits(size_t window) {
  const DigitCode* codes = &codes_[window * capacity_ * kParts];
  uint32_t* sorted = &sorted_[window * capacity_ * kParts];
  const size_t count = staged_.load(std::memory_order_relaxed) * kParts, size = windows_.buckets(window);
  uint32_t* begin = sorted_begin(window);
  std::fill_n(begin, size + 2, 0);
  uint32_t* next = begin + 1;  // one place up, so that begin[b] ends as the start of bucket b
  for (size_t i = 0; i < count; ++i)
    if (codes[i] != kNoDigit) ++next[(codes[i] & 0x7fffu) + 1];
  for (size_t b = 1; b <= size; ++b) next[b] += next[b - 1];
  for (size_t i = 0; i < count; ++i)
    if (codes[i] != kNoDigit)
      sorted[next[codes[i] & 0x7fffu]++] = static_cast<uint32_t>(2 * i | codes[i] >> 15);
}

template <class G>
void BucketSum<G>::fill_buckets(Scratch& scratch, size_t window, size_t first, size_t last) {
  Point* buckets = &buckets_[bucket_begin_[window]];
  const uint32_t* sorted = &sorted_[window * capacity_ * kParts];
  const uint32_t* begin = sorted_begin(window);
  for (size_t bucket = first; bucket < last; ++bucket) {
    size_t next = begin[bucket], end = begin[bucket + 1];
    // A run longer than a group goes into its bucket piece by piece.
    while (next < end) {
      size_t take = std::min(end - next, group_ - scratch.elements.size());
      auto run = static_cast<uint32_t>(take);
      for (; take > 0; --take, ++next)
        scratch.elements.push_back({&points_[sorted[next] / 2], (sorted[next] & 1) != 0});
      if (!buckets[bucket].is_infinity()) scratch.elements.push_back({&buckets[bucket]}), ++run;
      scratch.runs.push_back({&buckets[bucket], run});
      if (scratch.elements.size() >= group_) add_runs(scratch);
    }
  }
  add_runs(scratch);
}

// Rounds of pairwise additions inside each run until one point is left of it, which becomes its bucket.
template <class G>
void BucketSum<G>::add_runs(Scratch& scratch) {
  // Every addition but the last of a run leaves a point in `sums`.
  if (scratch.sums.size() < group_ + 1) scratch.sums.resize(group_ + 1);
  Point* free_sum = scratch.sums.data();
  while (!scratch.runs.empty()) {
    scratch.jobs.clear();
    size_t runs = 0, read = 0, write = 0;
    auto& elements = scratch.elements;
    for (const auto& run : scratch.runs) {
      if (run.size == 1) {
        *run.bucket = elements[read++].value();
        continue;
      }
      if (run.size == 2) {
        scratch.jobs.push_back({elements[read], elements[read + 1], run.bucket});
        read += 2;
        continue;
      }
      for (size_t i = 0; i < run.size / 2; ++i, read += 2) {
        scratch.jobs.push_back({elements[read], elements[read + 1], free_sum});
        elements[write++] = {free_sum++};
      }
      if (run.size % 2 != 0) elements[write++] = elements[read++];
      scratch.runs[runs++] = {run.bucket, (run.size + 1) / 2};
    }
    scratch.adder.run(scratch.jobs);
    scratch.runs.resize(runs);
    elements.resize(write);
  }
  scratch.elements.clear();
}

// For every segment of buckets B_0 … B_(n-1): the sums of B_t and of t·B_t, by going down from the top with
// running = Σ B and weighted = Σ running. All segments of a task step together, in one batch.
template <class G>
typename G::Sum BucketSum<G>::finish(Executor& executor) const {
  struct Lane {
    const Point* buckets;
    size_t size;
  };
  std::vector<Lane> lanes;  // longest first, because wide windows come first
  for (size_t window = 0; window < windows_.count; ++window) {
    size_t segments = segment_count(windows_.buckets(window)), size = windows_.buckets(window) / segments;
    for (size_t i = 0; i < segments; ++i)
      lanes.push_back({&buckets_[bucket_begin_[window] + i * size], size});
  }
  std::vector<Point> running(lanes.size(), Point::infinity()), weighted = running;
  size_t tasks = std::min(executor.concurrency() == 1 ? 1 : 2 * executor.concurrency(), lanes.size());
  executor.run(tasks, [&](size_t task) {
    Range range = split_range(lanes.size(), tasks, task);
    BatchAdder<G> adder(kernels_);
    std::vector<AddJob<F>> jobs;
    std::vector<Point> before(range.size());
    for (size_t step = lanes[range.begin].size; step-- > 0;) {
      jobs.clear();
      for (size_t i = range.begin; i < range.end && lanes[i].size > step; ++i) {
        Point& previous = before[i - range.begin];
        previous = running[i];
        jobs.push_back({&weighted[i], &previous, &weighted[i]});
        jobs.push_back({&running[i], &lanes[i].buckets[step], &running[i]});
      }
      adder.run(jobs);
    }
  });

  std::vector<Sum> sums(windows_.count);
  std::vector<size_t> lane_begin(windows_.count, 0);
  for (size_t i = 1; i < windows_.count; ++i)
    lane_begin[i] = lane_begin[i - 1] + segment_count(windows_.buckets(i - 1));
  executor.run(windows_.count, [&](size_t window) {
    size_t segments = segment_count(windows_.buckets(window));
    sums[window] = window_sum(window, std::span(running).subspan(lane_begin[window], segments),
                              std::span(weighted).subspan(lane_begin[window], segments));
  });
  Sum sum = Sum::infinity();
  for (size_t window = windows_.count; window-- > 0;) {
    for (size_t i = 0; i < windows_.width(window); ++i) sum = sum.doubled();
    sum += sums[window];
  }
  return sum;
}

// Bucket t of segment s holds the points with digit s·size + t + 1: the window's sum is
// Σ weighted_s + Σ running_s + size · Σ s·running_s.
template <class G>
typename G::Sum BucketSum<G>::window_sum(size_t window, std::span<const Point> running,
                                         std::span<const Point> weighted) const {
  Sum total = Sum::infinity(), above = Sum::infinity(), by_segment = Sum::infinity();
  for (size_t s = running.size(); s-- > 0;) {
    total += weighted[s];
    by_segment += above;
    above += running[s];
  }
  for (size_t size = windows_.buckets(window) / running.size(); size > 1; size /= 2)
    by_segment = by_segment.doubled();
  return total + above + by_segment;
}

template size_t choose_windows<G1>(size_t);
template size_t choose_windows<G2>(size_t);
template class BucketSum<G1>;
template class BucketSum<G2>;

}  // namespace cuzk::detail
