// The network's registered seal proofs: sector size, API version, features, and what follows from them.
// Source: filecoin-proofs-api (`registry.rs`).
#pragma once

#include <array>
#include <optional>
#include <string>

#include "base/result.hpp"
#include "hash/sha256.hpp"

namespace cuzk {

using Bytes32 = std::array<uint8_t, 32>;

enum class ApiVersion : uint8_t { kV1_0, kV1_1, kV1_2 };
Result<ApiVersion> parse_api_version(const std::string& text);
// "1.1"
const char* api_version_name(ApiVersion version);

enum class PorepVariant : uint8_t { kInteractive, kSynthetic, kNonInteractive };

struct RegisteredSeal {
  uint64_t sector_bytes;
  ApiVersion api;
  PorepVariant variant;

  bool operator==(const RegisteredSeal&) const = default;
  // "StackedDrg32GiBV1_1_Feat_SyntheticPoRep"
  std::string name() const;
  // The number that the network gives it; only for network sector sizes.
  uint64_t id() const;
  uint32_t partitions() const;
};

// Errors: kInvalidInput. Sizes that the network does not register have no name.
Result<RegisteredSeal> parse_registered_seal(const std::string& name);

// What a registered PoSt proof's name says.
struct RegisteredPost {
  bool winning;
  ApiVersion api;
  std::optional<uint64_t> sector_bytes;  // vectors' names, "Window 1.2.0", have none

  bool operator==(const RegisteredPost&) const = default;
};
// "StackedDrgWindow32GiBV1_2", or "…V1_1" as Lotus and the actors call the same, or "Window 1.2.0". Errors:
// kInvalidInput.
Result<RegisteredPost> parse_registered_post(const std::string& name);
// The name in filecoin-proofs-api. Nothing where the network registers none: other sizes, WindowPoSt of
// API 1.1.
std::optional<std::string> registered_post_name(bool winning, uint64_t sector_bytes, ApiVersion api);

// "StackedDrg32GiBV1": sector size of a registered update proof. Errors: kInvalidInput.
Result<uint64_t> parse_registered_update(const std::string& name);

// The id that graphs are seeded with: the registered proof's number.
Bytes32 porep_id(const RegisteredSeal& seal);
// For sizes that the network does not register, vectors use the number of 2 KiB sectors.
Bytes32 porep_id_of(uint64_t registered_number);

// Miner's number as the network's addresses have it (LEB128), filled up with zeros.
Bytes32 prover_id(uint64_t miner);

// SHA-256 of prover, sector number, ticket, comm_d and porep id, cut to 254 bits.
Bytes32 compute_replica_id(const Bytes32& prover, uint64_t sector, const Bytes32& ticket,
                           const Bytes32& comm_d, const Bytes32& porep);

}  // namespace cuzk
