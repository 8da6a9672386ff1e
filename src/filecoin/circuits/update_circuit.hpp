// The circuit of SnapDeals (EmptySectorUpdate with a SHA-256 tree D), as storage-proofs-update 19 synthesises
// it.
#pragma once

#include <span>

#include "gadgets/merkle_circuit.hpp"

namespace cuzk {

struct UpdateChallenge {
  Fr leaf_r_old, leaf_d_new;
  MerklePath path_r_old, path_d_new, path_r_new;  // only the siblings enter the circuit
};

struct UpdateWitness {
  uint64_t k_and_h_select =
      0;  // partition, then from bit log2(partitions) which number of high bits is taken
  Fr comm_r_old, comm_d_new, comm_r_new;
  Fr comm_c, root_r_old, root_r_new;
  std::vector<Fr> apex_leaves;  // this partition's part of a row of the new tree D
  std::vector<UpdateChallenge> challenges;
};

// What all challenges of a partition refer to.
struct UpdateHeader {
  PathBits partition_bits, select_bits;
  AllocatedNum phi, root_r_old, root_r_new;
  std::vector<AllocatedNum> apex_leaves;
  std::vector<PathBits> challenges;  // bits of each below the partition's
};

// The tree over the apex leaves (a power of two), and the path from its root by the partition's bits to the
// root of tree D.
void apex_circuit(ConstraintSystem& cs, std::vector<AllocatedNum> apex_leaves,
                  std::span<const Boolean> partition_bits, std::span<const AllocatedNum> partition_path,
                  const AllocatedNum& root);

// The two parts of update_circuit(): the first once, then the second for each challenge. Where the system
// leaves parts for later, they refer to `witness`, `header` and `challenge`.
UpdateHeader update_header_circuit(ConstraintSystem& cs, uint64_t sector_bytes, const UpdateWitness& witness);
void update_challenge_circuit(ConstraintSystem& cs, uint64_t sector_bytes, const UpdateHeader& header,
                              size_t number, const UpdateChallenge& challenge);

// Public inputs: k_and_h_select, comm_r_old, comm_d_new, comm_r_new.
void update_circuit(ConstraintSystem& cs, uint64_t sector_bytes, const UpdateWitness& witness);

UpdateWitness blank_update_witness(uint64_t sector_bytes);

}  // namespace cuzk
