// Between msm.cpp, which says what is done in which order, and the kernels: those of digits are compiled once
// (msm_digits.cu), those of points once for each group (msm_g1.cu, msm_g2.cu).
#pragma once

#include "device/cuda/arena.hpp"
#include "device/cuda/msm.hpp"

namespace cuzk::gpu {

inline constexpr unsigned kDigitBits = 255;  // of all windows together; see recode_scalars
inline constexpr uint32_t kMostWindows = 64;
inline constexpr uint32_t kNegative = 0x80000000u;  // in the value of an entry: the point is subtracted
inline constexpr size_t kG1SumBytes = 4 * 48, kG2SumBytes = 2 * kG1SumBytes;  // Xyzz

// Windows from the least significant bit: the first `wide` ones have `width` bits, the others width - 1.
struct Windows {
  uint32_t count, width, wide;

  constexpr uint32_t position(uint32_t w) const { return w < wide ? w * width : w * (width - 1) + wide; }
  constexpr uint32_t bits(uint32_t w) const { return w < wide ? width : width - 1; }
  constexpr uint32_t buckets() const { return 1u << (width - 1); }
};

// A 256-bit integer, least significant word first.
struct Recoded {
  uint32_t w[8];
};

struct Scratch {
  void* at = nullptr;
  size_t bytes = 0;
};

// Two buffers of which `now` holds the data.
struct SortBuffers {
  uint32_t* keys[2];
  uint32_t* values[2];
  int now = 0;
};

// What becomes of the scalars: see recode_scalars in msm_digit_kernels.hpp.
struct DigitLists {
  Recoded* recoded;
  uint32_t *wide, *ones, *counts;
};

// Scratch for sorting, and for sums over, at most so many entries.
Result<size_t> sort_scratch_bytes(size_t count);

Status recode(Stream& stream, const MsmScalars& scalars, const Recoded& bias, bool split,
              const DigitLists& lists);
Status change_bias(Stream& stream, Recoded* recoded, uint32_t count, const Recoded& difference);
Status extract_digits(Stream& stream, const DigitLists& lists, bool packed, uint32_t count,
                      const Windows& all, uint32_t first, uint32_t windows, uint32_t dead,
                      const SortBuffers& to);
// Ascending by the lowest `bits` bits of the key.
Status sort_entries(Stream& stream, SortBuffers& buffers, size_t count, int bits, Scratch scratch);
// The entries whose scalar has a point in the set, in their order, values replaced by the point's number;
// entries with the key `dead` are left out. keys: null where all are 0. positions: count + 1 words; the last
// becomes the number of entries kept.
Status restrict_entries(Stream& stream, const MsmBases& set, const uint32_t* keys, const uint32_t* values,
                        size_t count, uint32_t dead, uint32_t* positions, Scratch scratch, uint32_t* keys_out,
                        uint32_t* values_out);

// Sizes of one group of windows.
struct GroupShape {
  size_t entries, buckets;
  uint32_t rounds;
};

// Sorted entries and what they point to. windows: the buckets belong to so many windows, whose weighted sums
// go to `sums`; 0: a single bucket, whose sum goes there.
struct BucketJob {
  GroupShape shape;
  const uint32_t *keys, *values;
  const void* points;
  uint32_t windows;
  void* sums;
  Scratch scratch;
  unsigned multiprocessors;
};

// Takes from the arena what add_buckets takes for such a group, or a smaller one.
Status carve_buckets_g1(Arena& arena, const GroupShape& shape, unsigned multiprocessors);
Status carve_buckets_g2(Arena& arena, const GroupShape& shape, unsigned multiprocessors);
Status add_buckets_g1(Stream& stream, Arena& arena, const BucketJob& job);
Status add_buckets_g2(Stream& stream, Arena& arena, const BucketJob& job);

}  // namespace cuzk::gpu
