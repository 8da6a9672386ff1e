// AVX2 with FMA3: four lanes; 52-bit multiply-add with double-precision fused multiply-add, as AVX-512 IFMA
// does it with integers. Only for translation units compiled with -mavx2 -mfma -frounding-math.
//
// With a, b < 2^52 integers and rounding toward zero,
//   hi = fma(a, b, 2^104)                = 2^104 + 2^52·⌊ab / 2^52⌋, whose low 52 bits as an integer are ⌊ab
//   / 2^52⌋; lo = fma(a, b, (2^104 + 2^52) - hi)  = 2^52 + (ab mod 2^52), exact, low bits likewise.
// Both are added as integers, exponent bits and all: kLowBias and kHighBias say what comes on top, and who
// accumulates subtracts that in advance. Source: N. Emmart, F. Zheng, C. Weems, "Faster modular
// exponentiation using double precision floating point arithmetic on the GPU" (ARITH 2018).
//
// (Rounding to nearest would do with limbs of 51 bits, but five of those leave Fr no spare bit.)
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace cuzk::simd {

struct Avx2 {
  static constexpr size_t kLanes = 4;
  static constexpr bool kRolled = true;  // products as loops: rolled.hpp
  static constexpr uint64_t kLowBias = 0x4330000000000000,
                            kHighBias = 0x4670000000000000;  // 2^52, 2^104 as doubles
  using Word = __m256i;
  using Scalar = double;
  using Factor = __m256d;  // integers below 2^52

#define CUZK_INLINE [[gnu::always_inline]] static inline
  // Runs f with rounding toward zero, which mac() and low_product() need. A real call: the compiler moves
  // floating-point operations across a change of the mode, but not across that.
  template <class F>
  CUZK_INLINE void run(F&& f) {
    unsigned saved = _mm_getcsr();
    _mm_setcsr(saved | _MM_ROUND_TOWARD_ZERO);
    call(f);
    _mm_setcsr(saved);
  }
  template <class F>
  [[gnu::noipa]] static void call(F& f) {
    f();
  }

  CUZK_INLINE Word set1(uint64_t x) { return _mm256_set1_epi64x(static_cast<long long>(x)); }
  CUZK_INLINE Word add(Word a, Word b) { return _mm256_add_epi64(a, b); }
  CUZK_INLINE Word sub(Word a, Word b) { return _mm256_sub_epi64(a, b); }
  CUZK_INLINE Word bit_and(Word a, Word b) { return _mm256_and_si256(a, b); }
  CUZK_INLINE Word bit_or(Word a, Word b) { return _mm256_or_si256(a, b); }
  template <int kBits>
  CUZK_INLINE Word shl(Word a) {
    return _mm256_slli_epi64(a, kBits);
  }
  template <int kBits>
  CUZK_INLINE Word shr(Word a) {
    return _mm256_srli_epi64(a, kBits);
  }
  CUZK_INLINE bool any_negative(Word a) { return _mm256_movemask_pd(_mm256_castsi256_pd(a)) != 0; }
  CUZK_INLINE Word select_negative(Word sign, Word a, Word b) {
    return _mm256_castpd_si256(
        _mm256_blendv_pd(_mm256_castsi256_pd(b), _mm256_castsi256_pd(a), _mm256_castsi256_pd(sign)));
  }

  CUZK_INLINE Scalar scalar(uint64_t x) { return static_cast<double>(static_cast<int64_t>(x)); }
  CUZK_INLINE Factor spread(Scalar x) { return _mm256_set1_pd(x); }
  CUZK_INLINE Factor constant(uint64_t x) { return _mm256_set1_pd(static_cast<double>(x)); }
  CUZK_INLINE Factor factor(Word a) {
    return _mm256_sub_pd(_mm256_castsi256_pd(bit_or(a, set1(kLowBias))), two52());
  }
  CUZK_INLINE Word word(Factor a) {
    return sub(_mm256_castpd_si256(_mm256_add_pd(a, two52())), set1(kLowBias));
  }
  CUZK_INLINE void mac(Word& lo, Word& hi, Factor a, Factor b) {
    __m256d h = _mm256_fmadd_pd(a, b, two104());
    hi = add(hi, _mm256_castpd_si256(h));
    lo = add(lo, _mm256_castpd_si256(_mm256_fmadd_pd(a, b, _mm256_sub_pd(two104_plus_two52(), h))));
  }
  CUZK_INLINE void mac_high(Word& hi, Factor a, Factor b) {
    hi = add(hi, _mm256_castpd_si256(_mm256_fmadd_pd(a, b, two104())));
  }
  CUZK_INLINE Factor low_factor(Word a) { return factor(bit_and(a, set1((uint64_t{1} << 52) - 1))); }
  CUZK_INLINE Factor low_product(Word a, Factor b) {
    __m256d x = low_factor(a);
    return _mm256_fmadd_pd(x, b, _mm256_sub_pd(two104(), _mm256_fmadd_pd(x, b, two104())));
  }

  CUZK_INLINE void transpose4(__m256i (&r)[4]) {
    __m256i a = _mm256_unpacklo_epi64(r[0], r[1]), b = _mm256_unpackhi_epi64(r[0], r[1]);
    __m256i c = _mm256_unpacklo_epi64(r[2], r[3]), d = _mm256_unpackhi_epi64(r[2], r[3]);
    r[0] = _mm256_permute2x128_si256(a, c, 0x20), r[1] = _mm256_permute2x128_si256(b, d, 0x20);
    r[2] = _mm256_permute2x128_si256(a, c, 0x31), r[3] = _mm256_permute2x128_si256(b, d, 0x31);
  }

  template <size_t kWords, class Address>
  CUZK_INLINE void load(Word (&out)[kWords], Address&& address) {
    static_assert(kWords == 4 || kWords == 6);
    __m256i rows[4];
    for (size_t l = 0; l < 4; ++l) rows[l] = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(address(l)));
    transpose4(rows);
    for (size_t k = 0; k < 4; ++k) out[k] = rows[k];
    if constexpr (kWords == 6) {
      auto pair = [&](size_t l) {  // words 4 and 5 of lanes l and l+2
        return _mm256_loadu2_m128i(reinterpret_cast<const __m128i*>(address(l + 2) + 4),
                                   reinterpret_cast<const __m128i*>(address(l) + 4));
      };
      __m256i even = pair(0), odd = pair(1);
      out[4] = _mm256_unpacklo_epi64(even, odd), out[5] = _mm256_unpackhi_epi64(even, odd);
    }
  }
  template <size_t kWords, class Address>
  CUZK_INLINE void store(const Word (&in)[kWords], Address&& address) {
    static_assert(kWords == 4 || kWords == 6);
    __m256i rows[4] = {in[0], in[1], in[2], in[3]};
    transpose4(rows);
    for (size_t l = 0; l < 4; ++l) _mm256_storeu_si256(reinterpret_cast<__m256i*>(address(l)), rows[l]);
    if constexpr (kWords == 6) {
      auto pair = [&](size_t l, __m256i v) {
        _mm256_storeu2_m128i(reinterpret_cast<__m128i*>(address(l + 2) + 4),
                             reinterpret_cast<__m128i*>(address(l) + 4), v);
      };
      pair(0, _mm256_unpacklo_epi64(in[4], in[5])), pair(1, _mm256_unpackhi_epi64(in[4], in[5]));
    }
  }

 private:
  CUZK_INLINE __m256d two52() { return _mm256_castsi256_pd(set1(kLowBias)); }
  CUZK_INLINE __m256d two104() { return _mm256_castsi256_pd(set1(kHighBias)); }
  CUZK_INLINE __m256d two104_plus_two52() { return _mm256_castsi256_pd(set1(kHighBias + 1)); }
#undef CUZK_INLINE
};

}  // namespace cuzk::simd
