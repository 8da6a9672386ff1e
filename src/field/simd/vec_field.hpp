// VecField<V, Params>: V::kLanes field elements side by side, for kernels. One algorithm for V = Avx2
// (avx2.hpp), Ifma (ifma.hpp) and Emulated (emulated.hpp).
//
// Use, in a file with V's compiler options (field/CMakeLists.txt), inside V::run([&] { ... }):
//
//   using F = VecFp<V>;
//   F a = F::load([&](size_t lane) { return pa + 6 * index[lane]; });  // Montgomery words from anywhere
//   F b = F::load([&](size_t lane) { return pb + 6 * lane; });
//   F c = a * b + a;                                                   // lazy: not reduced
//   F d = sub<4>(c, b);                                                // c - b + 4p; needs b <= 4p
//   d.store([&](size_t lane) { return pd + 6 * lane; });               // below p, PrimeField's form
//
// To multiply cheaply, prepare operands once and choose which one is shifted:
//
//   auto x = a.shifted().carried_factor(), y = d.factor();  // x stands for 2^k·a, k = kShift
//   F e = mul(x, y);                                        // a·d: one of the two factors is shifted
//   F g = sqr(x);                                           // 2^k·a²: shifted·shifted stays shifted
//   mul2(e, x0, y0, g, x1, y1);                             // e = x0·y0, g = x1·y1, in turn
//
// "Shifted" is a second Montgomery form, with 2^(52·kLimbs) for R: shifted·shifted = shifted, shifted·plain
// = plain, shifted ± shifted = shifted; never plain·plain. Vectors and factors may be kept in memory as they
// are (aligned as their type says).
//
// Representation: kLimbs limbs of 52 bits in 64-bit lanes, value = Σ limb[i]·2^(52i). Limbs may be larger
// than 52 bits, and the top one a negative number for a while, until carried(). Bounds, with W =
// 2^(52·kLimbs), which is 35 r (Fr, kShift 4) or 2^35.3 p (Fp, kShift 32):
//
//   load      value < p
//   shifted   needs a carried value < 2.2 r (Fr), 9.8 p (Fp): gives 2^kShift times that, up to W
//   factor    needs value < W and limbs < 2^63
//   mul       value <= a·b/W + p, limbs < 2^57 + 2^7. With the shift of x < p for a: 0.46·b + r, 0.11·b + p.
//             With x·2^kShift that was reduced below p: b/35 + r, b/2^35 + p
//   a + b     adds values and limbs
//   sub<m>    needs b <= m·p and limbs of b <= 2^58 (carried, or the sum of two products): gives a value
//             <= a + m·p, limbs <= a's + 2^58 + 2^52
//   store     needs value < W/2 and limbs < 2^63: stores the value below p
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "field/bigint.hpp"
#include "field/params.hpp"

namespace cuzk::simd {

// Constants of a field in limbs of 52 bits, evaluated at compile time: no code of these leaves a kernel's
// file.
template <class Params>
struct Limbs52 {
  static constexpr size_t kWords = Params::kLimbs;
  static constexpr size_t kLimbs = kWords == 4 ? 5 : 8;
  static constexpr size_t kShift = 52 * kLimbs - 64 * kWords;
  static constexpr uint64_t kMask = (uint64_t{1} << 52) - 1;

  struct Array {
    uint64_t limb[kLimbs];
  };

  // m·p in limbs below 2^52.
  static consteval Array multiple(uint64_t m) {
    Array r{};
    unsigned __int128 carry = 0;
    for (size_t i = 0; i < kLimbs; ++i) {
      carry += static_cast<unsigned __int128>(m) * Params::kModulus.bits(52 * i, 52);
      r.limb[i] = static_cast<uint64_t>(carry) & kMask;
      carry >>= 52;
    }
    return r;
  }
  // m·p with 2^58 lent to every limb but the top one by the limb above it.
  static consteval Array lending_multiple(uint64_t m) {
    Array r = multiple(m);
    constexpr uint64_t kLoan = uint64_t{1} << 58;
    for (size_t i = 0; i + 1 < kLimbs; ++i) {
      r.limb[i] += kLoan;
      r.limb[i + 1] -= kLoan >> 52;
    }
    return r;
  }
  // -1/p mod 2^52, by Newton's iteration.
  static consteval uint64_t negative_inverse() {
    uint64_t x = 1, p0 = Params::kModulus.limb[0];
    for (int i = 0; i < 6; ++i) x *= 2 - p0 * x;
    return (~x + 1) & kMask;
  }
  // ⌊2^(52·kLimbs) / p⌋, by long division; below 2^52.
  static consteval uint64_t quotient() {
    constexpr size_t kMore = kWords + 1;
    BigInt<kMore> rest = BigInt<kMore>::from_u64(1).shifted_left(52 * kLimbs), p{};
    for (size_t i = 0; i < kWords; ++i) p.limb[i] = Params::kModulus.limb[i];
    uint64_t q = 0;
    for (size_t i = 52; i-- > 0;) {
      if (p.bit_length() + i > 64 * kMore) continue;
      BigInt<kMore> multiple = p.shifted_left(i);
      if (rest < multiple) continue;
      rest.sub_in_place(multiple);
      q |= uint64_t{1} << i;
    }
    return q;
  }
};

#define CUZK_INLINE [[gnu::always_inline]] inline

// Calls f with the compile-time constants 0 … kCount - 1.
template <size_t kCount, class F>
CUZK_INLINE void unrolled(F&& f) {
  [&]<size_t... kIndex>(std::index_sequence<kIndex...>) __attribute__((always_inline)) {
    (f(std::integral_constant<size_t, kIndex>{}), ...);
  }(std::make_index_sequence<kCount>{});
}

// A multiplicand: limbs below 2^52 in the form in which V multiplies.
template <class V, class Params>
struct VecFactor {
  static constexpr size_t kLimbs = Limbs52<Params>::kLimbs;
  typename V::Factor limb[kLimbs];
};

template <class V, class Params>
struct VecField {
  using Word = typename V::Word;
  using Constants = Limbs52<Params>;
  static constexpr size_t kWords = Constants::kWords;
  static constexpr size_t kLimbs = Constants::kLimbs;
  static constexpr size_t kShift = Constants::kShift;

