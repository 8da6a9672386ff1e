// The order of the kernels of msm_kernels.hpp, over either group's coordinates. Included by msm_g1.cu and
// msm_g2.cu and, for the emulator, msm_g1_emulated.cpp and msm_g2_emulated.cpp.
#pragma once

#include <algorithm>
#include <bit>

#include "base/check.hpp"
#include "device/cuda/arena.hpp"
#include "device/cuda/msm.hpp"
#include "device/cuda/msm_kernels.hpp"
#include "device/cuda/msm_launch.hpp"
#include "device/cuda/primitives.hpp"

namespace cuzk::gpu {

namespace detail {

inline constexpr uint32_t kHeadGroup = 4;          // heads that one thread of merge_heads handles
inline constexpr uint32_t kResidentThreads = 384;  // of sum_segments on a multiprocessor
inline constexpr uint32_t kPairThreads = 512;      // of add_pairs on a multiprocessor
inline constexpr uint32_t kSumGroup = 512;

inline Windows make_windows(uint32_t count) {
  uint32_t width = (kDigitBits + count - 1) / count;
  return {count, width, kDigitBits - count * (width - 1)};
}

// Sizes of everything for one group of windows.
struct GroupShape {
  size_t entries, buckets;
  uint32_t rounds;
};

// Entries left after adding in pairs: half of each bucket, rounded up.
inline size_t halved(size_t entries, size_t buckets) {
  return (entries + std::min(entries, buckets) + 1) / 2;
}

inline size_t entries_after(const GroupShape& g, uint32_t rounds) {
  size_t e = g.entries;
  for (uint32_t i = 0; i < rounds; ++i) e = halved(e, g.buckets);
  return e;
}

// Entries a thread of sum_segments takes: all resident threads busy, waves full.
inline uint32_t segment_length(size_t entries, unsigned multiprocessors, unsigned lanes) {
  size_t resident = size_t{multiprocessors} * kResidentThreads / lanes;
  size_t waves = (entries + 64 * resident - 1) / (64 * resident);
  size_t length = (entries + waves * resident - 1) / std::max<size_t>(1, waves * resident);
  return static_cast<uint32_t>(std::clamp<size_t>(length, 4, 64));
}

// At least the threads that segment_length gives for so many entries or fewer.
inline size_t segments_at_most(size_t entries, unsigned multiprocessors, unsigned lanes) {
  size_t resident = size_t{multiprocessors} * kResidentThreads / lanes;
  size_t waves = (entries + 64 * resident - 1) / (64 * resident);
  return std::min((entries + 3) / 4, waves * resident);
}

inline uint32_t chunk_length(size_t buckets, uint32_t per_window, unsigned multiprocessors, unsigned lanes) {
  size_t resident = size_t{multiprocessors} * 256 / lanes;
  uint32_t chunk = 4;
  while (chunk < 64 && chunk < per_window && buckets / (2 * chunk) >= resident) chunk *= 2;
  return std::min(chunk, per_window);
}

template <class F>
struct Buffers {
  Recoded* recoded;
  uint32_t *wide, *ones, *counts;
  DFp* window_sums;
  SortBuffers sort;
  void* temporary;
  size_t temporary_bytes;
  uint32_t *starts[2], *sizes, *next_keys[2];
  Pair* pairs;
  DFp *sums[2], *prefixes, *totals, *total_scratch;
  DFp *bucket_sums, *heads[2];
  uint32_t* head_keys[2];
  DFp* chunk_sums[2];
};

// Threads of one launch over pairs, and of the inversion of their products.
inline uint32_t pair_threads(size_t pairs, unsigned multiprocessors, unsigned lanes) {
  size_t most = size_t{multiprocessors} * kPairThreads / lanes;
  return static_cast<uint32_t>(std::clamp<size_t>(pairs / 8, 1, most));
}

template <class F>
void carve_group(Arena& arena, Buffers<F>& b, const GroupShape& g, unsigned multiprocessors,
                 size_t temporary_bytes) {
  constexpr size_t kPoint = GpuAffine<F>::kWords, kSum = GpuXyzz<F>::kWords;
  for (int i = 0; i < 2; ++i) {
    b.sort.keys[i] = arena.take<uint32_t>(g.entries);
    b.sort.values[i] = arena.take<uint32_t>(g.entries);
  }
  b.temporary = arena.take_bytes(temporary_bytes);
  b.temporary_bytes = temporary_bytes;
  if (g.rounds > 0) {
    size_t first = halved(g.entries, g.buckets), second = halved(first, g.buckets);
    for (int i = 0; i < 2; ++i) {
      b.starts[i] = arena.take<uint32_t>(g.buckets + 1);
      b.next_keys[i] = arena.take<uint32_t>(i == 0 ? first : second);
      b.sums[i] = arena.take<DFp>((i == 0 ? first : second) * kPoint);
    }
    b.sizes = arena.take<uint32_t>(g.buckets + 1);
    b.pairs = arena.take<Pair>(first);
    b.prefixes = arena.take<DFp>(first * F::kLanes);
    size_t threads = pair_threads(first, multiprocessors, F::kLanes);
    b.totals = arena.take<DFp>(threads * F::kLanes);
    b.total_scratch = arena.take<DFp>(threads * F::kLanes);
  }
  b.bucket_sums = arena.take<DFp>(g.buckets * kSum);
  size_t left = entries_after(g, g.rounds);
  size_t threads = segments_at_most(left, multiprocessors, F::kLanes);
  for (int i = 0; i < 2; ++i) {
    b.heads[i] = arena.take<DFp>((i == 0 ? threads : blocks_for(threads, kHeadGroup)) * kSum);
    b.head_keys[i] = arena.take<uint32_t>(i == 0 ? threads : blocks_for(threads, kHeadGroup));
    b.chunk_sums[i] = arena.take<DFp>((i == 0 ? g.buckets : blocks_for(g.buckets, 2)) * kSum / 4 + kSum);
  }
}

template <class F>
class MsmRun {
 public:
  MsmRun(Stream& stream, const MsmPlan& plan) : stream_(stream), plan_(plan) {}

