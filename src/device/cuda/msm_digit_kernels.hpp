// Kernels that turn scalars into entries; msm.cpp says in which order they run.
//
// Words used here: a scalar is cut into signed digits, one per window; digit d of window w sends its point to
// bucket |d| - 1 of that window (negated if d < 0). An entry is one (bucket, point) pair: its key is the
// bucket's number in the group of windows that is worked on, its value the point's index with the sign in the
// top bit.
#pragma once

#include "device/cuda/compact_kernels.hpp"
#include "device/cuda/mont.hpp"
#include "device/cuda/msm_launch.hpp"

namespace cuzk::gpu {

// Where scalars come from: load gives integer i, below r.
struct FullScalars {
  const DFr* values;
  const uint32_t* select;
  CUZK_DEV DFr load(uint32_t i) const { return values[select != nullptr ? select[i] : i].to_canonical(); }
};
struct CompactScalars {
  DeviceCompact compact;
  uint32_t first;
  CUZK_DEV DFr load(uint32_t i) const {
    uint32_t at;
    DFr k = DFr::zero();
    if (!compact_bit(compact, first + i, &at))
      return static_cast<const DFr*>(compact.wide)[at].to_canonical();
    k.v[0] = at;
    return k;
  }
};

// Scalars to integers k + bias, |k| <= r/2, with the sign of k's point in bit 255. The bias is half of each
// window's range, so that a window's digit is its bits minus half its range, without carries; it and |k| stay
// below 2^255 together. With `split`, zeros are dropped, the indices of ones go to `ones`, the others are
// packed, with their indices in `wide`; counts[0] and [1] count ones and others. Order within either list is
// not fixed.
template <class Source>
CUZK_KERNEL(256, 2)
recode_scalars(Source scalars, uint32_t count, Recoded bias, bool split, DigitLists lists) {
  CUZK_SHARED uint32_t found[2];
  CUZK_SHARED uint32_t first[2];
  if (thread_index() < 2) found[thread_index()] = 0;
  block_sync();
  uint32_t i = static_cast<uint32_t>(grid_thread());
  uint32_t kind = 2, rank = 0;  // 0: one, 1: other, 2: nothing to do
  DFr k = DFr::zero();
  if (i < count) {
    k = scalars.load(i);
    kind = 1;
    if (split) {
      uint32_t high = 0;
      for (int j = 1; j < 8; ++j) high |= k.v[j];
      if (high == 0 && k.v[0] <= 1) kind = k.v[0] == 1 ? 0 : 2;
    }
    if (split && kind != 2) rank = atomic_add(&found[kind], 1);
  }
  block_sync();
  if (split && thread_index() < 2)
    first[thread_index()] = atomic_add(&lists.counts[thread_index()], found[thread_index()]);
  block_sync();
  if (kind == 0) lists.ones[first[0] + rank] = i;
  if (kind != 1) return;
  uint32_t place = split ? first[1] + rank : i;
  // r - k where that is less than k.
  DFr minus = -k;
  Chain c;
  (void)c.sub_cc(minus.v[0], k.v[0]);
  CUZK_UNROLL
  for (int j = 1; j < 8; ++j) (void)c.subc_cc(minus.v[j], k.v[j]);
  bool negative = c.subc(0, 0) != 0 && !k.is_zero();
  k = DFr::select(negative, minus, k);
  Recoded out;
  out.w[0] = c.add_cc(k.v[0], bias.w[0]);
  CUZK_UNROLL
  for (int j = 1; j < 8; ++j) out.w[j] = c.addc_cc(k.v[j], bias.w[j]);
  if (negative) out.w[7] |= kNegative;
  lists.recoded[place] = out;
  if (split) lists.wide[place] = i;
}

// The indices of the set bits, in no fixed order; counts[0] counts them.
CUZK_KERNEL(256, 2)
list_bits(const uint32_t* bits, uint32_t count, uint32_t* ones, uint32_t* counts) {
  CUZK_SHARED uint32_t found, first;
  if (thread_index() == 0) found = 0;
  block_sync();
  uint32_t i = static_cast<uint32_t>(grid_thread());
  bool one = i < count && ((bits[i / 32] >> (i % 32)) & 1) != 0;
  uint32_t rank = one ? atomic_add(&found, 1) : 0;
  block_sync();
  if (thread_index() == 0) first = atomic_add(counts, found);
  block_sync();
  if (one) ones[first + rank] = i;
}

// Adds `difference` to the biased integers, modulo 2^256, keeping the signs.
CUZK_KERNEL(256, 2)
shift_bias(Recoded* recoded, uint32_t count, Recoded difference) {
  size_t i = grid_thread();
  if (i >= count) return;
  Recoded r = recoded[i];
  uint32_t sign = r.w[7] & kNegative;
  r.w[7] &= ~kNegative;
  Chain c;
  r.w[0] = c.add_cc(r.w[0], difference.w[0]);
  CUZK_UNROLL
  for (int j = 1; j < 8; ++j) r.w[j] = c.addc_cc(r.w[j], difference.w[j]);
  r.w[7] |= sign;
  recoded[i] = r;
}

// Entries of `windows` windows from `first`: key = (w - first)·buckets + |d| - 1, or `dead` for digit zero.
// indices: of the points, or null for 0, 1, 2 …
CUZK_KERNEL(256, 2)
cut_digits(const Recoded* recoded, const uint32_t* indices, uint32_t count, Windows all, uint32_t first,
           uint32_t windows, uint32_t dead, uint32_t* keys, uint32_t* values) {
  size_t i = grid_thread();
  if (i >= count) return;
  const uint32_t* words = recoded[i].w;
  bool negative = (words[7] & kNegative) != 0;
  uint32_t index = indices != nullptr ? indices[i] : static_cast<uint32_t>(i);
  for (uint32_t w = 0; w < windows; ++w) {
    uint32_t at = all.position(first + w), bits = all.bits(first + w);
    uint32_t word = at / 32, shift = at % 32;
    uint64_t both = words[word];
    if (word < 7) both |= static_cast<uint64_t>(words[word + 1]) << 32;
    uint32_t raw = static_cast<uint32_t>(both >> shift) & ((1u << bits) - 1);
    uint32_t half = 1u << (bits - 1);
    bool below = raw < half;
    uint32_t size = below ? half - raw : raw - half;
    size_t entry = static_cast<size_t>(w) * count + i;
    keys[entry] = size == 0 ? dead : w * all.buckets() + size - 1;
    values[entry] = index | (below != negative ? kNegative : 0);
  }
}

// flags[p] = 1 where entry p is kept by restrict_entries, else 0; flags[count] = 0.
CUZK_KERNEL(256, 2)
flag_entries(const uint32_t* marks, const uint32_t* keys, const uint32_t* values, uint32_t count,
             uint32_t dead, uint32_t* flags) {
  size_t p = grid_thread();
  if (p > count) return;
  bool kept = false;
  if (p < count) {
    uint32_t i = values[p] & ~kNegative;
    kept = (keys == nullptr || keys[p] != dead) && ((marks[i / 32] >> (i % 32)) & 1) != 0;
  }
  flags[p] = kept ? 1 : 0;
}

// The kept entries to their places: positions are the sums of the flags before them.
CUZK_KERNEL(256, 2)
move_entries(const uint32_t* marks, const uint32_t* before_word, uint32_t skipped, const uint32_t* keys,
             const uint32_t* values, uint32_t count, const uint32_t* positions, uint32_t* keys_out,
             uint32_t* values_out) {
  size_t p = grid_thread();
  if (p >= count) return;
  uint32_t to = positions[p];
  if (positions[p + 1] == to) return;
  uint32_t value = values[p], place;
  (void)marked(marks, before_word, value & ~kNegative, &place);
  keys_out[to] = keys != nullptr ? keys[p] : 0;
  values_out[to] = (place - skipped) | (value & kNegative);
}

}  // namespace cuzk::gpu
