// Which nodes a proof is challenged on. Source: storage-proofs-porep 19 (`challenges`), storage-proofs-post
// 19
// (`fallback`), storage-proofs-update 19 (`challenges`).
#pragma once

#include <vector>

#include "field/fr.hpp"
#include "filecoin/registered_proof.hpp"

namespace cuzk {

// How many challenges a sector for synthetic proofs is sealed for, if it has as many nodes.
inline constexpr uint64_t kSyntheticChallenges = uint64_t{1} << 18;

struct PorepChallengeSeed {
  PorepVariant variant;
  uint64_t nodes;
  uint32_t per_partition;
  Bytes32 replica_id;
  Bytes32 comm_r;  // not used by the interactive variant
  Bytes32 seed;    // not used by the non-interactive variant
  uint64_t synthetic = kSyntheticChallenges;
};
// Nodes from 1 to nodes - 1.
std::vector<uint64_t> porep_challenges(const PorepChallengeSeed& seed, uint32_t partition);

// The challenged leaf of a sector for the given number of a challenge.
uint64_t post_challenge(const Bytes32& randomness, uint64_t sector_id, uint64_t challenge_number,
                        uint64_t nodes);
// Up to API 1.1 challenges are numbered through all sectors of all partitions, since 1.2 in each sector.
uint64_t post_challenge_number(ApiVersion api, uint64_t sector_index, uint64_t challenges_per_sector,
                               uint64_t n);

// Nodes in the partition's part of the sector.
std::vector<uint64_t> update_challenges(uint64_t sector_bytes, const Fr& comm_r_new, uint32_t partition);

}  // namespace cuzk