  using Factor = VecFactor<V, Params>;

  Word limb[kLimbs];

  // address(lane): where the words of the lane's element are, any alignment. Value below 2^(64·kWords),
  // carried.
  template <class Address>
  CUZK_INLINE static VecField load(Address&& address) {
    Word words[kWords];
    V::load(words, address);
    return unpack<0>(words);
  }
  // load().shifted(), cheaper.
  template <class Address>
  CUZK_INLINE static VecField load_shifted(Address&& address) {
    Word words[kWords];
    V::load(words, address);
    return unpack<kShift>(words);
  }
  // The same element in every lane.
  CUZK_INLINE static VecField broadcast(const uint64_t* element) {
    return load([&](size_t) { return element; });
  }
  CUZK_INLINE static VecField zero() {
    return constant([](size_t) { return uint64_t{0}; });
  }

  template <class Address>
  CUZK_INLINE void store(Address&& address) const {
    reduced().store_carried(address);
  }
  // Stores a carried value below 2^(64·kWords) as it is.
  template <class Address>
  CUZK_INLINE void store_carried(Address&& address) const {
    Word words[kWords];
    unrolled<kWords>([&](auto index) __attribute__((always_inline)) {
      constexpr size_t k = index, first = 64 * k / 52, offset = 64 * k % 52;
      Word w = V::template shr<offset>(limb[first]);
      w = V::bit_or(w, V::template shl<52 - offset>(limb[first + 1]));
      if constexpr (2 * 52 - offset < 64 && first + 2 < kLimbs)
        w = V::bit_or(w, V::template shl<2 * 52 - offset>(limb[first + 2]));
      words[k] = w;
    });
    V::store(words, address);
  }

  // The same value with every limb below 2^52, if the value is below 2^(52·kLimbs).
  CUZK_INLINE VecField carried() const {
    VecField r = *this;
    for (size_t i = 0; i + 1 < kLimbs; ++i) {
      r.limb[i + 1] = V::add(r.limb[i + 1], V::template shr<52>(r.limb[i]));
      r.limb[i] = V::bit_and(r.limb[i], mask());
    }
    return r;
  }
  CUZK_INLINE Factor factor() const { return carried().carried_factor(); }
  // factor() of a value that is carried already (loaded, shifted, reduced).
  CUZK_INLINE Factor carried_factor() const {
    Factor f;
    for (size_t i = 0; i < kLimbs; ++i) f.limb[i] = V::factor(limb[i]);
    return f;
  }
  // 2^kShift times a carried value, carried.
  CUZK_INLINE VecField shifted() const {
    VecField r;
    for (size_t i = kLimbs; i-- > 0;) {
      r.limb[i] = V::bit_and(V::template shl<kShift>(limb[i]), mask());
      if (i > 0) r.limb[i] = V::bit_or(r.limb[i], V::template shr<52 - kShift>(limb[i - 1]));
    }
    return r;
  }

