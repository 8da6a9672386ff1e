// Trees too large to build, of which a few leaves are known or whose leaves repeat.
#pragma once

#include <functional>
#include <map>

#include "base/executor.hpp"
#include "filecoin/merkle.hpp"

namespace cuzk {

// Some leaves are set; every subtree without one has a value that is chosen.
class SparseTree {
 public:
  // chosen(level, index): the value of a node (level 0: leaves) above no known leaf. Called by several
  // threads.
  using Chosen = std::function<Fr(size_t level, uint64_t index)>;
  SparseTree(const TreeShape& tree, uint64_t leaves, Chosen chosen);

  void set_leaf(uint64_t index, const Fr& value) { levels_[0][index] = value; }
  // After the last leaf; at least one was set. Cost: a hash for each ancestor of a known leaf.
  void build(Executor& executor);

  const Fr& root() const { return levels_.back().begin()->second; }
  // Of a leaf that was set.
  MerkleProof proof(uint64_t leaf) const;

 private:
  std::vector<Fr> children(size_t level, uint64_t parent) const;

  TreeShape tree_;
  size_t length_;
  Chosen chosen_;
  std::vector<std::map<uint64_t, Fr>> levels_;
};

// Every leaf is known: the sector is cut into regions, and in each one the leaves repeat. Equal subtrees are
// hashed once.
class RepeatingTree {
 public:
  // leaf(region, place): region < leaves / region_leaves, place < period. All three powers of two, period ≤
  // region_leaves.
  using Leaf = std::function<Fr(uint64_t region, uint64_t place)>;
  RepeatingTree(const TreeShape& tree, uint64_t leaves, uint64_t region_leaves, uint64_t period, Leaf leaf);

  // Level 0: leaves.
  Fr node(size_t level, uint64_t index);
  Fr root() { return node(length_, 0); }
  MerkleProof proof(uint64_t leaf);

 private:
  TreeShape tree_;
  size_t length_;
  uint64_t region_leaves_, period_;
  Leaf leaf_;
  std::vector<uint64_t> sizes_;  // leaves below a node of each level
  std::vector<std::map<uint64_t, Fr>> known_;
};

}  // namespace cuzk
