// The shape pass: records a circuit's constraints as sparse matrices.
#pragma once

#include "r1cs/constraint_system.hpp"
#include "r1cs/r1cs.hpp"

namespace cuzk {

class ShapeSystem final : public ConstraintSystem {
 public:
  ShapeSystem() : ConstraintSystem(false) {}

  Variable alloc(const Name&, const Fr&) override { return Variable::aux(r1cs_.num_aux++); }
  Variable alloc_input(const Name&, const Fr&) override { return Variable::input(r1cs_.num_inputs++); }
  void enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) override;

  // The finished matrices: inputs first, then auxiliaries; terms of a row in that order. Call once, at the
  // end. Memory: 8 bytes a term, and 4 a row and matrix.
  R1cs take();

 private:
  void push_row(SparseMatrix& matrix, LinearTerms terms);

  R1cs r1cs_;
  LinearCombination scratch_;
};

}  // namespace cuzk
