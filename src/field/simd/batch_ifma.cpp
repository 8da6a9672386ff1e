#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/batch_kernels.hpp"
#include "field/simd/ifma.hpp"

namespace cuzk::simd {

const BatchKernels kBatchIfma = {Ifma::kLanes, mul_batch_kernel<Ifma, FrParams>,
                                 mul_batch_kernel<Ifma, FpParams>};

}  // namespace cuzk::simd
#endif