  // Windows of a group: as many as fit, groups of even size.
  static uint32_t windows_per_group(uint32_t windows, size_t points, size_t most_entries) {
    size_t fit = std::max<size_t>(1, most_entries / std::max<size_t>(1, points));
    size_t groups = (windows + fit - 1) / fit;
    return static_cast<uint32_t>((windows + groups - 1) / groups);
  }

  static GroupShape group_shape(size_t points, const MsmTuning& tuning) {
    uint32_t windows = windows_per_group(tuning.windows, points, tuning.group_entries);
    return {windows * points, size_t{windows} * make_windows(tuning.windows).buckets(), tuning.rounds};
  }

  Status carve(Arena& arena, size_t points, const MsmTuning& tuning) {
    b_.recoded = arena.take<Recoded>(points);
    b_.wide = arena.take<uint32_t>(points);
    b_.ones = arena.take<uint32_t>(points);
    b_.counts = arena.take<uint32_t>(2);
    b_.window_sums = arena.take<DFp>((kDigitBits + 1) * GpuXyzz<F>::kWords);
    group_mark_ = arena.used();
    return carve_group_buffers(arena, group_shape(points, tuning));
  }

  Result<MsmParts> run(void* workspace, void* pinned, const MsmTerms& terms) {
    Arena arena(workspace);
    MsmTuning tuning = plan_.tuning;
    CUZK_TRY(carve(arena, plan_.points, tuning));
    points_ = static_cast<const DFp*>(terms.points);
    windows_ = make_windows(tuning.windows);
    uint32_t wide = static_cast<uint32_t>(terms.count), ones = 0;
    CUZK_TRY(stream_.fill(b_.window_sums, 0, (kDigitBits + 1) * kSumBytes));
    CUZK_TRY(stream_.fill(b_.counts, 0, 8));
    if (terms.bits != nullptr) {
      CUZK_TRY(launch(stream_, "list_bits", list_bits, blocks_for(wide, 256), 256, 0, terms.bits, wide,
                      b_.ones, b_.counts));
    } else {
      CUZK_TRY(recode(terms, tuning.split));
    }
    if (terms.bits != nullptr || tuning.split) {
      auto* counts = static_cast<uint32_t*>(pinned);
      CUZK_TRY(stream_.to_host(counts, b_.counts, 8));
      CUZK_TRY(stream_.wait());
      ones = counts[0];
      wide = counts[1];
      tuning = fitting(wide, tuning);
      CUZK_TRY(use_windows(tuning.windows, wide));
    }
    if (wide > 0) CUZK_TRY(add_windows(arena, tuning, wide));
    if (ones > 0) CUZK_TRY(add_ones(arena, ones));
    CUZK_TRY(stream_.to_host(pinned, b_.window_sums, (windows_.count + 1) * kSumBytes));
    CUZK_TRY(stream_.wait());
    MsmParts parts;
    parts.window_sums = pinned;
    for (uint32_t w = 0; w < windows_.count; ++w) parts.positions.push_back(windows_.position(w));
    parts.ones = static_cast<char*>(pinned) + windows_.count * kSumBytes;
    return parts;
  }

