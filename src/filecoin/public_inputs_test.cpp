// Public inputs from what a verifier knows, against those that the upstream verifier derives.
#include "filecoin/public_inputs.hpp"

#include <filesystem>

#include "filecoin/graph.hpp"
#include "filecoin/sector.hpp"
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

using nlohmann::json;
using testing_support::kVectors;
using testing_support::read_json;

Bytes32 bytes32(const json& hex) {
  Bytes32 out{};
  const auto bytes = from_hex(hex.get<std::string>());
  if (bytes && bytes->size() == 32) std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

RegisteredSeal seal_of(const json& j) {
  const std::string name = j.value("registered_proof", "");
  if (auto seal = parse_registered_seal(name)) return *seal;
  return {j["sector_size"].get<uint64_t>(), ApiVersion::kV1_1, PorepVariant::kInteractive};
}

Result<std::vector<Fr>> derive(const std::string& file, const json& j) {
  const uint64_t bytes = j["sector_size"];
  const uint32_t partition = j["partition"];
  if (j.contains("replica_id")) {
    const RegisteredSeal seal = seal_of(j);
    EXPECT_EQ(bytes, seal.sector_bytes);
    return porep_public_inputs(
        {bytes, seal.api, seal.variant, bytes32(j["porep_id"]), bytes32(j["replica_id"]),
         bytes32(j["comm_d"]), bytes32(j["comm_r"]), bytes32(j["seed"])},
        partition);
  }
  if (j.contains("comm_r_old"))
    return update_public_inputs(
        {bytes, bytes32(j["comm_r_old"]), bytes32(j["comm_d_new"]), bytes32(j["comm_r_new"])}, partition);
  std::vector<PostPublicSector> sectors;
  for (const json& sector : j["sectors"]) sectors.push_back({sector["sector_id"], bytes32(sector["comm_r"])});
  const Bytes32 randomness = bytes32(j["randomness"]);
  if (file.find("winning") != std::string::npos)
    return winning_public_inputs(bytes, randomness, sectors.at(0));
  return window_public_inputs(bytes, *parse_api_version(j["api"]), randomness, sectors, partition);
}

TEST(PublicInputs, EqualTheVerifiers) {
  size_t checked = 0;
  for (const char* folder : {"inputs", "real", "full"}) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(kVectors + folder, ignored)) {
      const std::string file = entry.path().filename();
      if (!file.ends_with(".json") || file.find(".p") == std::string::npos) continue;
      const json j = *read_json(entry.path());
      const auto inputs = derive(file, j);
      ASSERT_TRUE(inputs) << file << inputs.error().message;
      std::vector<Fr> all = {Fr::one()};
      all.insert(all.end(), inputs->begin(), inputs->end());
      EXPECT_EQ(to_hex(digest_of_inputs(all)), j["input_digest"].get<std::string>()) << file;
      if (j.contains("public_inputs") && !j["public_inputs"].empty()) {
        EXPECT_EQ(j["public_inputs"].size(), all.size()) << file;
        for (size_t i = 0; i < all.size() && i < j["public_inputs"].size(); ++i) {
          uint8_t bytes[32];
          all[i].to_be_bytes(bytes);
          EXPECT_EQ("0x" + to_hex(bytes), j["public_inputs"][i].get<std::string>()) << file << " input " << i;
          if (::testing::Test::HasFailure()) break;
        }
      }
      ++checked;
    }
  }
  if (checked == 0) GTEST_SKIP() << "no shared vectors";
}

TEST(PublicInputs, ReplicaIdsFollowFromIds) {
  size_t checked = 0;
  for (const char* folder : {"inputs", "real", "full"}) {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator(kVectors + folder, ignored)) {
      const std::string file = entry.path().filename();
      if (!file.ends_with(".json") || file.find(".p") == std::string::npos) continue;
      const json j = *read_json(entry.path());
      if (!j.contains("replica_id")) continue;
      if (j.contains("miner_id")) {
        EXPECT_EQ(to_hex(prover_id(j["miner_id"])), j["prover_id"].get<std::string>()) << file;
      }
      EXPECT_EQ(to_hex(compute_replica_id(bytes32(j["prover_id"]), j["sector_id"], bytes32(j["ticket"]),
                                          bytes32(j["comm_d"]), bytes32(j["porep_id"]))),
                j["replica_id"].get<std::string>())
          << file;
      ++checked;
    }
  }
  if (checked == 0) GTEST_SKIP() << "no shared vectors";
}

TEST(RegisteredSeal, NamesAndNumbers) {
  for (uint64_t bytes : {2 * kKiB, 8 * kMiB, 512 * kMiB, 32 * kGiB, 64 * kGiB}) {
    for (const char* suffix : {"V1", "V1_1", "V1_1_Feat_SyntheticPoRep", "V1_2_Feat_NonInteractivePoRep"}) {
      const std::string name = "StackedDrg" + sector_size_name(bytes) + suffix;
      const auto seal = parse_registered_seal(name);
      ASSERT_TRUE(seal) << name;
      EXPECT_EQ(seal->name(), name);
    }
  }
  EXPECT_EQ(parse_registered_seal("StackedDrg32GiBV1_1")->id(), 8u);
  EXPECT_EQ(parse_registered_seal("StackedDrg2KiBV1_2_Feat_NonInteractivePoRep")->id(), 15u);
  EXPECT_FALSE(parse_registered_seal("StackedDrg3KiBV1"));
}

TEST(SectorSize, Reads) {
  EXPECT_EQ(*parse_sector_size("32GiB"), 32 * kGiB);
  EXPECT_EQ(*parse_sector_size("32g"), 32 * kGiB);
  EXPECT_EQ(*parse_sector_size("2048"), 2 * kKiB);
  EXPECT_FALSE(parse_sector_size("33GiB"));
}

}  // namespace
}  // namespace cuzk
