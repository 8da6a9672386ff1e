// Vanilla proofs of SnapDeals (sector updates).
#pragma once

#include <vector>

#include "base/executor.hpp"
#include "filecoin/circuits/update_circuit.hpp"
#include "filecoin/inputs/bincode.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// bincode of storage-proofs-update's PartitionProof, with the commitments that prover and verifier know.
struct UpdateInput {
  uint64_t sector_bytes = 0;
  uint32_t partition = 0;
  Bytes32 comm_r_old{}, comm_d_new{}, comm_r_new{};
  UpdateWitness circuit;

  // What the file repeats or the circuit computes.
  struct Challenge {
    Fr root_r_old, root_d_new, root_r_new, leaf_r_new;
  };
  std::vector<Challenge> challenges;
};

struct UpdateStatement {
  uint64_t sector_bytes = 0;
  uint32_t partition = 0;
  Bytes32 comm_r_old{}, comm_d_new{}, comm_r_new{};
};

// Checks that the file is whole, has as many challenges and apex leaves as the circuit, and every path has
// the shape of the sector size. Errors: kInvalidInput.
Result<UpdateInput> parse_update_input(Bytes bincode, const UpdateStatement& statement);

// The vanilla proofs of consecutive partitions, the first one statement.partition, one after the other.
Result<std::vector<UpdateInput>> parse_update_inputs(Bytes bincode, UpdateStatement statement);

// Checks paths, commitments, encodings, apex leaves and challenged nodes. Errors: kInvalidInput, naming
// challenge and field.
Status check_update_input(const UpdateInput& input);

void synthesize_update(const UpdateInput& input, ConstraintSystem& cs);

// The same as a compact witness. Threads: challenges are spread over the executor.
CompactWitness compact_update(const UpdateInput& input, Executor& executor);

}  // namespace cuzk
