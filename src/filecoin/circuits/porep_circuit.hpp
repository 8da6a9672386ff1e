// The circuit of StackedDRG proofs of replication, as storage-proofs-porep 19 synthesises it.
#pragma once

#include <span>

#include "filecoin/registered_proof.hpp"
#include "gadgets/merkle_circuit.hpp"

namespace cuzk {

// The labels of one node in all layers, and the path of the column's hash in tree C.
struct PorepColumn {
  std::vector<Fr> labels;
  MerklePath path;
};

// What one challenge puts into the circuit.
struct PorepChallenge {
  uint64_t node = 0;
  Fr data;                           // the node of the unsealed data
  MerklePath data_path;              // in tree D
  MerklePath replica_path;           // of the encoded node in tree R (last)
  MerklePath column_path;            // of the challenged node's column in tree C
  std::vector<PorepColumn> parents;  // the base graph's, then the expander's
};

struct PorepCommitments {
  Fr replica_id, comm_d, comm_r, comm_r_last, comm_c;
};

// What all challenges of a partition refer to.
struct PorepHeader {
  AllocatedNum comm_d, comm_r_last, comm_c;
  NumberBits replica_id;  // 256 bits as labels take them
  Bytes32 replica_id_bytes;
};
inline constexpr size_t kPorepHeaderInputs = 3, kPorepChallengeInputs = 18;

// The two parts of porep_circuit(): the first once, then the second for each challenge. Where the system
// leaves parts for later, they refer to the second's arguments.
PorepHeader porep_header_circuit(ConstraintSystem& cs, const PorepCommitments& commitments);
void porep_challenge_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepHeader& header,
                             size_t number, const PorepChallenge& challenge);

// Public inputs: replica id, comm_d, comm_r; for each challenge its place in tree D, its parents' places in
// tree C, itself, its place in trees R and C.
void porep_circuit(ConstraintSystem& cs, const TreeShape& tree, const PorepCommitments& commitments,
                   std::span<const PorepChallenge* const> challenges);

// A challenge of the right shape with zeros, for passes that want no values.
PorepChallenge blank_porep_challenge(const TreeShape& tree, uint64_t nodes, uint32_t layers);

// The label of a node: SHA-256 of replica id, layer, node and 37 parents, cut to 254 bits. Bits of numbers
// most significant first in each byte, 256 each; `node` 64 bits, least significant first.
AllocatedNum create_label_circuit(ConstraintSystem& cs, std::span<const Boolean> replica_id,
                                  std::span<const NumberBits* const> parents, uint32_t layer,
                                  std::span<const Boolean> node);

}  // namespace cuzk
