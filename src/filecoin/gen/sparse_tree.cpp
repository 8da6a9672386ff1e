#include "filecoin/gen/sparse_tree.hpp"

namespace cuzk {
namespace {

// The row of a path at `place` among its siblings.
PathRow row_of(std::vector<Fr> children, uint64_t place) {
  children.erase(children.begin() + static_cast<ptrdiff_t>(place));
  return {std::move(children), static_cast<uint32_t>(place)};
}

}  // namespace

SparseTree::SparseTree(const TreeShape& tree, uint64_t leaves, Chosen chosen)
    : tree_(tree), length_(tree.path_length(leaves)), chosen_(std::move(chosen)), levels_(length_ + 1) {}

std::vector<Fr> SparseTree::children(size_t level, uint64_t parent) const {
  const uint32_t arity = tree_.arity(level, length_);
  std::vector<Fr> out(arity);
  for (uint32_t i = 0; i < arity; ++i) {
    const uint64_t index = parent * arity + i;
    const auto known = levels_[level].find(index);
    out[i] = known != levels_[level].end() ? known->second : chosen_(level, index);
  }
  return out;
}

void SparseTree::build(Executor& executor) {
  for (size_t level = 0; level < length_; ++level) {
    const uint32_t arity = tree_.arity(level, length_);
    std::vector<uint64_t> parents;
    for (const auto& [index, value] : levels_[level])
      if (parents.empty() || parents.back() != index / arity) parents.push_back(index / arity);
    std::vector<Fr> values(parents.size());
    parallel_ranges(executor, parents.size(), 8, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) values[i] = merkle_node(tree_.hash, children(level, parents[i]));
    });
    for (size_t i = 0; i < parents.size(); ++i) levels_[level + 1].emplace(parents[i], values[i]);
  }
}

MerkleProof SparseTree::proof(uint64_t leaf) const {
  MerkleProof out{root(), levels_[0].at(leaf), {}};
  for (size_t level = 0; level < length_; ++level) {
    const uint32_t arity = tree_.arity(level, length_);
    out.path.push_back(row_of(children(level, leaf / arity), leaf % arity));
    leaf /= arity;
  }
  return out;
}

RepeatingTree::RepeatingTree(const TreeShape& tree, uint64_t leaves, uint64_t region_leaves, uint64_t period,
                             Leaf leaf)
    : tree_(tree),
      length_(tree.path_length(leaves)),
      region_leaves_(region_leaves),
      period_(period),
      leaf_(std::move(leaf)),
      sizes_{1},
      known_(length_ + 1) {
  for (size_t level = 0; level < length_; ++level)
    sizes_.push_back(sizes_.back() * tree_.arity(level, length_));
}

Fr RepeatingTree::node(size_t level, uint64_t index) {
  const uint64_t size = sizes_[level];
  if (size <= region_leaves_) {  // the first node with this content
    const uint64_t first = index * size, region = first / region_leaves_;
    const uint64_t place = size < period_ ? first % period_ : 0;
    if (level == 0) return leaf_(region, place);
    index = (region * region_leaves_ + place) / size;
  }
  const auto known = known_[level].find(index);
  if (known != known_[level].end()) return known->second;
  const uint32_t arity = tree_.arity(level - 1, length_);
  std::vector<Fr> children(arity);
  for (uint32_t i = 0; i < arity; ++i) children[i] = node(level - 1, index * arity + i);
  return known_[level][index] = merkle_node(tree_.hash, children);
}

MerkleProof RepeatingTree::proof(uint64_t leaf) {
  MerkleProof out{root(), node(0, leaf), {}};
  for (size_t level = 0; level < length_; ++level) {
    const uint32_t arity = tree_.arity(level, length_);
    std::vector<Fr> children(arity);
    for (uint32_t i = 0; i < arity; ++i) children[i] = node(level, leaf / arity * arity + i);
    out.path.push_back(row_of(std::move(children), leaf % arity));
    leaf /= arity;
  }
  return out;
}

}  // namespace cuzk
