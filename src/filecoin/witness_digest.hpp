// Digests of an assignment by the plain witness pass, as reference vectors have them.
#pragma once

#include <functional>
#include <optional>

#include "base/result.hpp"
#include "filecoin/circuit_digest.hpp"
#include "r1cs/assignment_system.hpp"

namespace cuzk {

struct WitnessDigest {
  std::vector<Fr> inputs;  // the constant one first
  uint64_t num_aux = 0, num_constraints = 0, num_unsatisfied = 0;
  uint64_t aux_zero = 0, aux_one = 0;
  std::optional<AssignmentSystem::Unsatisfied> first_unsatisfied;
  BlockHasher::Digest input_digest, aux_digest, a_digest, b_digest, c_digest;
  std::vector<BlockHasher::Digest> aux_blocks;
};

// synthesize: runs a circuit with its assignment. Memory: 32 bytes a variable. expected_aux: how many there
// will be.
Result<WitnessDigest> digest_witness(const std::function<Status(ConstraintSystem&)>& synthesize,
                                     size_t expected_aux = 0);

}  // namespace cuzk
