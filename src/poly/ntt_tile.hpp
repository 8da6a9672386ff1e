// The passes of ntt_kernels.hpp for a vector type V; included once for each instruction set.
//
// Bounds, in multiples of r, of 35.3 that fit. Twiddles are below 1: a product is below 35/35.3 + 2.01 = 3.
//
// Forward: x ± product adds 3 a level, from 1.001 to 25 after eight. Limbs grow by less than 2^58 + 2^58 a
// level.
//
// Inverse: x + y doubles. On every third level the sums are reduced, so that what enters a level is at most
// 3, 6, 12 and again 3. Limbs: a product's are below 2^57 + 2^7, and 2^59 + 2^9 after two doublings.
#pragma once

#include "field/simd/vec_field.hpp"
#include "poly/ntt_kernels.hpp"

namespace cuzk::detail {

#define CUZK_INLINE [[gnu::always_inline]] inline

// A twiddle for all lanes: five limbs, spread when used.
template <class V>
struct Twiddle {
  typename V::Scalar limb[5];

  CUZK_INLINE void set(const uint64_t* w) {
    constexpr uint64_t kMask = simd::Limbs52<FrParams>::kMask;
    limb[0] = V::scalar(w[0] & kMask);
    limb[1] = V::scalar((w[0] >> 52 | w[1] << 12) & kMask);
    limb[2] = V::scalar((w[1] >> 40 | w[2] << 24) & kMask);
    limb[3] = V::scalar((w[2] >> 28 | w[3] << 36) & kMask);
    limb[4] = V::scalar(w[3] >> 16);
  }
  // -w for 0 < w < r.
  CUZK_INLINE void set_negative(const uint64_t* w) {
    uint64_t negative[4], borrow = 0;
    for (size_t i = 0; i < 4; ++i) {
      unsigned __int128 d = static_cast<unsigned __int128>(FrParams::kModulus.limb[i]) - w[i] - borrow;
      negative[i] = static_cast<uint64_t>(d);
      borrow = static_cast<uint64_t>(d >> 64) & 1;
    }
    set(negative);
  }
  CUZK_INLINE simd::VecFactor<V, FrParams> get() const {
    simd::VecFactor<V, FrParams> f;
    for (size_t i = 0; i < 5; ++i) f.limb[i] = V::spread(limb[i]);
    return f;
  }
};

template <class V, bool kInverse>
struct NttTile {
  using F = simd::VecFr<V>;
  using Factor = simd::VecFactor<V, FrParams>;
  static constexpr size_t kMaxRows = size_t{1} << NttPass::kMaxLevels;
  // Rows on which the remaining levels are done together: half the L1 cache.
  static constexpr size_t kTogether = 2048 / (5 * V::kLanes) >= 64 ? 64 : 32;

  const NttPass& pass;
  size_t rows;
  F x[kMaxRows];
  Twiddle<V> spread[kMaxRows];  // of level t, block i of the tile: place 2^t + i. For tiles of columns
  size_t block = 0;             // the tile's block, or first block

  CUZK_INLINE explicit NttTile(const NttPass& p) : pass(p), rows(size_t{1} << p.levels) {}

  const uint64_t* twiddle(size_t t, size_t b) const { return pass.twiddles[t] + 4 * b; }
  const uint64_t* mirrored_twiddle(size_t t, size_t b) const {
    return b == 0 ? pass.minus_one : twiddle(t, mirrored(b));
  }

  void set_block(size_t b) {
    block = b;
    for (size_t t = 0; t < pass.levels; ++t)
      for (size_t i = 0; i < size_t{1} << t; ++i) {
        size_t in_level = (b << t) + i;
        if (kInverse && pass.minus_one != nullptr)
          spread[(size_t{1} << t) + i].set_negative(mirrored_twiddle(t, in_level));
        else
          spread[(size_t{1} << t) + i].set(twiddle(t, in_level));
      }
  }

  // The twiddle of level t, block i of the tile. kColumns: lanes are columns of one block; otherwise blocks.
  template <bool kColumns>
  CUZK_INLINE Factor factor(size_t t, size_t i) const {
    if constexpr (kColumns) {
      return spread[(size_t{1} << t) + i].get();
    } else if constexpr (kInverse) {
      F z = F::load([&](size_t lane) __attribute__((always_inline)) {
        return mirrored_twiddle(t, ((block + lane) << t) + i);
      });
      return sub<1>(F::zero(), z).factor();
    } else {
      return F::load([&](size_t lane)
                         __attribute__((always_inline)) { return twiddle(t, ((block + lane) << t) + i); })
          .carried_factor();
    }
  }

  // Two butterflies. reduce: the sums of the inverse.
  CUZK_INLINE static void butterflies(F& x0, F& y0, const Factor& z0, F& x1, F& y1, const Factor& z1,
                                      bool reduce) {
    if constexpr (kInverse) {
      F d0 = sub<12, 60>(x0, y0), d1 = sub<12, 60>(x1, y1);
      x0 = x0 + y0, x1 = x1 + y1;
      if (reduce) x0 = x0.nearly_reduced(), x1 = x1.nearly_reduced();
      mul2(y0, d0.factor(), z0, y1, d1.factor(), z1);
    } else {
      F p0, p1;
      mul2(p0, y0.factor(), z0, p1, y1.factor(), z1);
      y0 = sub<3>(x0, p0), y1 = sub<3>(x1, p1);
      x0 = x0 + p0, x1 = x1 + p1;
    }
  }

