#include "filecoin/registered_proof.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "filecoin/sector.hpp"

namespace cuzk {
namespace {

constexpr std::array<uint64_t, 5> kNetworkSizes = {2 * kKiB, 8 * kMiB, 512 * kMiB, 32 * kGiB, 64 * kGiB};

// Groups of five in the order of the network's numbers.
struct Group {
  ApiVersion api;
  PorepVariant variant;
  const char* suffix;
};
constexpr Group kGroups[] = {
    {ApiVersion::kV1_0, PorepVariant::kInteractive, "V1"},
    {ApiVersion::kV1_1, PorepVariant::kInteractive, "V1_1"},
    {ApiVersion::kV1_2, PorepVariant::kSynthetic, "V1_1_Feat_SyntheticPoRep"},
    {ApiVersion::kV1_2, PorepVariant::kNonInteractive, "V1_2_Feat_NonInteractivePoRep"},
};

// The first of a kind and API version is the one to write.
struct PostName {
  bool winning;
  ApiVersion api;
  const char* suffix;
};
constexpr PostName kPostNames[] = {
    {true, ApiVersion::kV1_0, "V1"},
    {false, ApiVersion::kV1_0, "V1"},
    {false, ApiVersion::kV1_2, "V1_2"},
    {false, ApiVersion::kV1_2, "V1_1"},
};

}  // namespace

Result<ApiVersion> parse_api_version(const std::string& text) {
  if (text == "1.0" || text == "1.0.0") return ApiVersion::kV1_0;
  if (text == "1.1" || text == "1.1.0") return ApiVersion::kV1_1;
  if (text == "1.2" || text == "1.2.0") return ApiVersion::kV1_2;
  return invalid("API version \"" + text + "\" is none of 1.0, 1.1, 1.2");
}

const char* api_version_name(ApiVersion version) {
  return version == ApiVersion::kV1_0 ? "1.0" : version == ApiVersion::kV1_1 ? "1.1" : "1.2";
}

std::string RegisteredSeal::name() const {
  for (const Group& group : kGroups) {
    if (group.api == api && group.variant == variant)
      return "StackedDrg" + sector_size_name(sector_bytes) + group.suffix;
  }
  return "StackedDrg" + sector_size_name(sector_bytes) + " with API " + api_version_name(api);
}

uint64_t RegisteredSeal::id() const {
  const auto size = std::find(kNetworkSizes.begin(), kNetworkSizes.end(), sector_bytes);
  CUZK_CHECK(size != kNetworkSizes.end());
  uint64_t number = static_cast<uint64_t>(size - kNetworkSizes.begin());
  for (const Group& group : kGroups) {
    if (group.api == api && group.variant == variant) return number;
    number += kNetworkSizes.size();
  }
  CUZK_CHECK(false);
  return 0;
}

uint32_t RegisteredSeal::partitions() const {
  return porep_partitions(sector_bytes, variant == PorepVariant::kNonInteractive);
}

Result<RegisteredSeal> parse_registered_seal(const std::string& name) {
  for (const Group& group : kGroups) {
    for (uint64_t bytes : kNetworkSizes) {
      const RegisteredSeal seal{bytes, group.api, group.variant};
      if (seal.name() == name) return seal;
    }
  }
  return invalid(
      "registered proof \"" + name.substr(0, 80) +
      "\" is unknown; expected StackedDrg, a sector size (2KiB, 8MiB, 512MiB, 32GiB, 64GiB) and V1, "
      "V1_1, V1_1_Feat_SyntheticPoRep or V1_2_Feat_NonInteractivePoRep");
}

Result<RegisteredPost> parse_registered_post(const std::string& name) {
  if (name == "Winning 1.0.0") return RegisteredPost{true, ApiVersion::kV1_0, std::nullopt};
  for (ApiVersion api : {ApiVersion::kV1_0, ApiVersion::kV1_1, ApiVersion::kV1_2})
    if (name == std::string("Window ") + api_version_name(api) + ".0")
      return RegisteredPost{false, api, std::nullopt};
  for (const PostName& form : kPostNames) {
    const std::string kind = form.winning ? "Winning" : "Window";
    for (uint64_t bytes : kNetworkSizes)
      if (name == "StackedDrg" + kind + sector_size_name(bytes) + form.suffix)
        return RegisteredPost{form.winning, form.api, bytes};
  }
  return invalid("registered proof \"" + name.substr(0, 80) +
                 "\" is unknown; expected StackedDrgWinning or StackedDrgWindow, a sector size (2KiB, 8MiB, "
                 "512MiB, 32GiB, 64GiB) and V1 or, of WindowPoSt, V1_2");
}

std::optional<std::string> registered_post_name(bool winning, uint64_t sector_bytes, ApiVersion api) {
  if (!is_network_sector_size(sector_bytes)) return std::nullopt;
  for (const PostName& form : kPostNames)
    if (form.winning == winning && form.api == api)
      return std::string("StackedDrg") + (winning ? "Winning" : "Window") + sector_size_name(sector_bytes) +
             form.suffix;
  return std::nullopt;
}

Result<uint64_t> parse_registered_update(const std::string& name) {
  for (uint64_t bytes : kNetworkSizes)
    if (name == "StackedDrg" + sector_size_name(bytes) + "V1") return bytes;
  return invalid(
      "registered proof \"" + name.substr(0, 80) +
      "\" is unknown; expected StackedDrg, a sector size (2KiB, 8MiB, 512MiB, 32GiB, 64GiB) and V1");
}

Bytes32 porep_id(const RegisteredSeal& seal) {
  return porep_id_of(seal.id());
}

Bytes32 porep_id_of(uint64_t registered_number) {
  Bytes32 id{};
  store_le64(id.data(), registered_number);
  return id;
}

Bytes32 prover_id(uint64_t miner) {
  Bytes32 id{};
  size_t at = 0;
  for (; miner >= 0x80; miner >>= 7) id[at++] = static_cast<uint8_t>(miner | 0x80);
  id[at] = static_cast<uint8_t>(miner);
  return id;
}

Bytes32 compute_replica_id(const Bytes32& prover, uint64_t sector, const Bytes32& ticket,
                           const Bytes32& comm_d, const Bytes32& porep) {
  return truncated_to_254_bits(
      Sha256().update(prover).update_be64(sector).update(ticket).update(comm_d).update(porep).finish());
}

}  // namespace cuzk
