#include "device/cpu/cpu_circuit.hpp"

#include <algorithm>
#include <atomic>

#include "r1cs/evaluate.hpp"

namespace cuzk::detail {
namespace {

bool products_match(std::span<const Fr> a, std::span<const Fr> b, std::span<const Fr> c, Executor& executor) {
  std::atomic<bool> match = true;
  parallel_ranges(executor, c.size(), 1024, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (!(a[i] * b[i] == c[i])) match.store(false, std::memory_order_relaxed);
    }
  });
  return match;
}

// One plain matrix, written to the front of out.
void evaluate_rows(const R1cs& circuit, const SparseMatrix& matrix, const WitnessInput& witness,
                   std::span<Fr> out, Executor& executor) {
  std::visit([&](const auto& w) { cuzk::evaluate(matrix, circuit.coefficients, w, out, executor); }, witness);
}

size_t witness_size(const WitnessInput& witness) {
  return std::visit([](const auto& w) { return w.size(); }, witness);
}

}  // namespace

CpuCircuit::CpuCircuit(Matrices matrices) : matrices_(std::move(matrices)) {
  if (matrices_.stored()) evaluator_ = std::make_unique<const StoredEvaluator>(matrices_.stored());
}

Result<const CompactWitness*> CpuCircuit::packed(const WitnessInput& witness, CompactWitness& storage) const {
  const CompactWitness* w = &storage;
  if (const auto* values = std::get_if<std::span<const Fr>>(&witness)) {
    CUZK_ASSIGN(storage, compact(matrices_.stored()->witness_shape(), *values));
  } else {
    w = &std::get<WitnessView>(witness).packed();
  }
  CUZK_TRY(check_witness_form(*matrices_.stored(), *w));
  return w;
}

Status CpuCircuit::evaluate(const WitnessInput& witness, std::span<Fr> a, std::span<Fr> b,
                            Executor& executor) const {
  if (witness_size(witness) != matrices_.num_variables()) {
    return invalid("the witness has " + std::to_string(witness_size(witness)) + " values, the circuit has " +
                   std::to_string(matrices_.num_variables()) + " variables");
  }
  const size_t rows = matrices_.num_constraints(), inputs = matrices_.num_inputs();
  if (evaluator_) {
    CompactWitness storage;
    CUZK_ASSIGN(const CompactWitness* w, packed(witness, storage));
    evaluator_->evaluate(*w, a, b, {}, executor);
  } else {
    const R1cs& circuit = *matrices_.plain();
    evaluate_rows(circuit, circuit.a, witness, a.first(rows), executor);
    evaluate_rows(circuit, circuit.b, witness, b.first(rows), executor);
  }
  std::visit(
      [&](const auto& w) {
        for (size_t i = 0; i < inputs; ++i) a[rows + i] = w[i];
      },
      witness);
  std::fill(a.begin() + static_cast<std::ptrdiff_t>(rows + inputs), a.end(), Fr::zero());
  std::fill(b.begin() + static_cast<std::ptrdiff_t>(rows), b.end(), Fr::zero());
  return {};
}

Status CpuCircuit::check(const WitnessInput& witness, std::span<const Fr> a, std::span<const Fr> b,
                         std::span<Fr> scratch, Executor& executor) const {
  if (!matrices_.has_c()) return {};
  if (evaluator_) {
    CompactWitness storage;
    CUZK_ASSIGN(const CompactWitness* w, packed(witness, storage));
    const auto bad = evaluator_->first_unsatisfied(*w, executor);
    return bad ? unsatisfied(*bad) : Status{};
  }
  const R1cs& circuit = *matrices_.plain();
  const std::span<Fr> c = scratch.first(circuit.num_constraints());
  evaluate_rows(circuit, circuit.c, witness, c, executor);
  if (products_match(a, b, c, executor)) return {};
  // Slow and rare: which one.
  std::vector<Fr> values;
  if (const auto* view = std::get_if<WitnessView>(&witness))
    for (size_t i = 0; i < view->size(); ++i) values.push_back((*view)[i]);
  else
    values.assign(std::get<0>(witness).begin(), std::get<0>(witness).end());
  return check_satisfied(circuit, values, executor);
}

}  // namespace cuzk::detail