  // Level t on blocks [begin, end) of the tile: two blocks at a time, or the halves of a single one.
  template <bool kColumns>
  [[gnu::noinline]] void level(size_t t, size_t begin, size_t end) {
    size_t half = rows >> (t + 1);
    bool single = end - begin == 1;
    size_t other = single ? half / 2 : 2 * half, count = single ? half / 2 : half;
    bool reduce = (pass.levels - 1 - t) % 3 == 2;
    for (size_t i = begin; i < end; i += 2) {
      Factor z0 = factor<kColumns>(t, i), z1 = factor<kColumns>(t, single ? i : i + 1);
      F* a = x + 2 * half * i;
      for (size_t j = 0; j < count; ++j)
        butterflies(a[j], a[j + half], z0, a[j + other], a[j + half + other], z1, reduce);
    }
  }

  // All levels: those on few rows for one part of the tile after the other.
  template <bool kColumns>
  CUZK_INLINE void all_levels() {
    size_t wide = 0;
    while (rows >> wide > kTogether) ++wide;
    auto wide_level = [&](size_t t) __attribute__((always_inline)) { level<kColumns>(t, 0, size_t{1} << t); };
    auto part_level = [&](size_t t, size_t part) __attribute__((always_inline)) {
      size_t blocks = size_t{1} << (t - wide);
      level<kColumns>(t, part * blocks, (part + 1) * blocks);
    };
    size_t parts = size_t{1} << wide;
    if constexpr (kInverse) {
      for (size_t part = 0; part < parts; ++part)
        for (size_t t = pass.levels; t-- > wide;) part_level(t, part);
      for (size_t t = wide; t-- > 0;) wide_level(t);
    } else {
      for (size_t t = 0; t < wide; ++t) wide_level(t);
      for (size_t part = 0; part < parts; ++part)
        for (size_t t = wide; t < pass.levels; ++t) part_level(t, part);
    }
  }

  // place: of row 0 of a lane; then row_distance from row to row; in elements.
  template <bool kColumns, class Place>
  CUZK_INLINE void run(Place&& place, size_t row_distance, const Factor* column) {
    auto address = [&](size_t row) __attribute__((always_inline)) {
      return [&place, this, offset = row * row_distance](size_t lane)
                 __attribute__((always_inline)) { return pass.data + 4 * (place(lane) + offset); };
    };
    for (size_t row = 0; row < rows; ++row) {
      x[row] = F::load(address(row));
      if (!kInverse && column != nullptr) x[row] = mul(x[row].carried_factor(), *column).reduced_product();
    }
    all_levels<kColumns>();
    for (size_t row = 0; row < rows; ++row) {
      if (kInverse && column != nullptr)
        mul(x[row].factor(), *column).reduced_product().store_carried(address(row));
      else if (pass.reduce)
        x[row].store(address(row));
      else
        x[row].nearly_reduced().store_carried(address(row));
    }
  }
};

template <class V, bool kInverse>
void ntt_pass(const NttPass& pass, size_t begin, size_t end) {
  V::run([&]() __attribute__((always_inline)) {
    using Tile = NttTile<V, kInverse>;
    using F = typename Tile::F;
    Tile tile(pass);
    size_t column_bits = pass.log2_size - pass.first_level - pass.levels;
    if (column_bits == 0) {
      for (size_t i = begin; i < end; ++i) {
        tile.block = i * V::kLanes;
        size_t first = tile.block << pass.levels;
        tile.template run<false>([&](size_t lane)
                                     __attribute__((always_inline)) { return first + (lane << pass.levels); },
                                 1, nullptr);
      }
      return;
    }
    size_t tiles_a_block = (size_t{1} << column_bits) / V::kLanes;
    typename Tile::Factor column, step;
    auto load_factor = [&](const uint64_t* first, size_t distance) __attribute__((always_inline)) {
      return F::load([=](size_t lane) __attribute__((always_inline)) { return first + distance * lane; })
          .carried_factor();
    };
    if (pass.column_factors != nullptr) {
      column = load_factor(pass.column_factors, 4);
      step = load_factor(pass.column_factors + 4 * V::kLanes, 0);
    }
    for (size_t i = begin; i < end; ++i) {
      size_t block = i / tiles_a_block;
      if (i == begin || i % tiles_a_block == 0) tile.set_block(block);
      size_t first = (block << (column_bits + pass.levels)) + i % tiles_a_block * V::kLanes;
      tile.template run<true>([&](size_t lane) __attribute__((always_inline)) { return first + lane; },
                              size_t{1} << column_bits, pass.column_factors == nullptr ? nullptr : &column);
      if (pass.column_factors != nullptr) column = mul(column, step).reduced_product().carried_factor();
    }
  });
}

#undef CUZK_INLINE

}  // namespace cuzk::detail
