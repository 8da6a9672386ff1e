// The order of the kernels of msm_bucket_kernels.hpp, over either group's coordinates. Included by msm_g1.cu
// and msm_g2.cu and, for the emulator, msm_g1_emulated.cpp and msm_g2_emulated.cpp.
#pragma once

#include <algorithm>

#include "device/cuda/msm_bucket_kernels.hpp"
#include "device/cuda/primitives.hpp"

namespace cuzk::gpu::detail {

inline constexpr uint32_t kHeadGroup = 4;          // heads that one thread of merge_heads handles
inline constexpr uint32_t kResidentThreads = 384;  // of sum_segments on a multiprocessor
inline constexpr uint32_t kPairThreads = 512;      // of add_pairs on a multiprocessor
inline constexpr uint32_t kSumGroup = 512;

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

struct Buffers {
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
Buffers carve_buckets(Arena& arena, const GroupShape& g, unsigned multiprocessors) {
  constexpr size_t kPoint = GpuAffine<F>::kWords, kSum = GpuXyzz<F>::kWords;
  Buffers b{};
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
  return b;
}

template <class F>
class BucketRun {
 public:
  BucketRun(Stream& stream, Arena& arena, const BucketJob& job)
      : stream_(stream), job_(job), b_(carve_buckets<F>(arena, job.shape, job.multiprocessors)) {}

  Status run() {
    CUZK_TRY(add_up());
    if (job_.windows == 0) return stream_.on_device(job_.sums, b_.bucket_sums, kSumBytes);
    return sum_windows();
  }

 private:
  static constexpr size_t kSumBytes = GpuXyzz<F>::kWords * sizeof(DFp);

  // Sorted entries to one sum a bucket.
  Status add_up() {
    const GroupShape& g = job_.shape;
    const uint32_t *keys = job_.keys, *values = job_.values;
    const auto* points = static_cast<const DFp*>(job_.points);
    const uint32_t* total = nullptr;
    auto buckets = static_cast<uint32_t>(g.buckets);
    size_t left = g.entries;
    if (g.rounds > 0) {
      CUZK_TRY(launch(stream_, "find_starts", find_starts, blocks_for(g.buckets + 1, 256), 256, 0, keys,
                      static_cast<uint32_t>(g.entries), buckets, b_.starts[0]));
    }
    for (uint32_t round = 0; round < g.rounds; ++round) {
      int now = static_cast<int>(round % 2);
      CUZK_TRY(add_in_pairs(now, left, keys, values, points));
      keys = b_.next_keys[now];
      values = nullptr;
      points = b_.sums[now];
      total = b_.starts[1 - now] + g.buckets;
      left = halved(left, g.buckets);
    }
    CUZK_TRY(stream_.fill(b_.bucket_sums, 0, g.buckets * kSumBytes));
    uint32_t segment = segment_length(left, job_.multiprocessors, F::kLanes);
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

  Status add_in_pairs(int now, size_t entries, const uint32_t* keys, const uint32_t* values,
                      const DFp* points) {
    const GroupShape& g = job_.shape;
    auto buckets = static_cast<uint32_t>(g.buckets);
    uint32_t *starts = b_.starts[now], *next_starts = b_.starts[1 - now];
    CUZK_TRY(launch(stream_, "halve_buckets", halve_buckets, blocks_for(g.buckets + 1, 256), 256, 0, starts,
                    buckets, b_.sizes));
    CUZK_TRY(exclusive_sum(stream_, b_.sizes, next_starts, g.buckets + 1, job_.scratch));
    CUZK_TRY(launch(stream_, "make_pairs", make_pairs, blocks_for(entries, 256), 256, 0, keys, values, starts,
                    next_starts, buckets, b_.pairs, b_.next_keys[now]));
    size_t pairs = halved(entries, g.buckets);
    const uint32_t* total = next_starts + g.buckets;
    uint32_t threads = pair_threads(pairs, job_.multiprocessors, F::kLanes);
    CUZK_TRY(launch(stream_, "multiply_divisors", multiply_divisors<F>,
                    blocks_for(size_t{threads} * F::kLanes, 256), 256, 0, points, b_.pairs, total, threads,
                    b_.prefixes, b_.totals));
    uint32_t inverters = (threads + 7) / 8;
    CUZK_TRY(launch(stream_, "invert_all", invert_all<F>, blocks_for(size_t{inverters} * F::kLanes, 128), 128,
                    0, b_.totals, b_.total_scratch, threads, inverters));
    return launch(stream_, "add_pairs", add_pairs<F>, blocks_for(size_t{threads} * F::kLanes, 128), 128, 0,
                  points, b_.pairs, total, threads, b_.prefixes, b_.totals, b_.sums[now]);
  }

  Status sum_windows() {
    const GroupShape& g = job_.shape;
    const uint32_t windows = job_.windows;
    auto* window_sums = static_cast<DFp*>(job_.sums);
    uint32_t per_window = static_cast<uint32_t>(g.buckets / windows);
    uint32_t chunk = chunk_length(g.buckets, per_window, job_.multiprocessors, F::kLanes);
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
  const BucketJob& job_;
  Buffers b_;
};

}  // namespace cuzk::gpu::detail
