// Kernels of the number-theoretic transform over Fr; ntt_pipeline.hpp says in which order they run.
//
// A transform of size 2^L is done in passes over memory, each a transform of 2^R rows (R up to 9) inside a
// block: four elements a thread, two row bits at a time in registers, exchanged through shared memory.
// Natural to bit-reversed order runs from the high bits of the index to the low ones (decimation in
// frequency), bit-reversed to natural the other way (in time), so nothing is ever permuted. Between passes
// elements are multiplied by powers of the root; those come from a table of 2^18 powers or, for the largest
// root, as a product of two from tables of about 2^(L/2). Values stay below 2r between passes and below r at
// the end.
#pragma once

#include "device/cuda/mont.hpp"

namespace cuzk::gpu {

inline constexpr int kMostRows = 9;  // log2 of the rows of a pass
inline constexpr uint32_t kDirectLog =
    18;                              // log2 of the order of the root whose powers are all kept, at most
inline constexpr int kTileLog = 10;  // log2 of the elements of a block
inline constexpr int kWindow = 2;    // row bits in registers at a time: four elements a thread
inline constexpr uint32_t kNttThreads = 1u << (kTileLog - kWindow);

// base^k for k below 2^(log_low + size of high): low[k mod 2^log_low]·high[k / 2^log_low].
struct PowerTable {
  const DFr* low = nullptr;
  const DFr* high = nullptr;
  uint32_t log_low = 0;

  CUZK_DEV DFr at(uint32_t k) const;
};

struct NttPass {
  const DFr* in;
  const DFr* factor;  // multiplied in element by element on loading, or null
  DFr* out;
  const DFr* minus;     // subtracted element by element on storing, or null
  const DFr* rows;      // w^k, w of order 2^9, k < 2^9
  const DFr* direct;    // w^k, w of order 2^direct_log, all k
  PowerTable roots;     // w^k, w of order 2^log_size
  PowerTable on_load;   // coefficient k times on_load[k], where the first pass has them in bit-reversed order
  PowerTable on_store;  // the same on storing, where the last pass has them so; null: no
  uint32_t log_size;    // L
  uint32_t direct_log;  // the lesser of L and kDirectLog
  uint32_t log_stride;  // s: distance of rows
  bool reduce;          // last pass: results below r
  bool permute;         // store to the bit-reversed place; out is another array then
};

CUZK_DEV DFr load_fr(const DFr* p) {
#if CUZK_ON_GPU
  auto* q = reinterpret_cast<const uint4*>(p);
  uint4 a = q[0], b = q[1];
  return {{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}};
#else
  return *p;
#endif
}
CUZK_DEV void store_fr(DFr* p, const DFr& v) {
#if CUZK_ON_GPU
  auto* q = reinterpret_cast<uint4*>(p);
  q[0] = make_uint4(v.v[0], v.v[1], v.v[2], v.v[3]);
  q[1] = make_uint4(v.v[4], v.v[5], v.v[6], v.v[7]);
#else
  *p = v;
#endif
}

CUZK_DEV DFr PowerTable::at(uint32_t k) const {
  return load_fr(low + (k & ((1u << log_low) - 1))) * load_fr(high + (k >> log_low));
}

// The lowest `bits` bits of v in reverse.
CUZK_DEV uint32_t reversed_bits(uint32_t v, uint32_t bits) {
  if (bits == 0) return 0;
#if CUZK_ON_GPU
  return __brev(v) >> (32 - bits);
#else
  uint32_t r = 0;
  for (uint32_t i = 0; i < bits; ++i) r |= ((v >> i) & 1) << (bits - 1 - i);
  return r;
#endif
}

// out[k] = factor·base^k.
CUZK_KERNEL(128, 4)
fill_power_table(DFr* out, uint32_t count, DFr base, DFr factor) {
  size_t k = grid_thread();
  if (k >= count) return;
  DFr r = factor;
  for (uint32_t e = static_cast<uint32_t>(k); e != 0; e >>= 1) {
    if ((e & 1) != 0) r = r * base;
    base = base.squared();
  }
  store_fr(out + k, r);
}

// out[k] = table[k]·in[k].
CUZK_KERNEL(256, 2)
scale_by_table(const DFr* in, DFr* out, uint32_t count, PowerTable table) {
  size_t k = grid_thread();
  if (k < count) store_fr(out + k, table.at(static_cast<uint32_t>(k)) * load_fr(in + k));
}

// a[k] = a[k]·b[k] - c[k].
CUZK_KERNEL(256, 2)
multiply_subtract(DFr* a, const DFr* b, const DFr* c, uint32_t count) {
  size_t k = grid_thread();
  if (k < count) store_fr(a + k, load_fr(a + k) * load_fr(b + k) - load_fr(c + k));
}

namespace detail {

template <bool kDif, int R, bool kContiguous>
struct TilePass {
  static constexpr int W = kWindow;
  static constexpr int kColumnsLog = kTileLog - R;
  static constexpr int kFirstWindow = R > W ? R - W : 0;
  static constexpr uint32_t kElements = 1u << W;

