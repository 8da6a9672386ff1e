#include "device/device.hpp"

namespace cuzk {

ProofShape KeyMaterial::shape() const {
  ProofShape shape;
  shape.num_inputs = circuit->num_inputs;
  shape.num_aux = circuit->num_aux;
  shape.num_constraints = circuit->num_constraints();
  shape.nonzeros = circuit->a.nonzeros() + circuit->b.nonzeros() + circuit->c.nonzeros();
  shape.coefficients = circuit->coefficients.size();
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
