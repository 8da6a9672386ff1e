#include "msm/subgroup_batch.hpp"

#include <algorithm>
#include <numeric>

#include "curve/subgroup.hpp"
#include "msm/kernel.hpp"

namespace cuzk {
namespace detail {
namespace {

// Sums of points by bucket, in rounds of pairwise additions that share inversions.
template <class G>
class BucketAdder {
 public:
  using Point = typename G::Point;

  // sums[b]: of the points whose bucket is b; infinity of none.
  void run(std::span<const Point> points, std::span<const uint16_t> buckets, std::span<Point> sums) {
    sort(buckets, sums.size());
    // Groups of whole buckets, of about so many points that they stay in cache between the rounds.
    const size_t group = 2 * BatchAdder<G>::good_batch(BatchAdder<G>::active_kernels());
    for (size_t first = 0, last = 0; first < sums.size(); first = last) {
      while (last < sums.size() && (last == first || begin_[last + 1] - begin_[first] <= group)) ++last;
      add(points, first, last);
      for (size_t b = first; b < last; ++b)
        sums[b] = begin_[b] == begin_[b + 1] ? Point::infinity() : group_[begin_[b] - begin_[first]];
    }
  }

 private:
  static constexpr size_t kPrefetch = 16;
  static void prefetch(const Point& point) {
    const char* p = reinterpret_cast<const char*>(&point);
    for (size_t i = 0; i < sizeof(Point); i += 64) __builtin_prefetch(p + i);
  }

  // Counting sort: bucket b has the points order_[begin_[b]] … order_[begin_[b + 1] - 1].
  void sort(std::span<const uint16_t> buckets, size_t count) {
    begin_.assign(count + 2, 0);
    for (uint16_t b : buckets) ++begin_[b + 2u];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    order_.resize(buckets.size());
    for (size_t i = 0; i < buckets.size(); ++i) order_[begin_[buckets[i] + 1u]++] = static_cast<uint32_t>(i);
  }

  // Leaves the sum of bucket b, if it has points, in group_[begin_[b] - begin_[first]].
  void add(std::span<const Point> points, size_t first, size_t last) {
    group_.clear();
    for (size_t i = begin_[first]; i < begin_[last]; ++i) {
      if (i + kPrefetch < begin_[last]) prefetch(points[order_[i + kPrefetch]]);
      group_.push_back(points[order_[i]]);
    }
    sizes_.clear();
    for (size_t b = first; b < last; ++b) sizes_.push_back(begin_[b + 1] - begin_[b]);
    for (;;) {
      jobs_.clear();
      for (size_t b = first; b < last; ++b) {
        Point* run = group_.data() + (begin_[b] - begin_[first]);
        uint32_t& size = sizes_[b - first];
        // The upper half is added onto the lower one; an odd point in the middle stays.
        for (uint32_t i = 0; i < size / 2; ++i) jobs_.push_back({&run[i], &run[size - 1 - i], &run[i]});
        size -= size / 2;
      }
      if (jobs_.empty()) return;
      adder_.run(jobs_);
    }
  }

  BatchAdder<G> adder_;
  std::vector<uint32_t> begin_, order_, sizes_;
  std::vector<Point> group_;
  std::vector<AddJob<typename G::Field>> jobs_;
};

}  // namespace

template <class G>
bool passes(const BucketTest& test, std::span<const typename G::Point> points, RandomSource& random) {
  const size_t side = size_t{1} << test.bits, cells = side * side;
  std::vector<uint16_t> cell_of(points.size()), row(cells), column(cells);
  for (size_t cell = 0; cell < cells; ++cell) {
    row[cell] = static_cast<uint16_t>(cell / side);
    column[cell] = static_cast<uint16_t>(cell % side);
  }
  std::vector<typename G::Point> grid(cells), sums(side);
  BucketAdder<G> adder;
  for (size_t pass = 0; pass < test.passes; ++pass) {
    random.fill(MutableBytes(reinterpret_cast<uint8_t*>(cell_of.data()), 2 * cell_of.size()));
    for (uint16_t& cell : cell_of) cell = static_cast<uint16_t>(cell & (cells - 1));
    adder.run(points, cell_of, grid);
    for (const auto& buckets : {row, column}) {
      adder.run(grid, buckets, sums);
      for (const auto& sum : sums)
        if (!is_in_subgroup(sum)) return false;
    }
  }
  return true;
}

template bool passes<G1>(const BucketTest&, std::span<const G1Affine>, RandomSource&);
template bool passes<G2>(const BucketTest&, std::span<const G2Affine>, RandomSource&);

}  // namespace detail

namespace {

constexpr size_t kErrorBits = 80, kMaxBits = 7;

// The cheapest test of so many points, counted in batched additions; passes = 0 when it is cheapest to test
// them one by one.
template <class G>
detail::BucketTest choose_test(size_t points) {
  constexpr size_t kOne = std::is_same_v<G, G1> ? 250 : 140;  // is_in_subgroup, measured with AVX2
  detail::BucketTest best{0, 0};
  size_t least = points * kOne;
  for (size_t bits = 1; bits <= kMaxBits; ++bits) {
    const size_t side = size_t{1} << bits;
    const size_t passes = (kErrorBits + 2 * bits - 1) / (2 * bits);
    const size_t cost = passes * (points + 2 * side * side + 2 * side * kOne);
    if (cost >= least) continue;
    least = cost;
    best = {bits, passes};
  }
  return best;
}

template <class Point>
std::optional<size_t> first_outside_one_by_one(std::span<const Point> points) {
  for (size_t i = 0; i < points.size(); ++i)
    if (!is_in_subgroup(points[i])) return i;
  return std::nullopt;
}

}  // namespace

template <class G>
std::optional<size_t> first_outside_subgroup(std::span<const typename G::Point> points,
                                             RandomSource& random) {
  const detail::BucketTest test = choose_test<G>(points.size());
  if (test.passes == 0) return first_outside_one_by_one(points);
  if (detail::passes<G>(test, points, random)) return std::nullopt;
  const size_t half = points.size() / 2;
  if (auto found = first_outside_subgroup<G>(points.first(half), random)) return found;
  if (auto found = first_outside_subgroup<G>(points.subspan(half), random)) return half + *found;
  return first_outside_one_by_one(points);  // one of the halves was mistaken for good
}

template std::optional<size_t> first_outside_subgroup<G1>(std::span<const G1Affine>, RandomSource&);
template std::optional<size_t> first_outside_subgroup<G2>(std::span<const G2Affine>, RandomSource&);

}  // namespace cuzk