 private:
  static constexpr size_t kSumBytes = GpuXyzz<F>::kWords * sizeof(DFp);

  Status carve_group_buffers(Arena& arena, const GroupShape& g) {
    CUZK_ASSIGN(size_t temporary, sort_temporary_bytes(std::max(g.entries, g.buckets + 1)));
    carve_group(arena, b_, g, plan_.multiprocessors, temporary);
    return {};
  }

  // After zeros and ones are gone: the tuning for fewer points, if its buffers fit where the planned ones
  // were.
  MsmTuning fitting(size_t points, const MsmTuning& planned) const {
    MsmTuning better = tune_msm(points, plan_.g2);
    better.group_entries = planned.group_entries;
    Buffers<F> b;
    Arena small, large;
    carve_group(small, b, group_shape(points, better), plan_.multiprocessors, 0);
    carve_group(large, b, group_shape(plan_.points, planned), plan_.multiprocessors, 0);
    return small.bytes() <= large.bytes() ? better : planned;
  }

  static Recoded bias_of(const Windows& windows) {
    Recoded bias{};
    for (uint32_t w = 0; w < windows.count; ++w) {
      uint32_t bit = windows.position(w) + windows.bits(w) - 1;
      bias.w[bit / 32] |= 1u << (bit % 32);
    }
    return bias;
  }

  Status recode(const MsmTerms& terms, bool split) {
    auto count = static_cast<uint32_t>(terms.count);
    return launch(stream_, "recode_scalars", recode_scalars, blocks_for(count, 256), 256, 0,
                  static_cast<const DFr*>(terms.scalars), terms.select, count, bias_of(windows_), split,
                  b_.recoded, b_.wide, b_.ones, b_.counts);
  }

  Status use_windows(uint32_t windows, uint32_t count) {
    if (windows == windows_.count) return {};
    Recoded before = bias_of(windows_), difference;
    windows_ = make_windows(windows);
    Recoded after = bias_of(windows_);
    uint64_t borrow = 0;
    for (int i = 0; i < 8; ++i) {
      uint64_t d = uint64_t{after.w[i]} - before.w[i] - borrow;
      difference.w[i] = static_cast<uint32_t>(d);
      borrow = d >> 63;
    }
    return launch(stream_, "change_bias", change_bias, blocks_for(count, 256), 256, 0, b_.recoded, count,
                  difference);
  }

