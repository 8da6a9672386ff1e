#include "r1cs/shape_system.hpp"

namespace cuzk {

void ShapeSystem::push_row(SparseMatrix& matrix, LinearTerms terms) {
  scratch_.assign(terms.begin(), terms.end());
  normalise(scratch_);
  for (const LinearTerm& t : scratch_)
    matrix.push_term({t.variable.id, r1cs_.coefficients.index_of(t.coefficient)});
  matrix.end_row();
}

void ShapeSystem::enforce(const Name&, LinearTerms a, LinearTerms b, LinearTerms c) {
  push_row(r1cs_.a, a);
  push_row(r1cs_.b, b);
  push_row(r1cs_.c, c);
}

R1cs ShapeSystem::take() {
  r1cs_.num_inputs = num_inputs_;
  r1cs_.num_aux = num_aux_;
  // Only now is the number of inputs known, behind which auxiliaries are numbered.
  const auto inputs = static_cast<uint32_t>(num_inputs_);
  const auto final_number = [inputs](uint32_t id) {
    return (id & Variable::kAuxBit) != 0 ? inputs + (id & ~Variable::kAuxBit) : id;
  };
  for (SparseMatrix* matrix : {&r1cs_.a, &r1cs_.b, &r1cs_.c}) matrix->map_variables(final_number);
  return std::move(r1cs_);
}

WitnessShape ShapeSystem::witness_shape() const {
  WitnessShape shape(num_inputs_ + num_aux_);
  shape.mark_bit(0);
  for (uint32_t aux : bits_) shape.mark_bit(num_inputs_ + aux);
  shape.finish();
  return shape;
}

}  // namespace cuzk
