// Sector sizes and what depends on them: tree shapes, layers, challenges, partitions.
// Source: rust-fil-proofs 19 (`filecoin-proofs/src/constants.rs`, `storage-proofs-update/src/constants.rs`).
#pragma once

#include <array>
#include <string>

#include "base/result.hpp"
#include "gadgets/merkle_circuit.hpp"

namespace cuzk {

inline constexpr uint64_t kNodeBytes = 32;
inline constexpr uint64_t kKiB = 1024, kMiB = 1024 * kKiB, kGiB = 1024 * kMiB;

// The five network sizes and the smaller ones with the same tree shapes.
inline constexpr std::array<uint64_t, 8> kSectorSizes = {2 * kKiB, 4 * kKiB,   16 * kKiB, 32 * kKiB,
                                                         8 * kMiB, 512 * kMiB, 32 * kGiB, 64 * kGiB};
bool is_sector_size(uint64_t bytes);
// Sizes for which the network has keys: 2 KiB, 8 MiB, 512 MiB, 32 GiB, 64 GiB.
bool is_network_sector_size(uint64_t bytes);
// "32GiB" as in registered proofs, "32g" as in circuit names; both are read, upper or lower case.
std::string sector_size_name(uint64_t bytes);
std::string sector_size_short_name(uint64_t bytes);
Result<uint64_t> parse_sector_size(const std::string& text);

// All below: for one of kSectorSizes.
inline constexpr uint64_t sector_nodes(uint64_t bytes) {
  return bytes / kNodeBytes;
}
inline constexpr bool is_production_size(uint64_t bytes) {
  return bytes >= 32 * kGiB;
}
// The shape of trees C and R.
TreeShape sector_tree(uint64_t bytes);
// "merkletree-poseidon_hasher-8-8-0"
std::string tree_name(const TreeShape& tree);

// PoRep
inline constexpr uint32_t kDrgParents = 6, kExpanderParents = 8, kLabelParents = 37;
inline constexpr uint32_t porep_layers(uint64_t bytes) {
  return is_production_size(bytes) ? 11 : 2;
}
inline constexpr uint32_t porep_challenges_per_partition(uint64_t bytes) {
  return is_production_size(bytes) ? 18 : 2;
}
inline constexpr uint32_t porep_partitions(uint64_t bytes, bool non_interactive) {
  if (non_interactive) return is_production_size(bytes) ? 126 : 13;
  return is_production_size(bytes) ? 10 : 1;
}

// PoSt
inline constexpr uint32_t kWinningChallenges = 66, kWindowChallengesPerSector = 10;
inline constexpr uint32_t window_sectors_per_partition(uint64_t bytes) {
  return bytes == 32 * kGiB ? 2349 : bytes == 64 * kGiB ? 2300 : 2;
}

// SnapDeals (empty sector update)
inline constexpr uint32_t update_partitions(uint64_t bytes) {
  return bytes <= 8 * kKiB ? 1 : bytes <= 32 * kKiB ? 2 : bytes <= 16 * kMiB ? 4 : 16;
}
inline constexpr uint32_t update_challenges_per_partition(uint64_t bytes) {
  return bytes <= 16 * kMiB ? 10 : 86;
}
inline constexpr uint32_t update_apex_leaves(uint64_t bytes) {
  return bytes <= 8 * kKiB ? 8 : 128;
}
// How many high bits of a challenge may choose its rho; the network takes the fourth of these.
inline constexpr std::array<uint32_t, 6> update_high_bits(uint64_t bytes) {
  if (bytes <= 32 * kKiB) return {1, 1, 1, 1, 1, 1};
  return {7, 8, 9, 10, 11, 12};
}
inline constexpr uint32_t kUpdateHighBitsIndex = 3;

}  // namespace cuzk
