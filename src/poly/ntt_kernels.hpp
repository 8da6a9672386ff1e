// What the transforms ask of a vector instruction set: passes over the data, each of several levels.
//
// Level l of a transform of size n has 2^l blocks of n / 2^l elements; a butterfly joins element j of a
// block's lower half with element j of its upper half, with a twiddle that depends on the block alone:
//   forward:  (x, y) -> (x + z·y, x - z·y)       levels ascending
//   inverse:  (x, y) -> (x + y, (x - y)·z)       levels descending
// A pass does `levels` levels from first_level on. It takes the elements of a block at distance S = n /
// 2^(first_level + levels) from each other together: 2^levels rows. V::kLanes of such sets side by side are a
// tile: neighbouring columns, or where S = 1 neighbouring blocks.
//
// Twiddles and factors are given with 2^4 multiplied in (simd/vec_field.hpp: the shifted form, reduced). No
// field headers here: see simd/batch_kernels.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk::detail {

struct NttPass {
  static constexpr size_t kMaxLevels = 8;

  uint64_t* data;  // elements of four words
  size_t log2_size;
  size_t first_level, levels;
  // Of level first_level + t, block b: twiddles[t] + 4·b.
  const uint64_t* twiddles[kMaxLevels];
  // Inverse: the twiddle of block b > 0 is minus that of block mirrored(b), and that of block 0 is minus
  // this. Null: twiddles are what they say.
  const uint64_t* minus_one;
  // Null, or factors of columns, one for each lane, for the first tile of the range, then what they are
  // multiplied by from one tile to the next. The pass has one block. Forward: before the levels, inverse:
  // after them.
  const uint64_t* column_factors;
  bool reduce;  // results below r; otherwise below 1.001 r, as the next pass takes them
};

// The block whose twiddle is -1/z for block b's z, b > 0: 1/w^e = -w^(n/2 - e), and negating an exponent
// complements, in bit-reversed notation, what is below the highest set bit.
[[gnu::always_inline]] constexpr inline size_t mirrored(size_t b) {
  size_t below = b;
  for (size_t shift = 1; shift < 64; shift *= 2) below |= below >> shift;
  return b ^ (below >> 1);
}

struct NttKernels {
  size_t lanes;
  // Tiles begin … end - 1 of n / 2^levels / lanes.
  void (*forward)(const NttPass&, size_t begin, size_t end);
  void (*inverse)(const NttPass&, size_t begin, size_t end);
};

extern const NttKernels kNttEmulated;  // for tests
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
extern const NttKernels kNttAvx2, kNttIfma;
#endif

}  // namespace cuzk::detail
