// AVX-512 IFMA: eight lanes, 52-bit multiply-add in the integer unit. Only for translation units compiled
// with -mavx512f -mavx512vl -mavx512dq -mavx512ifma.
#pragma once

#include <immintrin.h>

#include <cstddef>
#include <cstdint>

namespace cuzk::simd {

struct Ifma {
  static constexpr size_t kLanes = 8;
  static constexpr bool kRolled = false;
  static constexpr uint64_t kLowBias = 0, kHighBias = 0;
  using Word = __m512i;
  using Factor = __m512i;
  using Scalar = uint64_t;

#define CUZK_INLINE [[gnu::always_inline]] static inline
  template <class F>
  CUZK_INLINE void run(F&& f) {
    f();
  }

  CUZK_INLINE Word set1(uint64_t x) { return _mm512_set1_epi64(static_cast<long long>(x)); }
  CUZK_INLINE Word add(Word a, Word b) { return _mm512_add_epi64(a, b); }
  CUZK_INLINE Word sub(Word a, Word b) { return _mm512_sub_epi64(a, b); }
  CUZK_INLINE Word bit_and(Word a, Word b) { return _mm512_and_si512(a, b); }
  CUZK_INLINE Word bit_or(Word a, Word b) { return _mm512_or_si512(a, b); }
  template <int kBits>
  CUZK_INLINE Word shl(Word a) {
    return _mm512_slli_epi64(a, kBits);
  }
  template <int kBits>
  CUZK_INLINE Word shr(Word a) {
    return _mm512_srli_epi64(a, kBits);
  }
  CUZK_INLINE bool any_negative(Word a) { return _mm512_movepi64_mask(a) != 0; }
  CUZK_INLINE Word select_negative(Word sign, Word a, Word b) {
    return _mm512_mask_blend_epi64(_mm512_movepi64_mask(sign), b, a);
  }

  CUZK_INLINE Scalar scalar(uint64_t x) { return x; }
  CUZK_INLINE Factor spread(Scalar x) { return set1(x); }
  CUZK_INLINE Factor constant(uint64_t x) { return set1(x); }
  CUZK_INLINE Factor factor(Word a) { return a; }
  CUZK_INLINE Word word(Factor a) { return a; }
  CUZK_INLINE void mac(Word& lo, Word& hi, Factor a, Factor b) {
    hi = _mm512_madd52hi_epu64(hi, a, b);
    lo = _mm512_madd52lo_epu64(lo, a, b);
  }
  CUZK_INLINE void mac_high(Word& hi, Factor a, Factor b) { hi = _mm512_madd52hi_epu64(hi, a, b); }
  CUZK_INLINE Factor low_factor(Word a) { return a; }  // the multiplier takes 52 bits only
  CUZK_INLINE Factor low_product(Word a, Factor b) {
    return _mm512_madd52lo_epu64(_mm512_setzero_si512(), a, b);
  }

  // Rows of four words, one from each of four lanes, to columns; and back.
  CUZK_INLINE void transpose4(__m256i (&r)[4]) {
    __m256i a = _mm256_unpacklo_epi64(r[0], r[1]), b = _mm256_unpackhi_epi64(r[0], r[1]);
    __m256i c = _mm256_unpacklo_epi64(r[2], r[3]), d = _mm256_unpackhi_epi64(r[2], r[3]);
    r[0] = _mm256_permute2x128_si256(a, c, 0x20), r[1] = _mm256_permute2x128_si256(b, d, 0x20);
    r[2] = _mm256_permute2x128_si256(a, c, 0x31), r[3] = _mm256_permute2x128_si256(b, d, 0x31);
  }
  CUZK_INLINE __m256i load256(const uint64_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  CUZK_INLINE __m128i load128(const uint64_t* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  }

  template <size_t kWords, class Address>
  CUZK_INLINE void load(Word (&out)[kWords], Address&& address) {
    static_assert(kWords == 4 || kWords == 6);
    __m256i low[4], high[4];
    for (size_t l = 0; l < 4; ++l) low[l] = load256(address(l)), high[l] = load256(address(l + 4));
    transpose4(low), transpose4(high);
    for (size_t k = 0; k < 4; ++k) out[k] = _mm512_inserti64x4(_mm512_castsi256_si512(low[k]), high[k], 1);
    if constexpr (kWords == 6) {
      auto four = [&](size_t l) {  // words 4 and 5 of lanes l, l+2, l+4, l+6
        __m512i v = _mm512_castsi128_si512(load128(address(l) + 4));
        v = _mm512_inserti64x2(v, load128(address(l + 2) + 4), 1);
        v = _mm512_inserti64x2(v, load128(address(l + 4) + 4), 2);
        return _mm512_inserti64x2(v, load128(address(l + 6) + 4), 3);
      };
      __m512i even = four(0), odd = four(1);
      out[4] = _mm512_unpacklo_epi64(even, odd), out[5] = _mm512_unpackhi_epi64(even, odd);
    }
  }
  template <size_t kWords, class Address>
  CUZK_INLINE void store(const Word (&in)[kWords], Address&& address) {
    static_assert(kWords == 4 || kWords == 6);
    __m256i low[4], high[4];
    for (size_t k = 0; k < 4; ++k)
      low[k] = _mm512_castsi512_si256(in[k]), high[k] = _mm512_extracti64x4_epi64(in[k], 1);
    transpose4(low), transpose4(high);
    for (size_t l = 0; l < 4; ++l) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(address(l)), low[l]);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(address(l + 4)), high[l]);
    }
    if constexpr (kWords == 6) {
      auto four = [&](size_t l, __m512i v) {
        auto put = [&](size_t lane, __m128i pair) {
          _mm_storeu_si128(reinterpret_cast<__m128i*>(address(lane) + 4), pair);
        };
        put(l, _mm512_castsi512_si128(v)), put(l + 2, _mm512_extracti64x2_epi64(v, 1));
        put(l + 4, _mm512_extracti64x2_epi64(v, 2)), put(l + 6, _mm512_extracti64x2_epi64(v, 3));
      };
      four(0, _mm512_unpacklo_epi64(in[4], in[5])), four(1, _mm512_unpackhi_epi64(in[4], in[5]));
    }
  }
#undef CUZK_INLINE
};

}  // namespace cuzk::simd
