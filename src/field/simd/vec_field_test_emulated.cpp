#include "field/simd/emulated.hpp"
#include "field/simd/vec_field_test_kernels.hpp"

namespace cuzk::simd {

const TestKernels kTestEmulated = {Emulated::kLanes, test_expressions<Emulated, FrParams>,
                                   test_expressions<Emulated, FpParams>};

}  // namespace cuzk::simd
