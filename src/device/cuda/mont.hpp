// Mont<Params>: the prime fields on the device, in 32-bit limbs. Same values and same bytes as
// PrimeField<Params>: Montgomery form with R = 2^(32·limbs), reduced below p. Constants come from Params
// alone.
//
// Multiplication keeps the running total as two arrays of accumulators, `even` at words 0… and `odd` at words
// 1…, so that each 32x32 -> 64 product a[j]·b lands on a pair of neighbouring words of one of them, and a row
// of products is one carry chain (after N. Emmart, J. Luitjens, C. Weems, C. Woolley, "Optimizing modular
// multiplication for NVIDIA's Maxwell GPUs", ARITH 2016). On the device a pair of mad.lo.cc and madc.hi.cc
// becomes one wide multiply-add; on the host the same chain runs with the carry in a variable.
#pragma once

#include "device/cuda/chain.hpp"
#include "device/cuda/inverse.hpp"

namespace cuzk::gpu {

template <class P>
struct alignas(16) Mont {
  using Params = P;
  static constexpr int kWords = 2 * static_cast<int>(P::kLimbs);
  static constexpr unsigned kLanes = 1;  // lanes of a warp that hold one element together
  static constexpr int N = kWords;
  static constexpr uint32_t kInverse = detail::minus_inverse(static_cast<uint32_t>(P::kModulus.limb[0]));
  // p = 1 + (2^32 - 1)·2^32 mod 2^64: the two lowest products of a reduction row are additions (Fr).
  static constexpr bool kLowWordsTrivial = P::kModulus.limb[0] == 0xffffffff00000001u;

  uint32_t v[N];

