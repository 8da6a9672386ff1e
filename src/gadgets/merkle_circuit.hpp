// Merkle paths in circuits, as storage-proofs-core 19 synthesises them (`por`). A tree has a base part, and
// may have one row each of a sub and a top tree.
#pragma once

#include <span>

#include "gadgets/num.hpp"

namespace cuzk {

enum class TreeHash : uint8_t { kPoseidon, kSha256 };

struct TreeShape {
  TreeHash hash = TreeHash::kPoseidon;
  uint32_t base_arity = 8, sub_arity = 0, top_arity = 0;  // powers of two; 0: no such part

  bool operator==(const TreeShape&) const = default;
  // Rows of a path from a leaf to the root for a power-of-two number of leaves; the base part first.
  size_t path_length(uint64_t leaves) const;
  // The arity of row `row` of a path with `length` rows.
  uint32_t arity(size_t row, size_t length) const;
};
inline constexpr TreeShape kBinarySha256Tree{TreeHash::kSha256, 2, 0, 0};

// One row of a path: all siblings but the node itself, and the node's place among them.
struct PathRow {
  std::vector<Fr> siblings;
  uint32_t index = 0;
};
using MerklePath = std::vector<PathRow>;

// A path of the right shape with zeros.
MerklePath blank_path(const TreeShape& tree, uint64_t leaves);

// A leaf's place in its tree, least significant bit first, and the siblings of its path, row by row.
using PathBits = InlineVector<Boolean, 64>;
using PathNumbers = InlineVector<AllocatedNum, 128>;

// Enforces that `leaf` lies in the tree of root `root`; allocates siblings and index bits, and makes the
// index (least significant digit at the leaf) a public input. The root stays private.
void inclusion_circuit(ConstraintSystem& cs, const TreeShape& tree, const AllocatedNum& leaf,
                       const MerklePath& path, const AllocatedNum& root);

// What inclusion_circuit() writes for several paths of a Poseidon tree, up to kSideBySide, each on its own
// system.
void inclusion_witnesses(std::span<CompactSystem* const> systems, const TreeShape& tree,
                         std::span<const AllocatedNum> leaves, std::span<const MerklePath* const> paths,
                         const AllocatedNum& root);

// inclusion_circuit() with index bits and siblings (row by row) allocated before, and without the public
// input.
void inclusion_circuit_of(ConstraintSystem& cs, const TreeShape& tree, std::span<const Boolean> index_bits,
                          const AllocatedNum& leaf, std::span<const AllocatedNum> siblings,
                          const AllocatedNum& root);

}  // namespace cuzk
