#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
#include "field/simd/avx2.hpp"
#include "hash/poseidon_kernel.hpp"

namespace cuzk::detail {

const PoseidonKernel kPoseidonAvx2 = poseidon_kernel<simd::Avx2>();

}  // namespace cuzk::detail
#endif
