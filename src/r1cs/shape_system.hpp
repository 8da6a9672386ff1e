// The shape pass: records a circuit's constraints as sparse matrices.
#pragma once

#include "r1cs/constraint_system.hpp"
#include "r1cs/r1cs.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

class ShapeSystem final : public ConstraintSystem {
 public:
  ShapeSystem() : ConstraintSystem(false) {}

  Variable alloc(const Name&, const Fr&) override { return Variable::aux(num_aux_++); }
  Variable alloc_input(const Name&, const Fr&) override { return Variable::input(num_inputs_++); }
  Variable alloc_bit(const Name&, bool) override {
    bits_.push_back(static_cast<uint32_t>(num_aux_));
    return Variable::aux(num_aux_++);
  }
  void enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) override;

  // The finished matrices: inputs first, then auxiliaries; terms of a row in that order. Call once, at the
  // end. Memory: 8 bytes a term, and 4 a row and matrix.
  R1cs take();
  // Which variables are bits: the constant one and those that the circuit allocated as such. Before or after
  // take().
  WitnessShape witness_shape() const;

 private:
  void push_row(SparseMatrix& matrix, LinearTerms terms);

  R1cs r1cs_;
  size_t num_inputs_ = 1, num_aux_ = 0;
  std::vector<uint32_t> bits_;  // auxiliaries
  LinearCombination scratch_;
};

}  // namespace cuzk
