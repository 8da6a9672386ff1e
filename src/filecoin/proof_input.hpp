// The input of one proof of any kind, all its partitions: what commands and the engine prove.
#pragma once

#include <variant>

#include "filecoin/inputs/porep_input.hpp"
#include "filecoin/inputs/post_input.hpp"
#include "filecoin/inputs/update_input.hpp"
#include "filecoin/statement.hpp"

namespace cuzk {

// The partitions of one update that are at hand: all of them, or a single one.
struct UpdateInputs {
  UpdatePublic statement;
  std::vector<UpdateInput> partitions;  // ascending
};

class ProofInput {
 public:
  using Form = std::variant<PorepInput, PostInput, UpdateInputs>;

  explicit ProofInput(Form form) : form_(std::move(form)) {}
  const Form& form() const { return form_; }

  CircuitId circuit() const;
  // Of the whole proof.
  uint32_t partitions() const;
  // What a verifier of the proof will know. Errors: kInvalidInput for a PoRep whose miner or sector number is
  // not known.
  Result<Statement> statement() const;

  // Everything that the input states about the partition, recomputed. Errors: kInvalidInput, naming place and
  // field.
  // Threads: spread over the executor.
  Status check(uint32_t partition, Executor& executor) const;
  // Runs the circuit. Errors: kInvalidInput if the partition is not there.
  Status synthesize(uint32_t partition, ConstraintSystem& cs) const;
  // The same as a compact witness.
  Result<CompactWitness> compact(uint32_t partition, Executor& executor) const;

 private:
  Form form_;
};

}  // namespace cuzk
