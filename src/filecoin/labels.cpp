#include "filecoin/labels.hpp"

namespace cuzk {

Fr node_label(const Bytes32& replica_id, uint32_t layer, uint64_t node, std::span<const Fr> parents) {
  uint8_t head[32] = {};
  store_be32(head, layer);
  store_be64(head + 4, node);
  Sha256 hash;
  hash.update(replica_id).update(head);
  for (const Fr& parent : parents) {
    uint8_t bytes[Fr::kBytes];
    parent.to_le_bytes(bytes);
    hash.update(bytes);
  }
  return Fr::from_reduced(Fr::Int::from_le_bytes(truncated_to_254_bits(hash.finish()).data()));
}

std::array<Fr, kLabelParents> repeated_parents(std::span<const Fr> parents) {
  std::array<Fr, kLabelParents> out;
  for (size_t i = 0; i < kLabelParents; ++i) out[i] = parents[i % parents.size()];
  return out;
}

}  // namespace cuzk