  Status add_windows(Arena& arena, const MsmTuning& tuning, uint32_t count) {
    bool split = plan_.tuning.split;
    GroupShape g = group_shape(count, tuning);
    arena.rewind(group_mark_);
    CUZK_TRY(carve_group_buffers(arena, g));
    CUZK_CHECK(arena.used() <= plan_.device_bytes);
    uint32_t per_group = static_cast<uint32_t>(g.entries / count);
    for (uint32_t first = 0; first < windows_.count; first += per_group) {
      uint32_t now = std::min(per_group, windows_.count - first);
      GroupShape shape{size_t{now} * count, size_t{now} * windows_.buckets(), tuning.rounds};
      auto dead = static_cast<uint32_t>(shape.buckets);
      b_.sort.now = 0;
      CUZK_TRY(launch(stream_, "extract_digits", extract_digits, blocks_for(count, 256), 256, 0, b_.recoded,
                      split ? b_.wide : nullptr, count, windows_, first, now, dead, b_.sort.keys[0],
                      b_.sort.values[0]));
      CUZK_TRY(sort_pairs(stream_, b_.sort, shape.entries, std::bit_width(dead), b_.temporary,
                          b_.temporary_bytes));
      CUZK_TRY(add_up_buckets(shape, b_.sort.keys[b_.sort.now], b_.sort.values[b_.sort.now]));
      CUZK_TRY(sum_windows(shape, now, b_.window_sums + first * GpuXyzz<F>::kWords));
    }
    return {};
  }

  // One bucket for all.
  Status add_ones(Arena& arena, uint32_t count) {
    GroupShape shape{count, 1, count >= (1u << 20) ? plan_.tuning.rounds : 0};
    arena.rewind(group_mark_);
    CUZK_TRY(carve_group_buffers(arena, shape));
    CUZK_CHECK(arena.used() <= plan_.device_bytes);
    CUZK_TRY(stream_.fill(b_.sort.keys[0], 0, shape.entries * 4));
    CUZK_TRY(add_up_buckets(shape, b_.sort.keys[0], b_.ones));
    return stream_.on_device(b_.window_sums + windows_.count * GpuXyzz<F>::kWords, b_.bucket_sums, kSumBytes);
  }

  // Sorted entries to one sum a bucket.
  Status add_up_buckets(const GroupShape& g, const uint32_t* keys, const uint32_t* values) {
    const DFp* points = points_;
    const uint32_t* total = nullptr;
    auto buckets = static_cast<uint32_t>(g.buckets);
    size_t left = g.entries;
    if (g.rounds > 0) {
      CUZK_TRY(launch(stream_, "find_starts", find_starts, blocks_for(g.buckets + 1, 256), 256, 0, keys,
                      static_cast<uint32_t>(g.entries), buckets, b_.starts[0]));
    }
    for (uint32_t round = 0; round < g.rounds; ++round) {
      int now = static_cast<int>(round % 2);
      CUZK_TRY(add_in_pairs(g, now, left, keys, values, points));
      keys = b_.next_keys[now];
      values = nullptr;
      points = b_.sums[now];
      total = b_.starts[1 - now] + g.buckets;
      left = halved(left, g.buckets);
    }
    CUZK_TRY(stream_.fill(b_.bucket_sums, 0, g.buckets * kSumBytes));
    uint32_t segment = segment_length(left, plan_.multiprocessors, F::kLanes);
    size_t threads = blocks_for(left, segment);
    CUZK_TRY(launch(stream_, "sum_segments", sum_segments<F, 128, 3>, blocks_for(threads * F::kLanes, 128),
                    128, 0, points, keys, values, total, static_cast<uint32_t>(left), segment, buckets,
                    b_.bucket_sums, b_.head_keys[0], b_.heads[0]));
    return merge(threads);
  }

  Status merge(size_t count) {
    for (int now = 0; count > 1; now = 1 - now) {
      size_t next = blocks_for(count, kHeadGroup);
      CUZK_TRY(launch(stream_, "merge_heads", merge_heads<F>, blocks_for(next * F::kLanes, 128), 128, 0,
                      b_.head_keys[now], b_.heads[now], static_cast<uint32_t>(count), kHeadGroup,
                      b_.bucket_sums, b_.head_keys[1 - now], b_.heads[1 - now]));
      count = next;
    }
    return {};
  }

