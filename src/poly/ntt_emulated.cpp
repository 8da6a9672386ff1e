#include "field/simd/emulated.hpp"
#include "poly/ntt_tile.hpp"

namespace cuzk::detail {

const NttKernels kNttEmulated = {simd::Emulated::kLanes, ntt_pass<simd::Emulated, false>,
                                 ntt_pass<simd::Emulated, true>};

}  // namespace cuzk::detail
