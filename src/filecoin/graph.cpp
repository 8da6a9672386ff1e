#include "filecoin/graph.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "filecoin/chacha.hpp"
#include "hash/blake2b.hpp"

namespace cuzk {
namespace {

Digest256 domain_seed(std::string_view domain, const Bytes32& porep_id) {
  return Sha256()
      .update({reinterpret_cast<const uint8_t*>(domain.data()), domain.size()})
      .update(porep_id)
      .finish();
}

}  // namespace

StackedGraph::StackedGraph(uint64_t nodes, const Bytes32& porep_id, ApiVersion api)
    : nodes_(nodes), api_(api) {
  drg_seed_ = domain_seed("Filecoin_DRSample", porep_id);
  const Digest256 keys = domain_seed("Filecoin_Feistel", porep_id);
  for (size_t i = 0; i < feistel_keys_.size(); ++i) feistel_keys_[i] = load_le64(keys.data() + 8 * i);
  // The permutation works on an even number of bits that holds all edges, at least two.
  half_bits_ = 1;
  while (uint64_t{1} << (2 * half_bits_) < nodes_ * kExpanderParents) ++half_bits_;
}

StackedGraph::Parents StackedGraph::parents(uint64_t node) const {
  Parents out{};
  base_parents(node, out);
  for (uint64_t i = 0; i < kExpanderParents; ++i) out[kDrgParents + i] = expander_parent(node, i);
  return out;
}

void StackedGraph::base_parents(uint64_t node, Parents& out) const {
  if (node < 2) return;                           // all zero
  constexpr uint64_t kSampled = kDrgParents - 1;  // the remaining one is the node before
  Bytes32 seed = drg_seed_;
  store_le32(seed.data() + 28, static_cast<uint32_t>(node));
  ChaChaRng random(seed, 8);
  // Each node stands for kSampled nodes of a larger graph in which every node has one sampled parent.
  const uint64_t meta = node * kSampled;
  const uint64_t buckets = 64 - static_cast<uint64_t>(std::countl_zero(meta - 1));  // ceil(log2(meta))
  const bool predecessor_last = api_ == ApiVersion::kV1_0;
  for (uint64_t i = 0; i < kSampled; ++i) {
    const uint64_t bucket = random.next_u64() % buckets + 1;
    const uint64_t largest = std::min(meta, uint64_t{1} << bucket);
    const uint64_t smallest = std::max<uint64_t>(2, largest >> 1);
    const uint64_t distance = smallest + random.next_u64() % (largest - smallest + 1);
    const uint64_t parent = (meta - distance) / kSampled;
    out[predecessor_last ? i : i + 1] = static_cast<uint32_t>(parent == node ? node - 1 : parent);
  }
  out[predecessor_last ? kSampled : 0] = static_cast<uint32_t>(node - 1);
}

uint64_t StackedGraph::permuted_once(uint64_t index) const {
  const uint64_t mask = (uint64_t{1} << half_bits_) - 1;
  uint64_t left = (index >> half_bits_) & mask, right = index & mask;
  for (uint64_t key : feistel_keys_) {
    uint8_t data[16];
    store_be64(data, right);
    store_be64(data + 8, key);
    const uint64_t hash = load_be64(Blake2b512::of(data).data()) & mask;
    left = std::exchange(right, left ^ hash);
  }
  return (left << half_bits_) | right;
}

uint32_t StackedGraph::expander_parent(uint64_t node, uint64_t i) const {
  const uint64_t edges = nodes_ * kExpanderParents;
  uint64_t edge = node * kExpanderParents + i;
  do edge = permuted_once(edge);
  while (edge >= edges);
  // The first version cut the edge to 32 bits, which matters from 2^29 nodes on.
  if (api_ == ApiVersion::kV1_0) return static_cast<uint32_t>(edge) / kExpanderParents;
  return static_cast<uint32_t>(edge / kExpanderParents);
}

}  // namespace cuzk
