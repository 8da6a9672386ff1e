#include "filecoin/public_inputs.hpp"

#include <bit>

#include "filecoin/challenges.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/sector.hpp"

namespace cuzk {

Result<Fr> field_element(const Bytes32& bytes, const char* what) {
  if (auto element = Fr::from_le_bytes(bytes.data())) return *element;
  return invalid(std::string(what) + " " + to_hex(bytes) +
                 " is not below the field's modulus (little-endian bytes)");
}

Result<std::vector<Fr>> porep_public_inputs(const PorepPublic& p, uint32_t partition) {
  CUZK_ASSIGN(const Fr replica_id, field_element(p.replica_id, "replica_id"));
  CUZK_ASSIGN(const Fr comm_d, field_element(p.comm_d, "comm_d"));
  CUZK_ASSIGN(const Fr comm_r, field_element(p.comm_r, "comm_r"));
  const uint64_t nodes = sector_nodes(p.sector_bytes);
  const StackedGraph graph(nodes, p.porep_id, p.api);
  const PorepChallengeSeed seed{p.variant,    nodes,    porep_challenges_per_partition(p.sector_bytes),
                                p.replica_id, p.comm_r, p.seed};
  std::vector<Fr> inputs = {replica_id, comm_d, comm_r};
  for (uint64_t challenge : porep_challenges(seed, partition)) {
    const Fr node = Fr::from_u64(challenge);
    inputs.push_back(node);
    for (uint32_t parent : graph.parents(challenge)) inputs.push_back(Fr::from_u64(parent));
    inputs.insert(inputs.end(), 3, node);  // the node itself, its places in trees R and C
  }
  return inputs;
}

Result<std::vector<Fr>> winning_public_inputs(uint64_t sector_bytes, const Bytes32& randomness,
                                              const PostPublicSector& sector) {
  CUZK_TRY(field_element(randomness, "randomness"));
  CUZK_ASSIGN(const Fr comm_r, field_element(sector.comm_r, "comm_r"));
  std::vector<Fr> inputs;
  for (uint64_t i = 0; i < kWinningChallenges; ++i) {
    inputs.push_back(comm_r);
    inputs.push_back(Fr::from_u64(post_challenge(randomness, sector.id, i, sector_nodes(sector_bytes))));
  }
  return inputs;
}

Result<std::vector<Fr>> window_public_inputs(uint64_t sector_bytes, ApiVersion api, const Bytes32& randomness,
                                             std::span<const PostPublicSector> sectors, uint32_t partition) {
  CUZK_TRY(field_element(randomness, "randomness"));
  const uint64_t per_partition = window_sectors_per_partition(sector_bytes),
                 first = partition * per_partition;
  if (first >= sectors.size())
    return invalid("partition " + std::to_string(partition) + " proves sectors from number " +
                   std::to_string(first) + " on, there are " + std::to_string(sectors.size()));
  std::vector<Fr> inputs, last;
  for (uint64_t i = 0; i < per_partition; ++i) {
    if (first + i < sectors.size()) {
      const PostPublicSector& sector = sectors[first + i];
      CUZK_ASSIGN(const Fr comm_r, field_element(sector.comm_r, "comm_r"));
      last = {comm_r};
      for (uint64_t n = 0; n < kWindowChallengesPerSector; ++n) {
        const uint64_t number = post_challenge_number(api, first + i, kWindowChallengesPerSector, n);
        last.push_back(
            Fr::from_u64(post_challenge(randomness, sector.id, number, sector_nodes(sector_bytes))));
      }
    }
    inputs.insert(inputs.end(), last.begin(), last.end());
  }
  return inputs;
}

uint64_t update_k_and_h_select(uint64_t sector_bytes, uint32_t partition) {
  const int partition_bits = std::countr_zero(update_partitions(sector_bytes));
  // The choice is by value: small sectors have the same number six times, and the first place of it counts.
  const auto high_bits = update_high_bits(sector_bytes);
  uint32_t index = 0;
  while (high_bits[index] != high_bits[kUpdateHighBitsIndex]) ++index;
  return partition | (uint64_t{1} << index) << partition_bits;
}

Result<std::vector<Fr>> update_public_inputs(const UpdatePublic& u, uint32_t partition) {
  if (partition >= update_partitions(u.sector_bytes))
    return invalid("partition " + std::to_string(partition) + " of " +
                   std::to_string(update_partitions(u.sector_bytes)));
  CUZK_ASSIGN(const Fr comm_r_old, field_element(u.comm_r_old, "comm_r_old"));
  CUZK_ASSIGN(const Fr comm_d_new, field_element(u.comm_d_new, "comm_d_new"));
  CUZK_ASSIGN(const Fr comm_r_new, field_element(u.comm_r_new, "comm_r_new"));
  return std::vector<Fr>{Fr::from_u64(update_k_and_h_select(u.sector_bytes, partition)), comm_r_old,
                         comm_d_new, comm_r_new};
}

}  // namespace cuzk
