#include "field/simd/batch_kernels.hpp"
#include "field/simd/emulated.hpp"

namespace cuzk::simd {

const BatchKernels kBatchEmulated = {Emulated::kLanes, mul_batch_kernel<Emulated, FrParams>,
                                     mul_batch_kernel<Emulated, FpParams>};

}  // namespace cuzk::simd
