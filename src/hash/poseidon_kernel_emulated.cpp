#include "field/simd/emulated.hpp"
#include "hash/poseidon_kernel.hpp"

namespace cuzk::detail {

const PoseidonKernel kPoseidonEmulated = poseidon_kernel<simd::Emulated>();

}  // namespace cuzk::detail
