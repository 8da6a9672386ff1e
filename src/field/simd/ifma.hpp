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

  CUZK_INLINE __m256i load256(const uint64_t* p) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
  }
  CUZK_INLINE __m128i load128(const uint64_t* p) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
  }

  template <size_t kWords, class Address>
  CUZK_INLINE void load(Word (&out)[kWords], Address&& address) {
    static_assert(kWords == 4 || kWords == 6);
    // Words 0 … 3 of lanes l and l+2 side by side; unpacked with those of lanes l+1 and l+3, an even word
    // lies in quarters 0 and 2, an odd one in quarters 1 and 3, lanes in order.
    auto two = [&](size_t l) {
      return _mm512_inserti64x4(_mm512_castsi256_si512(load256(address(l))), load256(address(l + 2)), 1);
    };
    const __m512i a = two(0), b = two(1), c = two(4), d = two(5);
    const __m512i ab02 = _mm512_unpacklo_epi64(a, b), ab13 = _mm512_unpackhi_epi64(a, b);
    const __m512i cd02 = _mm512_unpacklo_epi64(c, d), cd13 = _mm512_unpackhi_epi64(c, d);
    out[0] = _mm512_shuffle_i64x2(ab02, cd02, 0x88), out[1] = _mm512_shuffle_i64x2(ab13, cd13, 0x88);
    out[2] = _mm512_shuffle_i64x2(ab02, cd02, 0xdd), out[3] = _mm512_shuffle_i64x2(ab13, cd13, 0xdd);
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
    // first: words 0 and 1 of the even or the odd lanes, second: words 2 and 3; a quarter a lane.
    auto four_lanes = [&](size_t l, __m512i first, __m512i second) {
      auto put = [&](size_t lane, __m512i v) {  // lanes `lane` and lane + 2
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(address(lane)), _mm512_castsi512_si256(v));
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(address(lane + 2)), _mm512_extracti64x4_epi64(v, 1));
      };
      put(l, _mm512_permutex2var_epi64(first, _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), second));
      put(l + 4, _mm512_permutex2var_epi64(first, _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15), second));
    };
    four_lanes(0, _mm512_unpacklo_epi64(in[0], in[1]), _mm512_unpacklo_epi64(in[2], in[3]));
    four_lanes(1, _mm512_unpackhi_epi64(in[0], in[1]), _mm512_unpackhi_epi64(in[2], in[3]));
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
