// The stacked graph that labels follow: each node's parents in its own layer (a depth-robust graph by bucket
// sampling) and in the layer before (an expander by a Feistel permutation).
// Source: storage-proofs-core 19 (`drgraph`, `crypto/feistel`), storage-proofs-porep 19 (`graph`).
#pragma once

#include <array>

#include "filecoin/registered_proof.hpp"
#include "filecoin/sector.hpp"

namespace cuzk {

class StackedGraph {
 public:
  StackedGraph(uint64_t nodes, const Bytes32& porep_id, ApiVersion api);

  using Parents = std::array<uint32_t, kDrgParents + kExpanderParents>;
  // Base parents first. node < nodes.
  Parents parents(uint64_t node) const;

 private:
  void base_parents(uint64_t node, Parents& out) const;
  uint32_t expander_parent(uint64_t node, uint64_t i) const;
  uint64_t permuted_once(uint64_t index) const;

  uint64_t nodes_;
  ApiVersion api_;
  Bytes32 drg_seed_;  // the node's number goes into the last four bytes
  std::array<uint64_t, 3> feistel_keys_;
  unsigned half_bits_;
};

}  // namespace cuzk
