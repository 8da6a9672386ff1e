// Merkle paths outside circuits, and the proof structure that Filecoin's vanilla proofs are made of.
#pragma once

#include "gadgets/merkle_circuit.hpp"

namespace cuzk {

// A leaf's inclusion, with the root and leaf that the network's form repeats.
struct MerkleProof {
  Fr root, leaf;
  MerklePath path;
};

// The node above `children` in a tree of this hash.
Fr merkle_node(TreeHash hash, std::span<const Fr> children);

// The root that a leaf's path leads to. The path has the tree's shape.
Fr merkle_root(const TreeShape& tree, const Fr& leaf, const MerklePath& path);

// The leaf's number that the path's places spell.
uint64_t path_index(const TreeShape& tree, const MerklePath& path);

// Whether rows, siblings and places fit the tree.
bool path_has_shape(const TreeShape& tree, uint64_t leaves, const MerklePath& path);

}  // namespace cuzk
