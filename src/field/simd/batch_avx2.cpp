#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/avx2.hpp"
#include "field/simd/batch_kernels.hpp"

namespace cuzk::simd {

const BatchKernels kBatchAvx2 = {Avx2::kLanes, mul_batch_kernel<Avx2, FrParams>,
                                 mul_batch_kernel<Avx2, FpParams>};

}  // namespace cuzk::simd
#endif
