#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/ifma.hpp"
#include "msm/simd_add_kernels.hpp"

namespace cuzk::detail {

const SimdAddKernels kSimdAddG1Ifma = SimdAddG1<simd::Ifma>::kernels("ifma", 2048);
const SimdAddKernels kSimdAddG2Ifma = SimdAddG2<simd::Ifma>::kernels("ifma", 2048);

}  // namespace cuzk::detail
#endif