  static CUZK_HD Mont zero() {
    Mont r;
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) r.v[i] = 0;
    return r;
  }
  static CUZK_HD Mont one() {
    constexpr auto words = detail::words_of(detail::power_of_two(32 * N, P::kModulus));
    Mont r;
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) r.v[i] = words.v[i];
    return r;
  }
  CUZK_HD bool is_zero() const {
    uint32_t any = 0;
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) any |= v[i];
    return any == 0;
  }
  CUZK_HD bool operator==(const Mont& o) const {
    uint32_t any = 0;
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) any |= v[i] ^ o.v[i];
    return any == 0;
  }

  friend CUZK_HD Mont operator+(const Mont& a, const Mont& b) {
    Chain c;
    Mont r;
    r.v[0] = c.add_cc(a.v[0], b.v[0]);
    CUZK_UNROLL
    for (int i = 1; i < N - 1; ++i) r.v[i] = c.addc_cc(a.v[i], b.v[i]);
    r.v[N - 1] = c.addc(a.v[N - 1], b.v[N - 1]);  // no carry: 2p < R
    return r.reduced_once();
  }
  friend CUZK_HD Mont operator-(const Mont& a, const Mont& b) {
    constexpr auto p = detail::words_of(P::kModulus);
    return subtract(a, b, p);
  }
  // The same on representatives below 2p, with results below 2p.
  static CUZK_HD Mont add_lazily(const Mont& a, const Mont& b) {
    constexpr auto p2 = detail::words_of(P::kModulus.shifted_left(1));
    Chain c;
    Mont r, t;
    r.v[0] = c.add_cc(a.v[0], b.v[0]);
    CUZK_UNROLL
    for (int i = 1; i < N; ++i) r.v[i] = c.addc_cc(a.v[i], b.v[i]);
    uint32_t top = c.addc(0, 0);
    t.v[0] = c.sub_cc(r.v[0], p2.v[0]);
    CUZK_UNROLL
    for (int i = 1; i < N; ++i) t.v[i] = c.subc_cc(r.v[i], p2.v[i]);
    return select(c.subc(top, 0) != 0, r, t);
  }
  static CUZK_HD Mont sub_lazily(const Mont& a, const Mont& b) {
    constexpr auto p2 = detail::words_of(P::kModulus.shifted_left(1));
    return subtract(a, b, p2);
  }
  CUZK_HD Mont operator-() const { return zero() - *this; }
  CUZK_HD Mont doubled() const { return *this + *this; }
  CUZK_HD Mont negated_if(bool negate) const {
    Mont n = -*this, r;
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) r.v[i] = negate ? n.v[i] : v[i];
    return r;
  }
  static CUZK_HD Mont select(bool first, const Mont& a, const Mont& b) {
    Mont r;
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) r.v[i] = first ? a.v[i] : b.v[i];
    return r;
  }

  friend CUZK_HD Mont operator*(const Mont& a, const Mont& b) {
    if constexpr (kLowWordsTrivial) {
      Mont r = multiply_signed(a, b);
      return r.plus_modulus_if(r.v[N - 1] >> 31 != 0);
    } else {
      return multiply<false>(a, b, a, b);
    }
  }
  // a·b + c·d with one reduction: (2p² + p·R)/R < 2p. Rows stay below 3p·2^32, so p needs two free bits (Fp).
  static CUZK_HD Mont sum_of_products(const Mont& a, const Mont& b, const Mont& c, const Mont& d) {
    static_assert(P::kModulus.bit_length() + 2 <= 32 * N);
    return multiply<true>(a, b, c, d);
  }
  // The product where it may stay in [0, 2p): factors a < p and b < 2p.
  static CUZK_HD Mont multiply_lazily(const Mont& a, const Mont& b) {
    static_assert(kLowWordsTrivial);
    return multiply_signed(a, b).plus_modulus_if(true);
  }

  // Off-diagonal products once, doubled by one pass of additions, then the diagonal, then the reduction.
  CUZK_HD Mont squared() const {
    uint32_t even[2 * N], odd[2 * N];  // both indexed by the word they stand at
    CUZK_UNROLL
    for (int i = 0; i < 2 * N; ++i) even[i] = odd[i] = 0;
    CUZK_UNROLL
    for (int i = 0; i < N - 1; ++i) {
      square_row(odd, i, i + 1);
      if (i + 2 < N) square_row(even, i, i + 2);
    }
    Chain c;
    uint32_t t[2 * N];
    t[0] = 0;
    t[1] = c.add_cc(odd[1], even[1]);
    CUZK_UNROLL
    for (int i = 2; i < 2 * N; ++i) t[i] = c.addc_cc(odd[i], even[i]);
    t[1] = c.add_cc(t[1], t[1]);
    CUZK_UNROLL
    for (int i = 2; i < 2 * N; ++i) t[i] = c.addc_cc(t[i], t[i]);
    t[0] = c.mad_lo_cc(v[0], v[0], t[0]);
    t[1] = c.madc_hi_cc(v[0], v[0], t[1]);
    CUZK_UNROLL
    for (int i = 1; i < N; ++i) {
      t[2 * i] = c.madc_lo_cc(v[i], v[i], t[2 * i]);
      t[2 * i + 1] = c.madc_hi_cc(v[i], v[i], t[2 * i + 1]);
    }
    return reduce_wide(t);
  }

  // Out of Montgomery form: the integer itself, below p.
  CUZK_HD Mont to_canonical() const {
    uint32_t t[2 * N];
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) {
      t[i] = v[i];
      t[N + i] = 0;
    }
    return reduce_wide(t);
  }

  // 1/a, 0 for 0: the words inverted are those of a·R, so a factor R³ in Montgomery form is due.
  CUZK_HD Mont inverse() const {
    constexpr auto cube = detail::words_of(detail::power_of_two(96 * N, P::kModulus));
    Mont r, factor;
    detail::invert_words<P, N>(v, r.v);
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) factor.v[i] = cube.v[i];
    return r * factor;
  }

  // Minus p if that is not negative.
  CUZK_HD Mont reduced_once() const {
    constexpr auto p = detail::words_of(P::kModulus);
    Chain c;
    Mont t;
    t.v[0] = c.sub_cc(v[0], p.v[0]);
    CUZK_UNROLL
    for (int i = 1; i < N; ++i) t.v[i] = c.subc_cc(v[i], p.v[i]);
    uint32_t borrow = c.subc(0, 0);
    CUZK_UNROLL
    for (int i = 0; i < N; ++i) t.v[i] = borrow != 0 ? v[i] : t.v[i];
    return t;
  }

 private:
  // a - b, plus q if that is negative.
  static CUZK_HD Mont subtract(const Mont& a, const Mont& b, const detail::Words<N>& q) {
    Chain c;
    Mont r;
    r.v[0] = c.sub_cc(a.v[0], b.v[0]);
    CUZK_UNROLL
    for (int i = 1; i < N; ++i) r.v[i] = c.subc_cc(a.v[i], b.v[i]);
    uint32_t mask = c.subc(0, 0);
    r.v[0] = c.add_cc(r.v[0], q.v[0] & mask);
    CUZK_UNROLL
    for (int i = 1; i < N - 1; ++i) r.v[i] = c.addc_cc(r.v[i], q.v[i] & mask);
    r.v[N - 1] = c.addc(r.v[N - 1], q.v[N - 1] & mask);
    return r;
  }

  // acc[0…N) += a[0], a[2], … times b, from an empty carry; the carry is left in the chain.
  static CUZK_HD void add_row(Chain& c, uint32_t* acc, const uint32_t* a, uint32_t b) {
    acc[0] = c.mad_lo_cc(a[0], b, acc[0]);
    acc[1] = c.madc_hi_cc(a[0], b, acc[1]);
    CUZK_UNROLL
    for (int j = 2; j < N; j += 2) {
      acc[j] = c.madc_lo_cc(a[j], b, acc[j]);
      acc[j + 1] = c.madc_hi_cc(a[j], b, acc[j + 1]);
    }
  }

  // acc = a[0], a[2], … times b + acc shifted down two words, taking the chain's carry in.
  static CUZK_HD void add_row_shifted(Chain& c, uint32_t* acc, const uint32_t* a, uint32_t b) {
    CUZK_UNROLL
    for (int j = 0; j < N - 2; j += 2) {
      acc[j] = c.madc_lo_cc(a[j], b, acc[j + 2]);
      acc[j + 1] = c.madc_hi_cc(a[j], b, acc[j + 3]);
    }
    acc[N - 2] = c.madc_lo_cc(a[N - 2], b, 0);
    acc[N - 1] = c.madc_hi(a[N - 2], b, 0);
  }

  // Adds m·p with m so that even[0] becomes 0 modulo 2^32. kShift: odd still has to move down two words,
  // with the chain's carry (a reduction without products).
  template <bool kShift>
  static CUZK_HD void reduce_row(Chain& c, uint32_t* even, uint32_t* odd) {
    constexpr auto p = detail::words_of(P::kModulus);
    uint32_t m = kLowWordsTrivial ? Chain::negated(even[0]) : even[0] * kInverse;
    if constexpr (kShift) {
      add_row_shifted(c, odd, p.v + 1, m);
      add_row(c, even, p.v, m);
    } else {
      add_row(c, odd, p.v + 1, m);
      add_row(c, even, p.v, m);
    }
    odd[N - 1] = c.addc(odd[N - 1], 0);
  }

  // One row: shift down a word, add a·b (and c·d), reduce. Roles of even and odd change with each row.
  template <bool kTwo>
  static CUZK_HD void next_row(uint32_t* even, uint32_t* odd, const uint32_t* a, uint32_t b,
                               const uint32_t* c, uint32_t d) {
    Chain chain;
    even[0] = chain.add_cc(even[0], odd[1]);
    add_row_shifted(chain, odd, a + 1, b);
    add_row(chain, even, a, b);
    odd[N - 1] = chain.addc(odd[N - 1], 0);
    if constexpr (kTwo) {
      add_row(chain, odd, c + 1, d);
      add_row(chain, even, c, d);
      odd[N - 1] = chain.addc(odd[N - 1], 0);
    }
    reduce_row<false>(chain, even, odd);
  }

  // The product for p = 1 - 2^32 modulo 2^64 (Fr): a·b/R in (-p, p) as a signed number; a < p < R/2, any b. A
  // row's total T is made divisible by 2^32 by subtracting t·p, t its lowest word: adding t·(R - p), whose
  // two lowest words are 2^32 - 1 and 0, so that only six products are left, and subtracting t from the word
  // above R. T/2^32 stays in
  // (-p, a), so the top word has the sign.
  static CUZK_HD Mont multiply_signed(const Mont& a, const Mont& b) {
    uint32_t even[N], odd[N];
    CUZK_UNROLL
    for (int j = 0; j < N; j += 2) {
      Chain::mul_wide(even[j], even[j + 1], a.v[j], b.v[0]);
      Chain::mul_wide(odd[j], odd[j + 1], a.v[j + 1], b.v[0]);
    }
    subtract_row(even, odd);
    CUZK_UNROLL
    for (int i = 1; i < N; i += 2) {
      next_signed_row(odd, even, a.v, b.v[i]);
      if (i + 1 < N) next_signed_row(even, odd, a.v, b.v[i + 1]);
    }
    return merge(odd, even);
  }

  static CUZK_HD void next_signed_row(uint32_t* even, uint32_t* odd, const uint32_t* a, uint32_t b) {
    Chain c;
    uint32_t sign = static_cast<uint32_t>(static_cast<int32_t>(even[N - 1]) >> 31);
    even[0] = c.add_cc(even[0], odd[1]);
    CUZK_UNROLL
    for (int j = 0; j < N - 2; j += 2) {
      odd[j] = c.madc_lo_cc(a[j + 1], b, odd[j + 2]);
      odd[j + 1] = c.madc_hi_cc(a[j + 1], b, odd[j + 3]);
    }
    odd[N - 2] = c.madc_lo_cc(a[N - 1], b, 0);
    odd[N - 1] = c.madc_hi(a[N - 1], b, sign);
    add_row(c, even, a, b);
    odd[N - 1] = c.addc(odd[N - 1], 0);
    subtract_row(even, odd);
  }

  static CUZK_HD void subtract_row(uint32_t* even, uint32_t* odd) {
    constexpr auto p = detail::words_of(P::kModulus);
    Chain c;
    uint32_t t = even[0];
    even[1] = c.add_cc(even[1], t);
    CUZK_UNROLL
    for (int j = 2; j < N; j += 2) {
      even[j] = c.madc_lo_cc(~p.v[j], t, even[j]);
      even[j + 1] = c.madc_hi_cc(~p.v[j], t, even[j + 1]);
    }
    odd[N - 1] = c.addc(odd[N - 1], 0u - t);
    odd[2] = c.mad_lo_cc(~p.v[3], t, odd[2]);
    odd[3] = c.madc_hi_cc(~p.v[3], t, odd[3]);
    CUZK_UNROLL
    for (int j = 4; j < N - 2; j += 2) {
      odd[j] = c.madc_lo_cc(~p.v[j + 1], t, odd[j]);
      odd[j + 1] = c.madc_hi_cc(~p.v[j + 1], t, odd[j + 1]);
    }
    odd[N - 2] = c.madc_lo_cc(~p.v[N - 1], t, odd[N - 2]);
    odd[N - 1] = c.madc_hi(~p.v[N - 1], t, odd[N - 1]);
  }

  CUZK_HD Mont plus_modulus_if(bool add) const {
    constexpr auto p = detail::words_of(P::kModulus);
    uint32_t mask = add ? ~0u : 0u;
    Chain c;
    Mont r;
    r.v[0] = c.add_cc(v[0], p.v[0] & mask);
    CUZK_UNROLL
    for (int i = 1; i < N - 1; ++i) r.v[i] = c.addc_cc(v[i], p.v[i] & mask);
    r.v[N - 1] = c.addc(v[N - 1], p.v[N - 1] & mask);
    return r;
  }

  template <bool kTwo>
  static CUZK_HD Mont multiply(const Mont& a, const Mont& b, const Mont& c, const Mont& d) {
    uint32_t even[N], odd[N];
    Chain chain;
    CUZK_UNROLL
    for (int j = 0; j < N; j += 2) {
      Chain::mul_wide(even[j], even[j + 1], a.v[j], b.v[0]);
      Chain::mul_wide(odd[j], odd[j + 1], a.v[j + 1], b.v[0]);
    }
    if constexpr (kTwo) {
      add_row(chain, odd, c.v + 1, d.v[0]);
      add_row(chain, even, c.v, d.v[0]);
      odd[N - 1] = chain.addc(odd[N - 1], 0);
    }
    reduce_row<false>(chain, even, odd);
    CUZK_UNROLL
    for (int i = 1; i < N; i += 2) {
      next_row<kTwo>(odd, even, a.v, b.v[i], c.v, d.v[i]);
      if (i + 1 < N) next_row<kTwo>(even, odd, a.v, b.v[i + 1], c.v, d.v[i + 1]);
    }
    // N is even: after the last row `odd` played the even part.
    return merge(odd, even).reduced_once();
  }

  // (even + 2^32·odd) / 2^32 with even[0] = 0.
  static CUZK_HD Mont merge(const uint32_t* even, const uint32_t* odd) {
    Chain c;
    Mont r;
    r.v[0] = c.add_cc(odd[0], even[1]);
    CUZK_UNROLL
    for (int j = 1; j < N - 1; ++j) r.v[j] = c.addc_cc(odd[j], even[j + 1]);
    r.v[N - 1] = c.addc(odd[N - 1], 0);
    return r;
  }

  // acc += a[i]·a[j] for j = first, first + 2, … below N.
  CUZK_HD void square_row(uint32_t* acc, int i, int first) const {
    Chain c;
    acc[i + first] = c.mad_lo_cc(v[first], v[i], acc[i + first]);
    acc[i + first + 1] = c.madc_hi_cc(v[first], v[i], acc[i + first + 1]);
    int end = i + first + 2;
    CUZK_UNROLL
    for (int j = first + 2; j < N; j += 2) {
      acc[i + j] = c.madc_lo_cc(v[j], v[i], acc[i + j]);
      acc[i + j + 1] = c.madc_hi_cc(v[j], v[i], acc[i + j + 1]);
      end = i + j + 2;
    }
    if (end < 2 * N) acc[end] = c.addc(acc[end], 0);
  }

  // t / R mod p for t < p·R.
  static CUZK_HD Mont reduce_wide(const uint32_t* t) {
    uint32_t even[N], odd[N];
    CUZK_UNROLL
    for (int j = 0; j < N; ++j) {
      even[j] = t[j];
      odd[j] = 0;
    }
    Chain c;
    reduce_row<false>(c, even, odd);
    CUZK_UNROLL
    for (int i = 1; i < N; i += 2) {
      odd[0] = c.add_cc(odd[0], even[1]);
      reduce_row<true>(c, odd, even);
      if (i + 1 < N) {
        even[0] = c.add_cc(even[0], odd[1]);
        reduce_row<true>(c, even, odd);
      }
    }
    Mont r = merge(odd, even);
    r.v[0] = c.add_cc(r.v[0], t[N]);
    CUZK_UNROLL
    for (int i = 1; i < N - 1; ++i) r.v[i] = c.addc_cc(r.v[i], t[N + i]);
    r.v[N - 1] = c.addc(r.v[N - 1], t[2 * N - 1]);
    return r.reduced_once();
  }
};

using DFr = Mont<FrParams>;
using DFp = Mont<FpParams>;

static_assert(sizeof(DFr) == 32 && sizeof(DFp) == 48);

}  // namespace cuzk::gpu