  const NttPass& p;
  DFr x[kElements];
  uint32_t rest, column;  // this thread's rows without the register bits; its column in the tile
  Words<4>* shared;       // 2^kTileLog low halves, then as many high halves

  // Row of register k when the register bits are [q, q + W).
  template <int q>
  CUZK_DEV uint32_t row(uint32_t k) const {
    return ((rest >> q) << (q + W)) | (k << q) | (rest & ((1u << q) - 1));
  }
  // Rows that differ in bits 3 to 5 only fall on different banks.
  CUZK_DEV uint32_t place(uint32_t r) const {
    uint32_t swizzled = r ^ ((r >> 3) & 7);
    return kContiguous ? (column << R) | swizzled : (swizzled << kColumnsLog) | column;
  }
  CUZK_DEV size_t address(uint32_t r) const {
    size_t q = (static_cast<size_t>(block_index()) << kColumnsLog) | column;
    if (kContiguous) return (q << R) | r;
    size_t low = q & ((size_t{1} << p.log_stride) - 1);
    return ((q >> p.log_stride) << (p.log_stride + R)) | (static_cast<size_t>(r) << p.log_stride) | low;
  }

  template <int from, int to>
  CUZK_DEV void exchange(bool again) {
    if constexpr (from != to) {
      if (again) block_sync();
      CUZK_UNROLL
      for (uint32_t k = 0; k < kElements; ++k) {
        uint32_t at = place(row<from>(k));
        shared[at] = {{x[k].v[0], x[k].v[1], x[k].v[2], x[k].v[3]}};
        shared[(1u << kTileLog) + at] = {{x[k].v[4], x[k].v[5], x[k].v[6], x[k].v[7]}};
      }
      block_sync();
      CUZK_UNROLL
      for (uint32_t k = 0; k < kElements; ++k) {
        uint32_t at = place(row<to>(k));
        Words<4> a = shared[at], b = shared[(1u << kTileLog) + at];
        x[k] = {{a.v[0], a.v[1], a.v[2], a.v[3], b.v[0], b.v[1], b.v[2], b.v[3]}};
      }
    }
  }

  // Butterflies on row bit `bit` within the window at q; twiddle w_(2^(bit+1))^(row mod 2^bit).
  template <int q, int bit>
  CUZK_DEV void stage() {
    constexpr uint32_t half = 1u << (bit - q);
    uint32_t low = rest & ((1u << q) - 1);
    CUZK_UNROLL
    for (uint32_t j = 0; j < half; ++j) {
      uint32_t exponent = ((j << q) | low) << (kMostRows - 1 - bit);
      bool trivial = q == 0 && j == 0;
      DFr w = trivial ? DFr::zero() : load_fr(p.rows + exponent);
      CUZK_UNROLL
      for (uint32_t k = j; k < kElements; k += 2 * half) {
        DFr a = x[k], b = x[k + half];
        if constexpr (kDif) {
          x[k] = DFr::add_lazily(a, b);
          b = DFr::sub_lazily(a, b);
          x[k + half] = trivial ? b : DFr::multiply_lazily(w, b);
        } else {
          if (!trivial) b = DFr::multiply_lazily(w, b);
          x[k] = DFr::add_lazily(a, b);
          x[k + half] = DFr::sub_lazily(a, b);
        }
      }
    }
  }

  // All stages below row bit `top`, from the top (in frequency) or up to it (in time). Registers hold the
  // window of the first (last) stage.
  template <int top>
  CUZK_DEV void stages_down(bool again) {
    if constexpr (top > 0) {
      constexpr int q = top > W ? top - W : 0;
      stage<q, top - 1>();
      if constexpr (top - 2 >= q) stage<q, top - 2>();
      if constexpr (top - 3 >= q) stage<q, top - 3>();
      constexpr int next = q > W ? q - W : 0;
      if constexpr (q > 0) {
        exchange<q, next>(again);
        stages_down<q>(true);
      }
    }
  }
  template <int top>
  CUZK_DEV void stages_up(bool again) {
    if constexpr (top > 0) {
      constexpr int q = top > W ? top - W : 0;
      constexpr int below = q > W ? q - W : 0;
      if constexpr (q > 0) {
        stages_up<q>(again);
        exchange<below, q>(true);
      }
      if constexpr (top - 3 >= q) stage<q, top - 3>();
      if constexpr (top - 2 >= q) stage<q, top - 2>();
      stage<q, top - 1>();
    }
  }

  // Powers of the root between passes: w_(2^(s+R))^(column within the stride · reversed row).
  template <int q>
  CUZK_DEV void twiddle() {
    if constexpr (!kContiguous) {
      uint32_t s = p.log_stride, order = s + R;
      uint32_t column_in_stride = static_cast<uint32_t>(
          ((static_cast<size_t>(block_index()) << kColumnsLog) | column) & ((size_t{1} << s) - 1));
      bool direct = order <= kDirectLog && order != p.log_size;
      CUZK_UNROLL
      for (uint32_t k = 0; k < kElements; ++k) {
        uint32_t exponent = column_in_stride * reversed_bits(row<q>(k), R);
        DFr w = direct ? load_fr(p.direct + (exponent << (p.direct_log - order)))
                       : p.roots.at(exponent << (p.log_size - order));
        x[k] = DFr::multiply_lazily(w, x[k]);
      }
    }
  }

