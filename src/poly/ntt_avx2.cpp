#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/avx2.hpp"
#include "poly/ntt_tile.hpp"

namespace cuzk::detail {

const NttKernels kNttAvx2 = {simd::Avx2::kLanes, ntt_pass<simd::Avx2, false>, ntt_pass<simd::Avx2, true>};

}  // namespace cuzk::detail
#endif
