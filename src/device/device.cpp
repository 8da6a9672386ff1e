#include "device/device.hpp"

namespace cuzk {

ProofShape KeyMaterial::shape() const {
  ProofShape shape;
  const Matrices m = matrices();
  shape.num_inputs = m.num_inputs();
  shape.num_aux = m.num_aux();
  shape.num_constraints = m.num_constraints();
  shape.nonzeros = m.nonzeros();
  shape.coefficients = m.num_coefficients();
  shape.stored_bytes = stored ? stored->stored_bytes() : 0;
  shape.domain_size = domain_size;
  shape.quotient_basis = quotient_basis;
  shape.domain_root = domain_root;
  shape.num_h = h->size();
  shape.num_l = l->size();
  shape.num_a = a->size();
  shape.num_b = b_g1->size();
  return shape;
}

}  // namespace cuzk
