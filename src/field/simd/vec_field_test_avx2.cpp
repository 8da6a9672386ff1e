#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/avx2.hpp"
#include "field/simd/vec_field_test_kernels.hpp"

namespace cuzk::simd {

const TestKernels kTestAvx2 = {Avx2::kLanes, test_expressions<Avx2, FrParams>,
                               test_expressions<Avx2, FpParams>};

}  // namespace cuzk::simd
#endif
