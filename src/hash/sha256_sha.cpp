// SHA-256 with the x86 SHA extensions. Compiled with -msha -msse4.1; only called where the CPU has them.
// Source: Intel, "Intel SHA Extensions" (2013): state kept as ABEF and CDGH, four rounds a step.
#include "hash/sha256_kernels.hpp"

#if defined(__SHA__) && defined(__SSE4_1__)
#include <cpuid.h>
#include <immintrin.h>

#include "hash/sha256.hpp"

namespace cuzk::detail {

bool cpu_has_sha_extensions() {
  unsigned a, b, c, d;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSE4_1) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

void sha256_compress_sha(std::array<uint32_t, 8>& state, const uint8_t* blocks, size_t count) {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto* words = reinterpret_cast<__m128i*>(state.data());
  __m128i dcba = _mm_loadu_si128(words), hgfe = _mm_loadu_si128(words + 1);
  __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count > 0; --count, blocks += 64) {
    const __m128i abef_before = abef, cdgh_before = cdgh;
    __m128i w[4];  // words 4i … 4i + 3 of the schedule at index i mod 4
    for (int i = 0; i < 16; ++i) {
      if (i < 4) {
        w[i] =
            _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(blocks + 16 * i)), big_endian);
      } else {
        const __m128i previous = w[(i + 3) & 3];
        __m128i sum = _mm_sha256msg1_epu32(w[i & 3], w[(i + 1) & 3]);
        sum = _mm_add_epi32(sum, _mm_alignr_epi8(previous, w[(i + 2) & 3], 4));
        w[i & 3] = _mm_sha256msg2_epu32(sum, previous);
      }
      const __m128i constants =
          _mm_loadu_si128(reinterpret_cast<const __m128i*>(kSha256RoundConstants.data() + 4 * i));
      const __m128i wk = _mm_add_epi32(w[i & 3], constants);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, wk);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(wk, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128(words, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128(words + 1, _mm_alignr_epi8(dchg, feba, 8));
}

}  // namespace cuzk::detail

#else

namespace cuzk::detail {

bool cpu_has_sha_extensions() {
  return false;
}
void sha256_compress_sha(std::array<uint32_t, 8>& state, const uint8_t* blocks, size_t count) {
  sha256_compress_portable(state, blocks, count);
}

}  // namespace cuzk::detail

#endif
