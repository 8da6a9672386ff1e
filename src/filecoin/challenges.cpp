#include "filecoin/challenges.hpp"

#include <sodium.h>

#include <array>
#include <bit>
#include <string_view>

#include "filecoin/chacha.hpp"
#include "filecoin/sector.hpp"
#include "hash/poseidon.hpp"

namespace cuzk {
namespace {

Bytes bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// A little-endian 256-bit number as a node that is not the first.
uint64_t to_node(const uint8_t* number, uint64_t nodes) {
  const uint64_t modulus = nodes - 1;
  uint128_t rest = 0;
  for (size_t i = 4; i-- > 0;) rest = ((rest << 64) | load_le64(number + 8 * i)) % modulus;
  return static_cast<uint64_t>(rest) + 1;
}

uint64_t hashed_challenge(Sha256 hash, uint32_t number, uint64_t nodes) {
  uint8_t bytes[4];
  store_le32(bytes, number);
  return to_node(hash.update(bytes).finish().data(), nodes);
}

constexpr std::array<uint8_t, 12> kSyntheticNonce = {'s', 'y', 'n', 't', 'h', '-',
                                                     'p', 'o', 'r', 'e', 'p', 0};

// A stream key: BLAKE2b-256 of two values under a name as its key.
Bytes32 synthetic_key(std::string_view purpose, const Bytes32& a, const Bytes32& b) {
  crypto_generichash_state state;
  crypto_generichash_init(&state, bytes_of(purpose).data(), purpose.size(), 32);
  crypto_generichash_update(&state, a.data(), a.size());
  crypto_generichash_update(&state, b.data(), b.size());
  Bytes32 key;
  crypto_generichash_final(&state, key.data(), key.size());
  return key;
}

// The i-th of the synthetic challenges that a sector was sealed for.
std::vector<uint64_t> synthetic_challenges(const PorepChallengeSeed& s, uint32_t partition) {
  const uint64_t count = std::min(s.nodes, s.synthetic);
  const Bytes32 generate =
      synthetic_key("filecoin.io|PoRep|1|Synthetic|1|Generation", s.replica_id, s.comm_r);
  const Bytes32 choose = synthetic_key("filecoin.io|PoRep|1|Synthetic|1|Selection", s.replica_id, s.seed);
  std::vector<uint64_t> out;
  for (uint64_t i = 0; i < s.per_partition; ++i) {
    uint8_t index[4], number[32];
    chacha20_stream(choose, kSyntheticNonce, 4 * (uint64_t{partition} * s.per_partition + i), index);
    chacha20_stream(generate, kSyntheticNonce, 32 * (load_le32(index) % count), number);
    out.push_back(to_node(number, s.nodes));
  }
  return out;
}

}  // namespace

std::vector<uint64_t> porep_challenges(const PorepChallengeSeed& s, uint32_t partition) {
  if (s.variant == PorepVariant::kSynthetic) return synthetic_challenges(s, partition);
  Sha256 prefix;
  if (s.variant == PorepVariant::kInteractive)
    prefix.update(s.replica_id).update(s.seed);
  else
    prefix.update(bytes_of("filecoin.io|PoRep|1|NonInteractive|1")).update(s.replica_id).update(s.comm_r);
  std::vector<uint64_t> out;
  for (uint32_t i = 0; i < s.per_partition; ++i)
    out.push_back(hashed_challenge(prefix, partition * s.per_partition + i, s.nodes));
  return out;
}

uint64_t post_challenge(const Bytes32& randomness, uint64_t sector_id, uint64_t challenge_number,
                        uint64_t nodes) {
  const Digest256 hash =
      Sha256().update(randomness).update_le64(sector_id).update_le64(challenge_number).finish();
  return load_le64(hash.data()) % nodes;
}

uint64_t post_challenge_number(ApiVersion api, uint64_t sector_index, uint64_t challenges_per_sector,
                               uint64_t n) {
  return api == ApiVersion::kV1_2 ? n : sector_index * challenges_per_sector + n;
}

std::vector<uint64_t> update_challenges(uint64_t sector_bytes, const Fr& comm_r_new, uint32_t partition) {
  const auto log2_of = [](uint64_t v) { return static_cast<uint64_t>(std::countr_zero(v)); };
  const uint64_t bits = log2_of(sector_nodes(sector_bytes)) - log2_of(update_partitions(sector_bytes));
  const uint64_t count = update_challenges_per_partition(sector_bytes);
  const uint64_t per_digest = (Fr::kBits - 1) / bits;
  const uint64_t digests = (count + per_digest - 1) / per_digest;
  std::vector<uint64_t> out;
  for (uint64_t j = 0; j < digests; ++j) {
    const std::array<Fr, 2> preimage = {comm_r_new, Fr::from_u64(partition * digests + j)};
    const Fr::Int digest = poseidon_hash(preimage, PoseidonDomain::kRandomness).to_canonical();
    for (uint64_t i = 0; i < per_digest && out.size() < count; ++i)
      out.push_back((uint64_t{partition} << bits) | digest.bits(i * bits, bits));
  }
  return out;
}

}  // namespace cuzk
