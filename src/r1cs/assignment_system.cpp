#include "r1cs/assignment_system.hpp"

namespace cuzk {

AssignmentSystem::AssignmentSystem(RowSink row, size_t expected_aux)
    : ConstraintSystem(true), row_(std::move(row)), inputs_{Fr::one()} {
  aux_.reserve(expected_aux);
}

Variable AssignmentSystem::alloc(const Name&, const Fr& value) {
  aux_.push_back(value);
  return Variable::aux(aux_.size() - 1);
}

Variable AssignmentSystem::alloc_input(const Name&, const Fr& value) {
  inputs_.push_back(value);
  return Variable::input(inputs_.size() - 1);
}

Fr AssignmentSystem::evaluate(LinearTerms terms) const {
  Fr sum = Fr::zero();
  for (const LinearTerm& t : terms) {
    const Fr& value = t.variable.is_aux() ? aux_[t.variable.index()] : inputs_[t.variable.index()];
    if (value.is_zero()) continue;
    if (value.is_one())
      sum += t.coefficient;
    else if (t.coefficient.is_one())
      sum += value;
    else
      sum += t.coefficient * value;
  }
  return sum;
}

void AssignmentSystem::enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) {
  const Fr va = evaluate(a), vb = evaluate(b), vc = evaluate(c);
  if (!(va * vb == vc)) {
    if (unsatisfied_++ == 0) first_ = Unsatisfied{constraints_, path_.join(name)};
  }
  ++constraints_;
  if (row_) row_(va, vb, vc);
}

}  // namespace cuzk
