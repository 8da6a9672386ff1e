#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/ifma.hpp"
#include "poly/ntt_tile.hpp"

namespace cuzk::detail {

const NttKernels kNttIfma = {simd::Ifma::kLanes, ntt_pass<simd::Ifma, false>, ntt_pass<simd::Ifma, true>};

}  // namespace cuzk::detail
#endif
