// Poseidon in a circuit, as neptune 11 synthesises it (its first form, `circuit`): every S-box input beyond
// the first round is allocated and tied to its linear combination of earlier S-box outputs.
#pragma once

#include <span>

#include "gadgets/num.hpp"
#include "hash/poseidon.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {

// Hash of 1 to 36 numbers.
AllocatedNum poseidon_circuit(ConstraintSystem& cs, std::span<const AllocatedNum> preimage,
                              PoseidonDomain domain = PoseidonDomain::kMerkleTree);

// Hashes of one arity, up to kSideBySide, each on its own system: the values are computed together.
SideBySide<AllocatedNum> poseidon_witnesses(std::span<CompactSystem* const> systems,
                                            std::span<const Numbers> preimages,
                                            PoseidonDomain domain = PoseidonDomain::kMerkleTree);

// Merkle-Damgård mode of poseidon_hash_md(): at least 2 numbers.
AllocatedNum poseidon_md_circuit(ConstraintSystem& cs, std::span<const AllocatedNum> elements);

}  // namespace cuzk
