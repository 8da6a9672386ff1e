// The labels of the stacked graph. Source: storage-proofs-porep 19 (`create_label`).
#pragma once

#include <array>
#include <span>

#include "field/fr.hpp"
#include "filecoin/registered_proof.hpp"
#include "filecoin/sector.hpp"

namespace cuzk {

// SHA-256 of replica id, layer (from 1), node and parents' labels, cut to 254 bits.
Fr node_label(const Bytes32& replica_id, uint32_t layer, uint64_t node, std::span<const Fr> parents);

// The kLabelParents labels that are hashed: the parents' (base graph's, then in layers after the first the
// expander's), repeated.
std::array<Fr, kLabelParents> repeated_parents(std::span<const Fr> parents);

}  // namespace cuzk
