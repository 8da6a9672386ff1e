#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/ifma.hpp"
#include "field/simd/vec_field_test_kernels.hpp"

namespace cuzk::simd {

const TestKernels kTestIfma = {Ifma::kLanes, test_expressions<Ifma, FrParams>,
                               test_expressions<Ifma, FpParams>};

}  // namespace cuzk::simd
#endif
