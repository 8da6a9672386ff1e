#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/avx2.hpp"
#include "msm/simd_add_kernels.hpp"

namespace cuzk::detail {

const SimdAddKernels kSimdAddG1Avx2 = SimdAddG1<simd::Avx2>::kernels("avx2", 1024);
const SimdAddKernels kSimdAddG2Avx2 = SimdAddG2<simd::Avx2>::kernels("avx2", 1024);

}  // namespace cuzk::detail
#endif
