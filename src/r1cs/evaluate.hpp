// Evaluation of constraint systems at a witness.
#pragma once

#include <optional>
#include <span>

#include "base/executor.hpp"
#include "base/result.hpp"
#include "r1cs/r1cs.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// out[i] = row i of the matrix times w. out: matrix.rows() elements. w: one value for each variable (the
// caller has checked the length). Cost: an addition for each term whose coefficient is ±2^k or whose value is
// 0 or 1, else a multiplication. Threads: rows are spread over the executor.
void evaluate(const SparseMatrix& matrix, const CoefficientTable& table, std::span<const Fr> w,
              std::span<Fr> out, Executor& executor);
void evaluate(const SparseMatrix& matrix, const CoefficientTable& table, const WitnessView& w,
              std::span<Fr> out, Executor& executor);

// One row.
Fr evaluate_row(std::span<const Term> row, const CoefficientTable& table, std::span<const Fr> w);

struct UnsatisfiedConstraint {
  size_t index;
  Fr a, b, c;  // A·w, B·w, C·w of this constraint
};

// The first constraint that w does not satisfy, if there is one.
std::optional<UnsatisfiedConstraint> first_unsatisfied(const R1cs& circuit, std::span<const Fr> w,
                                                       Executor& executor);

// The error that names it: kUnsatisfied, with its values in hex.
Status unsatisfied(const UnsatisfiedConstraint& constraint);

// Checks length, w[0] = 1 and every constraint. Errors: kInvalidInput (length), kUnsatisfied (names the first
// failing constraint with its values in hex).
Status check_satisfied(const R1cs& circuit, std::span<const Fr> w, Executor& executor);

// Length and w[0] = 1 alone.
Status check_witness_form(size_t num_variables, std::span<const Fr> w);

}  // namespace cuzk
