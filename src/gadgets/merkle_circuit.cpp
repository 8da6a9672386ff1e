#include "gadgets/merkle_circuit.hpp"

#include <bit>
#include <optional>

#include "base/check.hpp"
#include "gadgets/poseidon_circuit.hpp"
#include "gadgets/sha256_circuit.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

size_t log2_of(uint64_t v) {
  CUZK_CHECK(std::has_single_bit(v));
  return static_cast<size_t>(std::countr_zero(v));
}

// A whole path is a piece where its nodes are small.
class PathPiece {
 public:
  PathPiece(ConstraintSystem& cs, const TreeShape& tree) {
    if (tree.hash == TreeHash::kPoseidon) piece_.emplace(cs);
  }

 private:
  std::optional<Piece> piece_;
};

AllocatedNum node_circuit(ConstraintSystem& cs, TreeHash hash, std::span<const AllocatedNum> children) {
  if (hash == TreeHash::kPoseidon) return poseidon_circuit(cs, children);
  CUZK_CHECK(children.size() == 2);
  return sha256_node(cs, children[0], children[1]);
}

}  // namespace

size_t TreeShape::path_length(uint64_t leaves) const {
  size_t bits = log2_of(leaves), rows = 0;
  for (uint32_t upper : {sub_arity, top_arity}) {
    if (upper == 0) continue;
    bits -= log2_of(upper);
    ++rows;
  }
  CUZK_CHECK(bits % log2_of(base_arity) == 0);
  return rows + bits / log2_of(base_arity);
}

uint32_t TreeShape::arity(size_t row, size_t length) const {
  const size_t from_root = length - 1 - row;
  if (top_arity > 0) return from_root == 0 ? top_arity : from_root == 1 ? sub_arity : base_arity;
  return sub_arity > 0 && from_root == 0 ? sub_arity : base_arity;
}

MerklePath blank_path(const TreeShape& tree, uint64_t leaves) {
  MerklePath path(tree.path_length(leaves));
  for (size_t row = 0; row < path.size(); ++row)
    path[row].siblings.assign(tree.arity(row, path.size()) - 1, Fr::zero());
  return path;
}

namespace {

// Allocates what a row of a path brings, appends its index bits, and gives the node's children.
Numbers children_of(ConstraintSystem& cs, const PathRow& row, uint32_t arity, const AllocatedNum& current,
                    PathBits& all_bits) {
  CUZK_CHECK(row.siblings.size() + 1 == arity);
  const size_t bits = log2_of(arity);
  for (size_t i = 0; i < bits; ++i)
    all_bits.push_back(Boolean::alloc(*Scope(cs, {"index bit {}", i}), ((row.index >> i) & 1) != 0));
  Numbers siblings;
  for (size_t i = 0; i + 1 < arity; ++i)
    siblings.push_back(AllocatedNum::alloc(*Scope(cs, {"path element {}", i}), row.siblings[i]));
  return insert(cs, current, std::span<const Boolean>(all_bits).last(bits), siblings);
}

void end_path(ConstraintSystem& cs, std::span<const Boolean> bits, const AllocatedNum& current,
              const AllocatedNum& root) {
  pack_into_inputs(*Scope(cs, "path"), bits);
  enforce_equal(cs, "enforce root is correct", current, root);
}

}  // namespace

void inclusion_circuit(ConstraintSystem& cs, const TreeShape& tree, const AllocatedNum& leaf,
                       const MerklePath& path, const AllocatedNum& root) {
  const PathPiece piece(cs, tree);
  const size_t upper_rows = (tree.sub_arity > 0 ? 1 : 0) + (tree.top_arity > 0 ? 1 : 0);
  const size_t base_rows = path.size() - upper_rows;
  AllocatedNum current = leaf;
  PathBits bits;
  for (size_t row = 0; row < path.size(); ++row) {
    const bool base = row < base_rows;
    const Scope part(cs, base ? "base" : row == base_rows ? "sub" : "top");
    const Scope scope(cs, {"merkle tree hash {}", base ? row : 0});
    const Numbers children = children_of(cs, path[row], tree.arity(row, path.size()), current, bits);
    current = node_circuit(*Scope(cs, "computation of commitment hash"), tree.hash, children);
  }
  end_path(cs, bits, current, root);
}

void inclusion_witnesses(std::span<CompactSystem* const> systems, const TreeShape& tree,
                         std::span<const AllocatedNum> leaves, std::span<const MerklePath* const> paths,
                         const AllocatedNum& root) {
  CUZK_CHECK(tree.hash == TreeHash::kPoseidon);
  SideBySide<AllocatedNum> current(leaves);
  SideBySide<PathBits> bits(systems.size());
  SideBySide<Numbers> children(systems.size());
  for (size_t row = 0; row < paths[0]->size(); ++row) {
    for (size_t i = 0; i < systems.size(); ++i)
      children[i] =
          children_of(*systems[i], (*paths[i])[row], tree.arity(row, paths[i]->size()), current[i], bits[i]);
    current = poseidon_witnesses(systems, children);
  }
  for (size_t i = 0; i < systems.size(); ++i) end_path(*systems[i], bits[i], current[i], root);
}

void inclusion_circuit_of(ConstraintSystem& cs, const TreeShape& tree, std::span<const Boolean> index_bits,
                          const AllocatedNum& leaf, std::span<const AllocatedNum> siblings,
                          const AllocatedNum& root) {
  const PathPiece piece(cs, tree);
  AllocatedNum current = leaf;
  const size_t length = tree.path_length(uint64_t{1} << index_bits.size());
  for (size_t row = 0; row < length; ++row) {
    const uint32_t arity = tree.arity(row, length);
    const size_t bits = log2_of(arity);
    const Numbers children = insert(*Scope(cs, {"merkle proof insert (height={})", row}), current,
                                    index_bits.first(bits), siblings.first(arity - 1));
    index_bits = index_bits.subspan(bits);
    siblings = siblings.subspan(arity - 1);
    current = node_circuit(*Scope(cs, {"merkle proof hash (height={})", row}), tree.hash, children);
  }
  CUZK_CHECK(index_bits.empty() && siblings.empty());
  enforce_equal(cs, "calculated root == provided root", current, root);
}

}  // namespace cuzk
