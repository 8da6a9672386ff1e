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
//   factor    needs value < W and limbs < 2^64 - 2^12
//   mul, sqr  value <= a·b/W + 2.01 r (Fr), 3.01 p (Fp), limbs < 2^57 + 2^7. With the shift of x < p for a:
//             0.46·b + 2.01 r, 0.11·b + 3.01 p. With 2^kShift·x mod p for a: b/35 + 2.01 r, b/2^35 + 3.01 p
//   a + b     adds values and limbs
//   sub<m>    a - b + m·p: needs b <= m·p and limbs of b <= 2^58 (carried, or the sum of at most two
//   products; or
//             what the second argument says, sub<m, 60>); gives limbs <= a's + 2^58 + 2^52
//   store     needs what factor needs: stores the value below p
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
  // m·p with 2^loan_bits lent to every limb but the top one by the limb above it.
  static consteval Array lending_multiple(uint64_t m, size_t loan_bits) {
    Array r = multiple(m);
    for (size_t i = 0; i + 1 < kLimbs; ++i) {
      r.limb[i] += uint64_t{1} << loan_bits;
      r.limb[i + 1] -= uint64_t{1} << (loan_bits - 52);
    }
    return r;
  }
  // -1/p mod 2^52, by Newton's iteration.
  static consteval uint64_t negative_inverse() {
    uint64_t x = 1, p0 = Params::kModulus.limb[0];
    for (int i = 0; i < 6; ++i) x *= 2 - p0 * x;
    return (0 - x) & kMask;
  }
  // 2^(-52·digits) mod p: `digits` times x = (x + m·p) / 2^52 with m = -x/p mod 2^52, from 1.
  static consteval Array inverse_power(size_t digits) {
    Array x{};
    x.limb[0] = 1;
    for (; digits > 0; --digits) {
      uint64_t m = x.limb[0] * negative_inverse() & kMask;
      unsigned __int128 carry = 0;
      for (size_t i = 0; i <= kLimbs; ++i) {
        carry += static_cast<unsigned __int128>(m) * Params::kModulus.bits(52 * i, 52);
        if (i < kLimbs) carry += x.limb[i];
        if (i > 0) x.limb[i - 1] = static_cast<uint64_t>(carry) & kMask;
        carry >>= 52;
      }
    }
    return x;
  }
  // ⌊2^(52·kLimbs + kQuotientBits) / p⌋, by long division; below 2^52.
  static constexpr size_t kQuotientBits = kWords == 4 ? 46 : 16;
  static consteval uint64_t quotient() {
    constexpr size_t kMore = kWords + 2;
    auto rest = BigInt<kMore>::from_u64(1).shifted_left(52 * kLimbs + kQuotientBits);
    BigInt<kMore> p{};
    for (size_t i = 0; i < kWords; ++i) p.limb[i] = Params::kModulus.limb[i];
    uint64_t q = 0;
    for (size_t i = 52; i-- > 0;) {
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

  VecFactor() = default;
  // Limb by limb: g++ copies the whole in smaller pieces than limbs, which the next load has to wait for.
  CUZK_INLINE VecFactor(const VecFactor& o) { *this = o; }
  CUZK_INLINE VecFactor& operator=(const VecFactor& o) {
    for (size_t i = 0; i < kLimbs; ++i) limb[i] = o.limb[i];
    return *this;
  }
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

  VecField() = default;
  CUZK_INLINE VecField(const VecField& o) { *this = o; }  // as VecFactor's
  CUZK_INLINE VecField& operator=(const VecField& o) {
    for (size_t i = 0; i < kLimbs; ++i) limb[i] = o.limb[i];
    return *this;
  }

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

  // Carried, below 1.001 p.
  CUZK_INLINE VecField nearly_reduced() const {
    VecField r = carried();
    return r.less_quotient(r.limb[kLimbs - 1]);
  }
  // Carried, below p.
  CUZK_INLINE VecField reduced() const { return nearly_reduced().completely_reduced(); }
  // The same for the result of mul() or sqr(), cheaper.
  CUZK_INLINE VecField reduced_product() const {
    return less_quotient(V::add(limb[kLimbs - 1], V::template shr<52>(limb[kLimbs - 2])))
        .completely_reduced();
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
  // value - q·p, carried: q = ⌊top·⌊2^k·W/p⌋ / 2^(52+k)⌋, k = kQuotientBits; top: the whole limbs from the
  // top one up in the value, or 1 less. Both roundings take less than 2^-15 from value/p before the last one,
  // so the result is below 1.001 p.
  CUZK_INLINE VecField less_quotient(Word top) const {
    constexpr auto p = Constants::multiple(1), lent = Constants::lending_multiple(0, 58);
    Word high = V::set1(0 - V::kHighBias);
    V::mac_high(high, V::factor(top), V::constant(Constants::quotient()));
    auto q = V::factor(V::template shr<Constants::kQuotientBits>(high));
    Word product[kLimbs + 1];
    for (size_t i = 0; i <= kLimbs; ++i) product[i] = V::set1(0 - V::kLowBias - (i == 0 ? 0 : V::kHighBias));
    for (size_t i = 0; i < kLimbs; ++i) V::mac(product[i], product[i + 1], q, V::constant(p.limb[i]));
    VecField r;
    for (size_t i = 0; i < kLimbs; ++i)
      r.limb[i] = V::sub(V::add(limb[i], V::set1(lent.limb[i])), product[i]);
    return r.carried();
  }
  // From a carried value below 2p. Values whose top limb is not below p's are few (2^-17 of them), unless
  // they were chosen.
  CUZK_INLINE VecField completely_reduced() const {
    constexpr auto p = Constants::multiple(1), lent = Constants::lending_multiple(0, 58);
    if (!V::any_negative(V::sub(V::set1(p.limb[kLimbs - 1] - 1), limb[kLimbs - 1]))) [[likely]]
      return *this;
    VecField r = *this, less;
    for (size_t i = 0; i < kLimbs; ++i) less.limb[i] = V::add(limb[i], V::set1(lent.limb[i] - p.limb[i]));
    less = less.carried();
    for (size_t i = 0; i < kLimbs; ++i)
      r.limb[i] = V::select_negative(less.limb[kLimbs - 1], limb[i], less.limb[i]);
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
template <uint64_t m, size_t kLoanBits = 58, class V, class Params>
CUZK_INLINE VecField<V, Params> sub(const VecField<V, Params>& a, const VecField<V, Params>& b) {
  constexpr auto lent = Limbs52<Params>::lending_multiple(m, kLoanBits);
  VecField<V, Params> r;
  for (size_t i = 0; i < r.kLimbs; ++i)
    r.limb[i] = V::sub(V::add(a.limb[i], V::set1(lent.limb[i])), b.limb[i]);
  return r;
}

// The columns of a product under Montgomery reduction. The usual step clears one column:
//   m = n·t_i mod 2^52 with n = -1/p mod 2^52;  t += m·p·2^(52i)
// Only the last column is cleared so. (The low half of m·p_0 is never computed: without it the column becomes
// a multiple of 2^52 by rounding up.) The columns before it are cleared one or two (d) at a time by
//   D = t mod 2^(52d), columns i and up;  t += D·(c - 2^(-52d))·2^(52(i+d)) with c = 2^(-52d) mod p
// where no digit waits for a multiplication, which halves the chain of dependent operations. That adds a
// multiple of p below 2^(52(2d+i))·p, at most W·p where 2d + i <= kLimbs; the last column adds at most W·p.
// As only two such steps (Fp) or one (Fr) come near W·p, the result is below a·b/W + 3.01 p (Fp) or + 2.01 r
// (Fr). A column takes at most 4·kLimbs numbers below 2^52 and a carry: below 2^57 + 2^6.
//
// kProducts: how many products are summed before they are reduced, 1 or 2. Two leave columns below 48·2^52.
template <class V, class Params, size_t kProducts = 1>
struct Accumulator {
  using Factor = VecFactor<V, Params>;
  using Word = typename V::Word;
  using Constants = Limbs52<Params>;
  static constexpr size_t kLimbs = Constants::kLimbs;
  Word t[2 * kLimbs];

  // How many products of limbs i, j have i + j = column.
  static constexpr uint64_t products(size_t column) {
    return column < kLimbs ? column + 1 : 2 * kLimbs - 1 - column;
  }
  // What V's biases bring to a column, by the multiplication and by the reduction.
  static consteval uint64_t multiplication_bias(size_t column) {
    return products(column) * V::kLowBias + (column == 0 ? 0 : products(column - 1) * V::kHighBias);
  }
  // How many columns are cleared at once when rows 0 … row have been multiplied; the last column stands
  // apart.
  static consteval size_t digits(size_t row) {
    constexpr size_t kFp[] = {0, 2, 0, 2, 0, 2, 1, 0}, kFr[] = {0, 2, 1, 1, 0};
    return kLimbs == 8 ? kFp[row] : kFr[row];
  }
  static consteval uint64_t reduction_bias(size_t column) {
    uint64_t bias = 0;
    auto product = [&](size_t low, bool with_low) {
      if (low == column && with_low) bias += V::kLowBias;
      if (low + 1 == column) bias += V::kHighBias;
    };
    for (size_t j = 0; j < kLimbs; ++j) {
      for (size_t row = 0; row < kLimbs; ++row)
        for (size_t k = 0; k < digits(row); ++k) product(row + 1 + k + j, true);
      product(kLimbs - 1 + j, j > 0);
    }
    return bias;
  }
  // The first column that the rows before this one do not touch.
  static consteval size_t columns_before(size_t row) {
    size_t end = 0;
    for (size_t r = 0; r < row; ++r) {
      size_t touched = r + digits(r) + kLimbs + 1;
      end = touched > end ? touched : end;
    }
    return end;
  }

  // Sets the columns that row kRow is the first to touch.
  template <size_t kRow>
    requires(kRow < kLimbs)
  CUZK_INLINE void start_columns() {
    constexpr size_t kBegin = columns_before(kRow), kEnd = columns_before(kRow + 1);
    unrolled<kEnd - kBegin>([&](auto index) __attribute__((always_inline)) {
      constexpr size_t column = kBegin + index;
      t[column] = V::set1(0 - kProducts * multiplication_bias(column) - reduction_bias(column));
    });
  }
  template <size_t kRow>
  CUZK_INLINE void multiply_row(const Factor& a, const Factor& b) {
    start_columns<kRow>();
    for (size_t j = 0; j < kLimbs; ++j) V::mac(t[kRow + j], t[kRow + j + 1], a.limb[j], b.limb[kRow]);
    reduce_row<kRow>();
  }
  template <size_t kRow>
    requires(kProducts == 2)
  CUZK_INLINE void multiply_row(const Factor& a0, const Factor& b0, const Factor& a1, const Factor& b1) {
    start_columns<kRow>();
    for (size_t j = 0; j < kLimbs; ++j) {
      V::mac(t[kRow + j], t[kRow + j + 1], a0.limb[j], b0.limb[kRow]);
      V::mac(t[kRow + j], t[kRow + j + 1], a1.limb[j], b1.limb[kRow]);
    }
    reduce_row<kRow>();
  }
  template <size_t kRow>
  CUZK_INLINE void reduce_row() {
    if constexpr (kRow + 1 < kLimbs) {
      constexpr size_t kDigits = digits(kRow), kFirst = kRow + 1 - kDigits;
      constexpr auto c = Constants::inverse_power(kDigits);
      typename V::Factor m[kDigits + 1];
      for (size_t k = 0; k < kDigits; ++k) {
        m[k] = V::low_factor(t[kFirst + k]);
        t[kFirst + k + 1] = V::add(t[kFirst + k + 1], V::template shr<52>(t[kFirst + k]));
      }
      for (size_t j = 0; j < kLimbs; ++j)
        for (size_t k = 0; k < kDigits; ++k)
          V::mac(t[kRow + 1 + k + j], t[kRow + 2 + k + j], V::constant(c.limb[j]), m[k]);
    } else {
      constexpr auto p = Constants::multiple(1);
      auto m = V::low_product(t[kRow], V::constant(Constants::negative_inverse()));
      Word carry = V::template shr<52>(V::add(t[kRow], V::set1(Constants::kMask)));
      V::mac_high(t[kRow + 1], V::constant(p.limb[0]), m);
      t[kRow + 1] = V::add(t[kRow + 1], carry);
      for (size_t j = 1; j < kLimbs; ++j) V::mac(t[kRow + j], t[kRow + j + 1], V::constant(p.limb[j]), m);
    }
  }
  // Column by column, so that the products of one overlap the reduction of the one before. Products of
  // different limbs come once, in `mixed` (this column's and the next one's), and are doubled.
  template <size_t kColumn>
  CUZK_INLINE void square_column(const Factor& a, Word (&mixed)[2]) {
    if constexpr (kColumn < kLimbs) start_columns<kColumn>();
    if constexpr (kColumn == 0) mixed[0] = V::set1(0);
    mixed[1] = V::set1(0);
    for (size_t i = kColumn < kLimbs ? 0 : kColumn - kLimbs + 1; 2 * i < kColumn; ++i)
      V::mac(mixed[0], mixed[1], a.limb[i], a.limb[kColumn - i]);
    if constexpr (kColumn % 2 == 0)
      V::mac(t[kColumn], t[kColumn + 1], a.limb[kColumn / 2], a.limb[kColumn / 2]);
    t[kColumn] = V::add(t[kColumn], V::add(mixed[0], mixed[0]));
    mixed[0] = mixed[1];
    if constexpr (kColumn < kLimbs) reduce_row<kColumn>();
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

// (a0·b0 + a1·b1) / 2^(52·kLimbs) with one reduction: value <= (a0·b0 + a1·b1)/W + 3.01 p.
template <class V, class Params>
CUZK_INLINE VecField<V, Params> mul_sum(const VecFactor<V, Params>& a0, const VecFactor<V, Params>& b0,
                                        const VecFactor<V, Params>& a1, const VecFactor<V, Params>& b1) {
  Accumulator<V, Params, 2> sum;
  unrolled<a0.kLimbs>([&](auto row)
                          __attribute__((always_inline)) { sum.template multiply_row<row>(a0, b0, a1, b1); });
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
  typename V::Word mixed[2];
  unrolled<2 * a.kLimbs - 1>(
      [&](auto column) __attribute__((always_inline)) { sum.template square_column<column>(a, mixed); });
  constexpr size_t kTop = 2 * a.kLimbs - 1;
  sum.t[kTop] = V::add(sum.t[kTop], V::add(mixed[0], mixed[0]));
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
