// Evaluation of stored matrices straight from a compact witness.
#pragma once

#include <optional>

#include "r1cs/evaluate.hpp"
#include "r1cs/stored_matrices.hpp"

namespace cuzk {

class StoredEvaluator {
 public:
  // Prepares the rows of every form: a few bytes a term of the forms, not of the circuit.
  explicit StoredEvaluator(std::shared_ptr<const StoredMatrices> matrices);
  ~StoredEvaluator();

  const StoredMatrices& matrices() const { return *matrices_; }

  // a[i] = A_i·w, b[i] = B_i·w, and c[i] = C_i·w where c is not empty, for every constraint; spans may be
  // longer. The witness has the form of matrices().witness_shape(); the caller has checked its sizes (fits).
  // Threads: pieces are spread over the executor. Memory: a megabyte a thread.
  void evaluate(const CompactWitness& w, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c,
                Executor& executor) const;

  // The first constraint that does not hold.
  std::optional<UnsatisfiedConstraint> first_unsatisfied(const CompactWitness& w, Executor& executor) const;

 private:
  struct CompiledForm;
  struct Locals;

  void load(const MatrixPiece& piece, const CompactWitness& w, Locals& locals) const;
  void evaluate_side(const CompiledForm& form, size_t side, const Locals& locals, Fr* out) const;

  std::shared_ptr<const StoredMatrices> matrices_;
  std::vector<CompiledForm> forms_;
  size_t most_bits_ = 0, most_wide_ = 0;
  std::vector<size_t> chunks_;  // pieces at which tasks begin, and the end
};

// Whether a witness has the sizes that the matrices ask for, and its constant is one. Errors: kInvalidInput.
Status check_witness_form(const StoredMatrices& matrices, const CompactWitness& w);

}  // namespace cuzk
