// A circuit's matrices as the CPU device holds them, plain or stored. Internal to device/cpu.
#pragma once

#include <memory>

#include "base/executor.hpp"
#include "device/device.hpp"
#include "r1cs/template_evaluate.hpp"

namespace cuzk::detail {

class CpuCircuit {
 public:
  explicit CpuCircuit(Matrices matrices);

  const Matrices& matrices() const { return matrices_; }

  // a and b over the whole domain, as DeviceOperations::evaluate has them. Errors: kInvalidInput (the witness
  // has not the circuit's sizes or no constant one), kUnsatisfied (a full witness, stored matrices, and a
  // value that is no bit where the circuit has one).
  Status evaluate(const WitnessInput& witness, std::span<Fr> a, std::span<Fr> b, Executor& executor) const;

  // Whether every constraint holds, where the circuit has its C. a, b: from evaluate. scratch: an element for
  // each constraint. Errors: kUnsatisfied, naming the first that fails.
  Status check(const WitnessInput& witness, std::span<const Fr> a, std::span<const Fr> b,
               std::span<Fr> scratch, Executor& executor) const;

 private:
  Result<const CompactWitness*> packed(const WitnessInput& witness, CompactWitness& storage) const;

  Matrices matrices_;
  std::unique_ptr<const StoredEvaluator> evaluator_;  // of stored matrices
};

}  // namespace cuzk::detail