  Status add_in_pairs(const GroupShape& g, int now, size_t entries, const uint32_t* keys,
                      const uint32_t* values, const DFp* points) {
    auto buckets = static_cast<uint32_t>(g.buckets);
    uint32_t *starts = b_.starts[now], *next_starts = b_.starts[1 - now];
    CUZK_TRY(launch(stream_, "halve_buckets", halve_buckets, blocks_for(g.buckets + 1, 256), 256, 0, starts,
                    buckets, b_.sizes));
    CUZK_TRY(exclusive_sum(stream_, b_.sizes, next_starts, g.buckets + 1, b_.temporary, b_.temporary_bytes));
    CUZK_TRY(launch(stream_, "make_pairs", make_pairs, blocks_for(entries, 256), 256, 0, keys, values, starts,
                    next_starts, buckets, b_.pairs, b_.next_keys[now]));
    size_t pairs = halved(entries, g.buckets);
    const uint32_t* total = next_starts + g.buckets;
    uint32_t threads = pair_threads(pairs, plan_.multiprocessors, F::kLanes);
    CUZK_TRY(launch(stream_, "multiply_divisors", multiply_divisors<F>,
                    blocks_for(size_t{threads} * F::kLanes, 256), 256, 0, points, b_.pairs, total, threads,
                    b_.prefixes, b_.totals));
    uint32_t inverters = (threads + 7) / 8;
    CUZK_TRY(launch(stream_, "invert_all", invert_all<F>, blocks_for(size_t{inverters} * F::kLanes, 128), 128,
                    0, b_.totals, b_.total_scratch, threads, inverters));
    return launch(stream_, "add_pairs", add_pairs<F>, blocks_for(size_t{threads} * F::kLanes, 128), 128, 0,
                  points, b_.pairs, total, threads, b_.prefixes, b_.totals, b_.sums[now]);
  }

  Status sum_windows(const GroupShape& g, uint32_t windows, DFp* window_sums) {
    uint32_t per_window = static_cast<uint32_t>(g.buckets / windows);
    uint32_t chunk = chunk_length(g.buckets, per_window, plan_.multiprocessors, F::kLanes);
    auto chunks = static_cast<uint32_t>(g.buckets / chunk);
    CUZK_TRY(launch(stream_, "weigh_buckets", weigh_buckets<F>, blocks_for(size_t{chunks} * F::kLanes, 128),
                    128, 0, b_.bucket_sums, chunks, chunk, per_window, b_.chunk_sums[0]));
    uint32_t parts = per_window / chunk;
    for (int now = 0;; now = 1 - now) {
      uint32_t group = std::min(parts, kSumGroup);
      parts /= group;
      DFp* to = parts == 1 ? window_sums : b_.chunk_sums[1 - now];
      CUZK_TRY(launch(stream_, "sum_groups", sum_groups<F>, size_t{windows} * parts, 128,
                      128 / F::kLanes * kSumBytes, b_.chunk_sums[now], group, to));
      if (parts == 1) return {};
    }
  }

  Stream& stream_;
  const MsmPlan& plan_;
  Buffers<F> b_{};
  size_t group_mark_ = 0;
  const DFp* points_ = nullptr;
  Windows windows_{};
};

}  // namespace detail

namespace detail {

template <class F>
Status size_plan(MsmPlan& plan) {
  Stream none;
  MsmRun<F> run(none, plan);
  Arena arena;
  CUZK_TRY(run.carve(arena, plan.points, plan.tuning));
  plan.device_bytes = arena.bytes();
  plan.pinned_bytes = (kDigitBits + 1) * GpuXyzz<F>::kWords * sizeof(DFp);
  return {};
}

}  // namespace detail

}  // namespace cuzk::gpu