  // Carried, below 1.5 p: with q = ⌊top limb·⌊W/p⌋ / 2^52⌋, value - q·p. The top limb's rounding, ⌊W/p⌋'s and
  // the last one's make q smaller than value / p by less than 2^-16 + 0.5 + 1, as value < W / 2.
  CUZK_INLINE VecField nearly_reduced() const {
    VecField r = carried();
    Word high = V::set1(0 - V::kHighBias);
    V::mac_high(high, V::factor(r.limb[kLimbs - 1]), V::constant(Constants::quotient()));
    auto q = V::factor(high);
    constexpr auto p = Constants::multiple(1), lent = Constants::lending_multiple(0);
    Word product[kLimbs + 1];
    for (size_t i = 0; i <= kLimbs; ++i) product[i] = V::set1(0 - V::kLowBias - (i == 0 ? 0 : V::kHighBias));
    for (size_t i = 0; i < kLimbs; ++i) V::mac(product[i], product[i + 1], q, V::constant(p.limb[i]));
    for (size_t i = 0; i < kLimbs; ++i)
      r.limb[i] = V::sub(V::add(r.limb[i], V::set1(lent.limb[i])), product[i]);
    return r.carried();
  }
  // Carried, below p.
  CUZK_INLINE VecField reduced() const {
    VecField r = nearly_reduced(), less = r;
    constexpr auto p = Constants::multiple(1), lent = Constants::lending_multiple(0);
    for (size_t i = 0; i < kLimbs; ++i) less.limb[i] = V::add(r.limb[i], V::set1(lent.limb[i] - p.limb[i]));
    less = less.carried();
    Word sign = less.limb[kLimbs - 1];
    for (size_t i = 0; i < kLimbs; ++i) r.limb[i] = V::select_negative(sign, r.limb[i], less.limb[i]);
    return r;
  }

  CUZK_INLINE VecField operator+(const VecField& o) const {
    VecField r;
    for (size_t i = 0; i < kLimbs; ++i) r.limb[i] = V::add(limb[i], o.limb[i]);
    return r;
  }
  CUZK_INLINE VecField doubled() const { return *this + *this; }

 private:
  CUZK_INLINE static Word mask() { return V::set1(Constants::kMask); }
  template <class Limb>
  CUZK_INLINE static VecField constant(Limb&& limb_of) {
    VecField r;
    for (size_t i = 0; i < kLimbs; ++i) r.limb[i] = V::set1(limb_of(i));
    return r;
  }
  // Limbs of 2^kUp times the words' value.
  template <size_t kUp>
  CUZK_INLINE static VecField unpack(const Word (&words)[kWords]) {
    VecField r;
    unrolled<kLimbs>([&](auto index) __attribute__((always_inline)) {
      constexpr size_t i = index;
      if constexpr (52 * i < kUp) {
        static_assert(i == 0);
        r.limb[i] = V::bit_and(V::template shl<kUp>(words[0]), mask());
      } else {
        constexpr size_t word = (52 * i - kUp) / 64, offset = (52 * i - kUp) % 64;
        Word w = V::template shr<offset>(words[word]);
        if constexpr (offset > 12 && word + 1 < kWords)
          w = V::bit_or(w, V::template shl<64 - offset>(words[word + 1]));
        r.limb[i] = V::bit_and(w, mask());
      }
    });
    return r;
  }
};

// a - b + m·p: see the bounds above.
template <uint64_t m, class V, class Params>
CUZK_INLINE VecField<V, Params> sub(const VecField<V, Params>& a, const VecField<V, Params>& b) {
  constexpr auto lent = Limbs52<Params>::lending_multiple(m);
  VecField<V, Params> r;
  for (size_t i = 0; i < r.kLimbs; ++i)
    r.limb[i] = V::sub(V::add(a.limb[i], V::set1(lent.limb[i])), b.limb[i]);
  return r;
}

// The columns of a product under Montgomery reduction. One row is one limb of b and one digit m:
//   t += a·b_i·2^(52i);  m = -t_i/p mod 2^52;  t += m·p·2^(52i)
// after which column i is a multiple of 2^52. Without the low half of m·p_0, which is never computed, it is
// one after rounding up. A column takes at most 4·kLimbs numbers below 2^52 and a carry below 2^6: less than
// 2^57 + 2^6.
template <class V, class Params>
struct Accumulator {
  using Factor = VecFactor<V, Params>;
  using Word = typename V::Word;
  static constexpr size_t kLimbs = Limbs52<Params>::kLimbs;
  Word t[2 * kLimbs];

  // How many products a_i·b_j have i + j = column.
  static consteval uint64_t products(size_t column) {
    return column < kLimbs ? column + 1 : 2 * kLimbs - 1 - column;
  }
  // What a multiplication and a reduction each bring to a column in V's biases.
  static consteval uint64_t multiplication_bias(size_t column) {
    return products(column) * V::kLowBias + (column == 0 ? 0 : products(column - 1) * V::kHighBias);
  }
  static consteval uint64_t reduction_bias(size_t column) {
    return multiplication_bias(column) - (column < kLimbs ? V::kLowBias : 0);
  }

