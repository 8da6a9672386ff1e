#include "r1cs/density.hpp"

namespace cuzk {
namespace {

void mark(const SparseMatrix& matrix, std::vector<bool>& used) {
  for (const Term& term : matrix.terms()) used[term.variable] = true;
}

VariableSet members(const std::vector<bool>& set, bool value) {
  VariableSet out;
  for (size_t i = 0; i < set.size(); ++i) {
    if (set[i] == value) out.push_back(static_cast<uint32_t>(i));
  }
  return out;
}

}  // namespace

Density density_of(const R1cs& circuit) {
  std::vector<bool> in_a(circuit.num_variables()), in_b(circuit.num_variables());
  for (size_t i = 0; i < circuit.num_inputs; ++i) in_a[i] = true;
  mark(circuit.a, in_a);
  mark(circuit.b, in_b);
  return {members(in_a, true), members(in_b, true)};
}

VariableSet unused_variables(const R1cs& circuit) {
  std::vector<bool> used(circuit.num_variables());
  if (!used.empty()) used[0] = true;
  mark(circuit.a, used);
  mark(circuit.b, used);
  mark(circuit.c, used);
  return members(used, false);
}

}  // namespace cuzk
