// Products as a loop over rows, for vector types with few registers and short pipelines' worth of reordering
// (AVX2).
//
// The unrolled products of vec_field.hpp are thousands of instructions: a kernel that uses several of them no
// longer fits the cache of decoded instructions, and each takes 42 ns a lane on Zen 3 where it takes 23 ns
// alone. A row here is 120 instructions, whatever is called next to it.
//
// A window of columns slides over the product: position j in row i is column i + j. Row i: the products
// a_j·b_i are added while the digit D of column i is prepared; then D·2^(-52) mod p is added above it and
// column i leaves. The last row clears its column with m·p instead, which keeps the result small: a·b/W
// + 2.01 p (see Accumulator).
#pragma once

#include "field/simd/vec_field.hpp"

namespace cuzk::simd {

#define CUZK_INLINE [[gnu::always_inline]] inline

// kProducts: how many products are summed before they are reduced, 1 or 2.
template <class V, class Params, size_t kProducts>
struct RolledProduct {
  using Word = typename V::Word;
  using Constants = Limbs52<Params>;
  static constexpr size_t kLimbs = Constants::kLimbs;
  static constexpr size_t kWindow = kLimbs + 2;

  // What V's biases bring to position j in a row: by the multiplication, by a digit, by the last row's m·p.
  static consteval uint64_t multiplication_bias(size_t j) {
    return kProducts * ((j < kLimbs ? V::kLowBias : 0) + (j >= 1 && j <= kLimbs ? V::kHighBias : 0));
  }
  static consteval uint64_t digit_bias(size_t j) {
    return (j >= 1 && j <= kLimbs ? V::kLowBias : 0) + (j >= 2 && j <= kLimbs + 1 ? V::kHighBias : 0);
  }
  static consteval uint64_t last_bias(size_t j) {
    return (j >= 1 && j < kLimbs ? V::kLowBias : 0) + (j >= 1 && j <= kLimbs ? V::kHighBias : 0);
  }
  // What a column receives from row `row` on, where it is at position j.
  static consteval uint64_t bias_from(size_t j, size_t row) {
    uint64_t bias = 0;
    for (; row < kLimbs; ++row) {
      bias += multiplication_bias(j) + (row + 1 < kLimbs ? digit_bias(j) : last_bias(j));
      if (j-- == 0) break;
    }
    return bias;
  }
  // The column at position j of the last row was set for a stay to the very end if it came in at the top:
  // what was subtracted for it too much.
  static consteval uint64_t overpaid(size_t j) {
    size_t at_start = j + kLimbs - 1;
    if (at_start < kWindow) return 0;
    return bias_from(kWindow - 1, 0) - bias_from(kWindow - 1, at_start - (kWindow - 1));
  }

  // multiply(t, kFirst, row): adds row `row` of the products to t, from position kFirst up.
  template <class Multiply>
  CUZK_INLINE static VecField<V, Params> run(Multiply&& multiply) {
    Word t[kWindow];
    unrolled<kWindow>([&](auto j) __attribute__((always_inline)) { t[j] = V::set1(0 - bias_from(j, 0)); });
    multiply(t, std::integral_constant<size_t, 0>{}, 0);
    constexpr auto c = Constants::inverse_power(1);
#pragma GCC unroll 1
    for (size_t row = 0; row + 1 < kLimbs; ++row) {
      auto digit = V::low_factor(t[0]);
      t[1] = V::add(t[1], V::template shr<52>(t[0]));
      multiply(t, std::integral_constant<size_t, 1>{},
               row + 1);  // of the next row: it fills the wait for the digit
      unrolled<kLimbs>([&](auto j) __attribute__((always_inline)) {
        V::mac(t[1 + j], t[2 + j], V::constant(c.limb[j]), digit);
      });
      unrolled<kWindow - 1>([&](auto j) __attribute__((always_inline)) { t[j] = t[j + 1]; });
      t[kWindow - 1] = V::set1(0 - bias_from(kWindow - 1, 0));
    }
    clear_last_column(t);
    VecField<V, Params> r;
    unrolled<kLimbs>([&](auto j) __attribute__((always_inline)) {
      constexpr uint64_t correction = overpaid(1 + j);
      r.limb[j] = V::add(t[1 + j], V::set1(correction));
    });
    return r;
  }

 private:
  CUZK_INLINE static void clear_last_column(Word (&t)[kWindow]) {
    constexpr auto p = Constants::multiple(1);
    auto m = V::low_product(t[0], V::constant(Constants::negative_inverse()));
    Word carry = V::template shr<52>(V::add(t[0], V::set1(Constants::kMask)));
    V::mac_high(t[1], V::constant(p.limb[0]), m);
    t[1] = V::add(t[1], carry);
    unrolled<kLimbs - 1>([&](auto j) __attribute__((always_inline)) {
      V::mac(t[1 + j], t[2 + j], V::constant(p.limb[1 + j]), m);
    });
  }
};

// The contracts of mul() and mul_sum() in vec_field.hpp.
template <class V, class Params>
CUZK_INLINE VecField<V, Params> mul_rolled(const VecFactor<V, Params>& a, const VecFactor<V, Params>& b) {
  return RolledProduct<V, Params, 1>::run(
      [&](auto& t, auto first, size_t row) __attribute__((always_inline)) {
        auto x = b.limb[row];
        unrolled<a.kLimbs>([&](auto j) __attribute__((always_inline)) {
          V::mac(t[first + j], t[first + j + 1], a.limb[j], x);
        });
      });
}
template <class V, class Params>
CUZK_INLINE VecField<V, Params> mul_sum_rolled(const VecFactor<V, Params>& a0, const VecFactor<V, Params>& b0,
                                               const VecFactor<V, Params>& a1,
                                               const VecFactor<V, Params>& b1) {
  return RolledProduct<V, Params, 2>::run(
      [&](auto& t, auto first, size_t row) __attribute__((always_inline)) {
        auto x0 = b0.limb[row], x1 = b1.limb[row];
        unrolled<a0.kLimbs>([&](auto j) __attribute__((always_inline)) {
          V::mac(t[first + j], t[first + j + 1], a0.limb[j], x0);
          V::mac(t[first + j], t[first + j + 1], a1.limb[j], x1);
        });
      });
}

#undef CUZK_INLINE

}  // namespace cuzk::simd
