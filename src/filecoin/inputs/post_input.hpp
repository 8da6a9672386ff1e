// Vanilla proofs of WinningPoSt and WindowPoSt: what FallbackPoSt proofs are made from.
#pragma once

#include <optional>
#include <vector>

#include "base/executor.hpp"
#include "filecoin/circuits/post_circuit.hpp"
#include "filecoin/inputs/bincode.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// bincode of filecoin-proofs' FallbackPoStSectorProof.
struct PostSectorProof {
  uint64_t sector_id = 0;
  Bytes32 comm_r{};
  PostSector circuit;          // its leaves are the challenges'
  std::vector<Fr> leaf_roots;  // of each inclusion proof: all comm_r_last
};

// Checks that the file is whole and every path has the shape of the sector size. Errors: kInvalidInput.
Result<PostSectorProof> parse_post_sector_proof(Bytes bincode, uint64_t sector_bytes);

// One or more of them, one after the other.
Result<std::vector<PostSectorProof>> parse_post_sector_proofs(Bytes bincode, uint64_t sector_bytes);

struct PostInput {
  uint64_t sector_bytes = 0;
  bool winning = false;
  ApiVersion api = ApiVersion::kV1_2;  // winning: always 1.0
  Bytes32 randomness{};
  std::vector<PostSectorProof> sectors;  // of all partitions; winning: one
  std::optional<uint64_t> miner;         // nothing that is proved depends on it

  uint32_t partitions() const;
  Result<std::vector<Fr>> public_inputs(uint32_t partition) const;
};

// Checks paths, commitments and challenged leaves of a partition. Errors: kInvalidInput, naming sector,
// challenge and field.
Status check_post_input(const PostInput& input, uint32_t partition);

// Runs the circuit of a partition. Errors: kInvalidInput if there is no such partition or a sector has not
// as many challenges as the circuit.
Status synthesize_post(const PostInput& input, uint32_t partition, ConstraintSystem& cs);

// The same as a compact witness. Threads: sectors are spread over the executor.
Result<CompactWitness> compact_post(const PostInput& input, uint32_t partition, Executor& executor);

}  // namespace cuzk
