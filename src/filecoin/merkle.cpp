#include "filecoin/merkle.hpp"

#include "base/check.hpp"
#include "hash/poseidon.hpp"
#include "hash/sha256.hpp"

namespace cuzk {

Fr merkle_node(TreeHash hash, std::span<const Fr> children) {
  if (hash == TreeHash::kPoseidon) return poseidon_hash(children);
  Sha256 sha;
  for (const Fr& child : children) {
    uint8_t bytes[Fr::kBytes];
    child.to_le_bytes(bytes);
    sha.update(bytes);
  }
  const Digest256 digest = truncated_to_254_bits(sha.finish());
  return Fr::from_reduced(Fr::Int::from_le_bytes(digest.data()));
}

Fr merkle_root(const TreeShape& tree, const Fr& leaf, const MerklePath& path) {
  Fr current = leaf;
  std::vector<Fr> children;
  for (const PathRow& row : path) {
    CUZK_CHECK(row.index <= row.siblings.size());
    children = row.siblings;
    children.insert(children.begin() + row.index, current);
    current = merkle_node(tree.hash, children);
  }
  return current;
}

uint64_t path_index(const TreeShape& tree, const MerklePath& path) {
  uint64_t index = 0;
  for (size_t row = path.size(); row-- > 0;) index = index * tree.arity(row, path.size()) + path[row].index;
  return index;
}

bool path_has_shape(const TreeShape& tree, uint64_t leaves, const MerklePath& path) {
  if (path.size() != tree.path_length(leaves)) return false;
  for (size_t row = 0; row < path.size(); ++row) {
    const uint32_t arity = tree.arity(row, path.size());
    if (path[row].siblings.size() + 1 != arity || path[row].index >= arity) return false;
  }
  return true;
}

}  // namespace cuzk