  template <int q>
  CUZK_DEV void load() {
    CUZK_UNROLL
    for (uint32_t k = 0; k < kElements; ++k) x[k] = load_fr(p.in + address(row<q>(k)));
    if (p.factor != nullptr) {
      CUZK_UNROLL
      for (uint32_t k = 0; k < kElements; ++k)
        x[k] = DFr::multiply_lazily(load_fr(p.factor + address(row<q>(k))), x[k]);
    }
    if constexpr (!kDif && kContiguous) {
      if (p.on_load.low != nullptr) {
        CUZK_UNROLL
        for (uint32_t k = 0; k < kElements; ++k) {
          auto at = static_cast<uint32_t>(address(row<q>(k)));
          x[k] = DFr::multiply_lazily(p.on_load.at(reversed_bits(at, p.log_size)), x[k]);
        }
      }
    }
  }

  template <int q>
  CUZK_DEV void store() {
    CUZK_UNROLL
    for (uint32_t k = 0; k < kElements; ++k) {
      size_t at = address(row<q>(k));
      DFr v = x[k];
      if constexpr (kDif && kContiguous) {
        if (p.on_store.low != nullptr)
          v = DFr::multiply_lazily(p.on_store.at(reversed_bits(static_cast<uint32_t>(at), p.log_size)), v);
      }
      if (p.reduce) v = v.reduced_once();
      if constexpr (kDif && kContiguous) {
        if (p.minus != nullptr) v = v - load_fr(p.minus + at);
        if (p.permute) at = reversed_bits(static_cast<uint32_t>(at), p.log_size);
      }
      store_fr(p.out + at, v);
    }
  }

  CUZK_DEV void run() {
    constexpr int top = kFirstWindow;
    if constexpr (kDif) {
      load<top>();
      stages_down<R>(false);
      twiddle<0>();
      if constexpr (kContiguous) {
        exchange<0, top>(R > W);  // so that neighbouring lanes store to neighbouring places
        store<top>();
      } else {
        store<0>();
      }
    } else {
      if constexpr (kContiguous) {
        load<top>();
        exchange<top, 0>(false);
      } else {
        load<0>();
      }
      twiddle<0>();
      stages_up<R>(kContiguous);
      store<top>();
    }
  }
};

}  // namespace detail

template <bool kDif, int R, bool kContiguous>
CUZK_KERNEL(kNttThreads, 3)
ntt_pass(NttPass p) {
  detail::TilePass<kDif, R, kContiguous> tile{p, {}, 0, 0, dynamic_shared<detail::Words<4>>()};
  constexpr uint32_t kRestBits = R - kWindow, kColumnBits = kTileLog - R;
  uint32_t t = thread_index();
  if (kContiguous) {
    tile.rest = t & ((1u << kRestBits) - 1);
    tile.column = t >> kRestBits;
  } else {
    tile.column = t & ((1u << kColumnBits) - 1);
    tile.rest = t >> kColumnBits;
  }
  tile.run();
}

// A whole transform of at most 2^11 elements in one block. scale: multiplied into every result, or null.
template <bool kDif>
CUZK_KERNEL(256, 2)
ntt_small(NttPass p, const DFr* scale) {
  DFr* tile = dynamic_shared<DFr>();
  uint32_t size = 1u << p.log_size;
  for (uint32_t i = thread_index(); i < size; i += block_threads()) {
    DFr v = load_fr(p.in + i);
    if (p.factor != nullptr) v = load_fr(p.factor + i) * v;
    if (p.on_load.low != nullptr) v = p.on_load.at(kDif ? i : reversed_bits(i, p.log_size)) * v;
    tile[i] = v;
  }
  for (uint32_t step = 0; step < p.log_size; ++step) {
    uint32_t bit = kDif ? p.log_size - 1 - step : step;
    uint32_t half = 1u << bit;
    block_sync();
    for (uint32_t j = thread_index(); j < size / 2; j += block_threads()) {
      uint32_t low = j & (half - 1), i = ((j >> bit) << (bit + 1)) | low;
      DFr a = tile[i], b = tile[i + half], w = load_fr(p.direct + (low << (p.direct_log - 1 - bit)));
      if (!kDif) b = w * b;
      tile[i] = a + b;
      tile[i + half] = kDif ? w * (a - b) : a - b;
    }
  }
  block_sync();
  for (uint32_t i = thread_index(); i < size; i += block_threads()) {
    DFr v = tile[i];
    uint32_t reversed = reversed_bits(i, p.log_size);
    if (p.on_store.low != nullptr) v = p.on_store.at(kDif ? reversed : i) * v;
    if (scale != nullptr) v = load_fr(scale) * v;
    if (p.minus != nullptr) v = v - load_fr(p.minus + i);
    store_fr(p.out + (p.permute ? reversed : i), v);
  }
}

}  // namespace cuzk::gpu
