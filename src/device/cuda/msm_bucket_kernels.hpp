// Kernels that turn sorted entries (msm_digit_kernels.hpp) into sums of points; msm_buckets.hpp says in which
// order they run.
#pragma once

#include "device/cuda/curve.hpp"
#include "device/cuda/msm_launch.hpp"

namespace cuzk::gpu {

inline constexpr uint32_t kNone = 0xffffffffu;

// starts[b] = number of sorted keys below b, for b = 0 … buckets.
CUZK_KERNEL(256, 2)
find_starts(const uint32_t* keys, uint32_t count, uint32_t buckets, uint32_t* starts) {
  size_t b = grid_thread();
  if (b > buckets) return;
  uint32_t low = 0, high = count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (keys[middle] < b) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  starts[b] = low;
}

// Sizes of the buckets after adding their entries in pairs; 0 for b = buckets, so that the exclusive sum has
// the total there.
CUZK_KERNEL(256, 2)
halve_buckets(const uint32_t* starts, uint32_t buckets, uint32_t* sizes) {
  size_t b = grid_thread();
  if (b > buckets) return;
  sizes[b] = b == buckets ? 0 : (starts[b + 1] - starts[b] + 1) / 2;
}

struct Pair {
  uint32_t a, b;  // sources; b may be kNone
};

// Which two entries each entry of the next round is the sum of. values: null for 0, 1, 2 …
CUZK_KERNEL(256, 2)
make_pairs(const uint32_t* keys, const uint32_t* values, const uint32_t* starts, const uint32_t* next_starts,
           uint32_t buckets, Pair* pairs, uint32_t* next_keys) {
  size_t p = grid_thread();
  if (p >= starts[buckets]) return;
  uint32_t bucket = keys[p];
  uint32_t begin = starts[bucket], end = starts[bucket + 1];
  uint32_t offset = static_cast<uint32_t>(p) - begin;
  if (offset % 2 != 0) return;
  uint32_t to = next_starts[bucket] + offset / 2;
  uint32_t q = static_cast<uint32_t>(p);
  Pair pair{values != nullptr ? values[q] : q, kNone};
  if (q + 1 < end) pair.b = values != nullptr ? values[q + 1] : q + 1;
  pairs[to] = pair;
  next_keys[to] = bucket;
}

// Point `source` of `points`, the top bit its sign.
template <class F>
CUZK_DEV GpuAffine<F> load_signed(const DFp* points, uint32_t source) {
  auto p = GpuAffine<F>::load(points, source & ~kNegative);
  p.y = p.y.negated_if((source & kNegative) != 0);
  return p;
}

// What an affine addition divides by: x2 - x1, for a doubling 2y, and 1 where nothing is divided.
enum class AffineCase { kAdd, kDouble, kFirst, kSecond, kInfinity };

template <class F>
CUZK_DEV AffineCase affine_case(const GpuAffine<F>& p, const GpuAffine<F>& q, F* divisor) {
  F d = q.x - p.x;
  if (!(d.is_zero() || p.x.is_zero() || q.x.is_zero())) {
    *divisor = d;
    return AffineCase::kAdd;
  }
  *divisor = F::one();
  if (p.is_infinity()) return AffineCase::kSecond;
  if (q.is_infinity()) return AffineCase::kFirst;
  if (!d.is_zero()) {
    *divisor = d;
    return AffineCase::kAdd;
  }
  if (p.y == q.y && !p.y.is_zero()) {
    *divisor = p.y.doubled();
    return AffineCase::kDouble;
  }
  return AffineCase::kInfinity;
}

// Thread t of T handles pairs t, t + T, t + 2T …: prefixes[j] = product of the divisors of its earlier pairs,
// totals[t] = of all.
template <class F>
CUZK_KERNEL(256, 2)
multiply_divisors(const DFp* points, const Pair* pairs, const uint32_t* total, uint32_t threads,
                  DFp* prefixes, DFp* totals) {
  uint32_t t = static_cast<uint32_t>(grid_thread()) / F::kLanes;
  if (t >= threads) return;
  F product = F::one();
  uint32_t count = *total;
  Pair next = t < count ? pairs[t] : Pair{kNone, kNone};
  for (uint32_t j = t; j < count; j += threads) {
    Pair pair = next;
    if (j + threads < count) next = pairs[j + threads];
    product.store(prefixes + static_cast<size_t>(j) * F::kLanes);
    if (pair.b == kNone) continue;
    const DFp* pa = points + static_cast<size_t>(pair.a & ~kNegative) * GpuAffine<F>::kWords;
    const DFp* pb = points + static_cast<size_t>(pair.b & ~kNegative) * GpuAffine<F>::kWords;
    F xa = F::load(pa), xb = F::load(pb);
    F d = xb - xa;
    if (d.is_zero() || xa.is_zero() || xb.is_zero())
      affine_case(load_signed<F>(points, pair.a), load_signed<F>(points, pair.b), &d);
    product = product * d;
  }
  product.store(totals + static_cast<size_t>(t) * F::kLanes);
}

// Replaces `count` non-zero elements by their inverses; thread t of T handles elements t, t + T …. scratch:
// as many elements.
template <class F>
CUZK_KERNEL(128, 2)
invert_all(DFp* elements, DFp* scratch, uint32_t count, uint32_t threads) {
  uint32_t t = static_cast<uint32_t>(grid_thread()) / F::kLanes;
  if (t >= threads || t >= count) return;
  F product = F::one();
  uint32_t last = t;
  for (uint32_t j = t; j < count; j += threads) {
    product.store(scratch + static_cast<size_t>(j) * F::kLanes);
    product = product * F::load(elements + static_cast<size_t>(j) * F::kLanes);
    last = j;
  }
  F inverse = product.inverse();
  for (uint32_t j = last;; j -= threads) {
    size_t at = static_cast<size_t>(j) * F::kLanes;
    F element = F::load(elements + at);
    (inverse * F::load(scratch + at)).store(elements + at);
    inverse = inverse * element;
    if (j < threads) break;
  }
}

// The additions themselves: sums[j] = points[pairs[j].a] + points[pairs[j].b], with the inverses of the
// totals of multiply_divisors.
template <class F>
CUZK_KERNEL(128, 4)
add_pairs(const DFp* points, const Pair* pairs, const uint32_t* total, uint32_t threads, const DFp* prefixes,
          const DFp* inverses, DFp* sums) {
  uint32_t t = static_cast<uint32_t>(grid_thread()) / F::kLanes;
  uint32_t count = *total;
  if (t >= threads || t >= count) return;
  F inverse = F::load(inverses + static_cast<size_t>(t) * F::kLanes);
  uint32_t j = t + (count - 1 - t) / threads * threads;
  for (;; j -= threads) {
    Pair pair = pairs[j];
    auto p = load_signed<F>(points, pair.a);
    if (pair.b == kNone) {
      p.store(sums, j);
    } else {
      auto q = load_signed<F>(points, pair.b);
      F divisor;
      AffineCase kind = affine_case(p, q, &divisor);
      F slope = inverse * F::load(prefixes + static_cast<size_t>(j) * F::kLanes);
      inverse = inverse * divisor;
      if (kind == AffineCase::kAdd || kind == AffineCase::kDouble) {
        F rise = q.y - p.y;
        if (kind == AffineCase::kDouble) {
          F xx = p.x.squared();
          rise = xx.doubled() + xx;
        }
        slope = slope * rise;
        F x = slope.squared() - p.x - q.x;
        q.y = slope * (p.x - x) - p.y;
        q.x = x;
      } else if (kind == AffineCase::kFirst) {
        q = p;
      } else if (kind == AffineCase::kInfinity) {
        q = GpuAffine<F>::infinity();
      }
      q.store(sums, j);
    }
    if (j < threads) break;
  }
}

// Thread t sums entries [t·segment, (t + 1)·segment), runs of one bucket each. The thread in which a bucket's
// run begins stores its part as the bucket's value; a run that began in an earlier thread is left as this
// thread's head, for merge_heads. So a bucket of any size costs the same. values: null for 0, 1, 2 …; total:
// how many entries there are, at most `count`; null for `count`.
template <class F, int kThreads, int kBlocks>
CUZK_KERNEL(kThreads, kBlocks)
sum_segments(const DFp* points, const uint32_t* keys, const uint32_t* values, const uint32_t* total,
             uint32_t count, uint32_t segment, uint32_t buckets, DFp* bucket_sums, uint32_t* head_keys,
             DFp* heads) {
  uint32_t t = static_cast<uint32_t>(grid_thread()) / F::kLanes;
  size_t begin = static_cast<size_t>(t) * segment;
  if (begin >= count) return;
  head_keys[t] = kNone;
  if (total != nullptr) count = *total;
  if (begin >= count) return;
  size_t end = begin + segment < count ? begin + segment : count;
  auto sum = GpuXyzz<F>::infinity();
  uint32_t bucket = keys[begin];
  bool head = begin != 0 && keys[begin - 1] == bucket && bucket < buckets;
  for (size_t p = begin; p < end; ++p) {
    uint32_t key = keys[p];
    if (key != bucket) {
      if (bucket < buckets) sum.store(head ? heads : bucket_sums, head ? t : bucket);
      if (head) head_keys[t] = bucket;
      head = false;
      bucket = key;
      sum = GpuXyzz<F>::infinity();
    }
    if (key >= buckets) break;  // entries of digit zero come last
    sum.add(load_signed<F>(points, values != nullptr ? values[p] : static_cast<uint32_t>(p)));
  }
  if (bucket < buckets) {
    sum.store(head ? heads : bucket_sums, head ? t : bucket);
    if (head) head_keys[t] = bucket;
  }
}

// Adds runs of heads to their buckets; thread t handles heads [t·group, (t + 1)·group). A run that began
// before them becomes a head of the next level.
template <class F>
CUZK_KERNEL(128, 2)
merge_heads(const uint32_t* head_keys, const DFp* heads, uint32_t count, uint32_t group, DFp* bucket_sums,
            uint32_t* next_keys, DFp* next_heads) {
  using Sum = GpuXyzz<typename F::Called>;
  uint32_t t = static_cast<uint32_t>(grid_thread()) / F::kLanes;
  uint32_t begin = t * group;
  if (begin >= count) return;
  uint32_t end = begin + group < count ? begin + group : count;
  next_keys[t] = kNone;
  uint32_t i = begin;
  while (i < end) {
    uint32_t key = head_keys[i];
    if (key == kNone) {
      ++i;
      continue;
    }
    bool continued = i == begin && i != 0 && head_keys[i - 1] == key;
    auto sum = Sum::load(heads, i);
    for (++i; i < end && head_keys[i] == key; ++i) sum.add(Sum::load(heads, i));
    if (continued) {
      sum.store(next_heads, t);
      next_keys[t] = key;
    } else {
      sum.add(Sum::load(bucket_sums, key));
      sum.store(bucket_sums, key);
    }
  }
}

// Chunk u of a window's buckets: sums[u] = sum over its buckets of (index in the window + 1)·bucket.
template <class F>
CUZK_KERNEL(128, 2)
weigh_buckets(const DFp* bucket_sums, uint32_t chunks, uint32_t chunk, uint32_t buckets_per_window,
              DFp* sums) {
  using Sum = GpuXyzz<typename F::Called>;
  uint32_t u = static_cast<uint32_t>(grid_thread()) / F::kLanes;
  if (u >= chunks) return;
  auto running = Sum::infinity(), weighted = Sum::infinity();
  uint32_t first = u * chunk;
  for (uint32_t i = chunk; i-- > 0;) {
    running.add(Sum::load(bucket_sums, first + i));
    weighted.add(running);
  }
  uint32_t offset = first & (buckets_per_window - 1);
  if (offset != 0) {
    auto multiple = running;
    int bit = 31;
    while ((offset >> bit) == 0) --bit;
    while (bit-- > 0) {
      Sum::double_cold(multiple);
      if (((offset >> bit) & 1) != 0) multiple.add(running);
    }
    weighted.add(multiple);
  }
  weighted.store(sums, u);
}

// sums[b] = sum of points [b·group, (b + 1)·group), one block each; group a power of two.
template <class F>
CUZK_KERNEL(128, 2)
sum_groups(const DFp* points, uint32_t group, DFp* sums) {
  using Sum = GpuXyzz<typename F::Called>;
  constexpr uint32_t kItems = 128 / F::kLanes;
  DFp* shared = dynamic_shared<DFp>();
  uint32_t item = thread_index() / F::kLanes;
  size_t first = static_cast<size_t>(block_index()) * group;
  auto sum = Sum::infinity();
  for (uint32_t i = item; i < group; i += kItems) sum.add(Sum::load(points, first + i));
  for (uint32_t half = kItems / 2; half > 0; half /= 2) {
    if (item >= half && item < 2 * half) sum.store(shared, item);
    block_sync();
    if (item < half && item + half < group) sum.add(Sum::load(shared, item + half));
    block_sync();
  }
  if (item == 0) sum.store(sums, block_index());
}

}  // namespace cuzk::gpu
