#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/ifma.hpp"
#include "hash/poseidon_kernel.hpp"

namespace cuzk::detail {

const PoseidonKernel kPoseidonIfma = poseidon_kernel<simd::Ifma>();

}  // namespace cuzk::detail
#endif
