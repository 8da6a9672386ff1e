#include "msm/kernel.hpp"

namespace cuzk::detail {

template <class G>
Kernel<G> active_kernel() {
  return {"scalar", batch_add<typename G::Field>, Fp::one(), Fp::one()};
}

template Kernel<G1> active_kernel<G1>();
template Kernel<G2> active_kernel<G2>();

}  // namespace cuzk::detail