  template <size_t kRow>
  CUZK_INLINE void multiply_row(const Factor& a, const Factor& b) {
    unrolled<kRow == 0 ? kLimbs + 1 : 1>([&](auto index) __attribute__((always_inline)) {
      constexpr size_t column = kRow == 0 ? size_t{index} : kRow + kLimbs;
      t[column] = V::set1(0 - multiplication_bias(column) - reduction_bias(column));
    });
    for (size_t j = 0; j < kLimbs; ++j) V::mac(t[kRow + j], t[kRow + j + 1], a.limb[j], b.limb[kRow]);
    reduce_row<kRow>();
  }
  template <size_t kRow>
  CUZK_INLINE void reduce_row() {
    constexpr auto p = Limbs52<Params>::multiple(1);
    auto m = V::low_product(t[kRow], V::constant(Limbs52<Params>::negative_inverse()));
    Word carry = V::template shr<52>(V::add(t[kRow], V::set1(Limbs52<Params>::kMask)));
    V::mac_high(t[kRow + 1], V::constant(p.limb[0]), m);
    t[kRow + 1] = V::add(t[kRow + 1], carry);
    for (size_t j = 1; j < kLimbs; ++j) V::mac(t[kRow + j], t[kRow + j + 1], V::constant(p.limb[j]), m);
  }
  // All of a², columns ready for reduce_row: the products of different limbs once, doubled, then the squares
  // of limbs.
  CUZK_INLINE void square(const Factor& a) {
    unrolled<2 * kLimbs>([&](auto index) __attribute__((always_inline)) {
      constexpr size_t column = index;
      // Pairs i < j with i + j = column; their bias is doubled too.
      constexpr uint64_t low = products(column) / 2, high = column == 0 ? 0 : products(column - 1) / 2;
      t[column] = V::set1(0 - low * V::kLowBias - high * V::kHighBias);
    });
    for (size_t i = 0; i < kLimbs; ++i)
      for (size_t j = i + 1; j < kLimbs; ++j) V::mac(t[i + j], t[i + j + 1], a.limb[i], a.limb[j]);
    unrolled<2 * kLimbs>([&](auto index) __attribute__((always_inline)) {
      constexpr size_t column = index;
      constexpr uint64_t low = products(column) % 2, high = column == 0 ? 0 : products(column - 1) % 2;
      constexpr uint64_t bias = low * V::kLowBias + high * V::kHighBias + reduction_bias(column);
      t[column] = V::add(V::add(t[column], t[column]), V::set1(0 - bias));
    });
    for (size_t i = 0; i < kLimbs; ++i) V::mac(t[2 * i], t[2 * i + 1], a.limb[i], a.limb[i]);
  }
  CUZK_INLINE VecField<V, Params> result() const {
    VecField<V, Params> r;
    for (size_t i = 0; i < kLimbs; ++i) r.limb[i] = t[kLimbs + i];
    return r;
  }
};

// a·b / 2^(52·kLimbs).
template <class V, class Params>
CUZK_INLINE VecField<V, Params> mul(const VecFactor<V, Params>& a, const VecFactor<V, Params>& b) {
  Accumulator<V, Params> sum;
  unrolled<a.kLimbs>([&](auto row) __attribute__((always_inline)) { sum.template multiply_row<row>(a, b); });
  return sum.result();
}

// r0 = mul(a0, b0), r1 = mul(a1, b1), row by row in turn: the digits of one are computed while the other
// multiplies.
template <class V, class Params>
CUZK_INLINE void mul2(VecField<V, Params>& r0, const VecFactor<V, Params>& a0, const VecFactor<V, Params>& b0,
                      VecField<V, Params>& r1, const VecFactor<V, Params>& a1,
                      const VecFactor<V, Params>& b1) {
  Accumulator<V, Params> sum0, sum1;
  unrolled<a0.kLimbs>([&](auto row) __attribute__((always_inline)) {
    sum0.template multiply_row<row>(a0, b0);
    sum1.template multiply_row<row>(a1, b1);
  });
  r0 = sum0.result();
  r1 = sum1.result();
}

// mul(a, a).
template <class V, class Params>
CUZK_INLINE VecField<V, Params> sqr(const VecFactor<V, Params>& a) {
  Accumulator<V, Params> sum;
  sum.square(a);
  unrolled<a.kLimbs>([&](auto row) __attribute__((always_inline)) { sum.template reduce_row<row>(); });
  return sum.result();
}

// a·b of two plain, carried values below 2.2 r (Fr) or 9.8 p (Fp).
template <class V, class Params>
CUZK_INLINE VecField<V, Params> operator*(const VecField<V, Params>& a, const VecField<V, Params>& b) {
  return mul(a.shifted().carried_factor(), b.carried_factor());
}

#undef CUZK_INLINE

template <class V>
using VecFr = VecField<V, FrParams>;
template <class V>
using VecFp = VecField<V, FpParams>;

}  // namespace cuzk::simd
