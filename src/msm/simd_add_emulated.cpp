#include "field/simd/emulated.hpp"
#include "msm/simd_add_kernels.hpp"

namespace cuzk::detail {

const SimdAddKernels kSimdAddG1Emulated = SimdAddG1<simd::Emulated>::kernels("emulated", 1024);
const SimdAddKernels kSimdAddG2Emulated = SimdAddG2<simd::Emulated>::kernels("emulated", 1024);

}  // namespace cuzk::detail
