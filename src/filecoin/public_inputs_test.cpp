// Public inputs from what a verifier knows, against those that the upstream verifier derives.
#include "filecoin/public_inputs.hpp"

#include <fstream>

#include "filecoin/circuit_digest.hpp"
#include "filecoin/sector.hpp"
#include "filecoin/statement.hpp"
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

using testing_support::all_cases;
using testing_support::Case;

RegisteredSeal seal_of(const Case& c) {
  if (auto seal = parse_registered_seal(c.text("registered_proof"))) return *seal;
  return {c.number("sector_size"), ApiVersion::kV1_1, PorepVariant::kInteractive};
}

Result<std::vector<Fr>> derive(const Case& c) {
  const uint64_t bytes = c.number("sector_size");
  const auto partition = static_cast<uint32_t>(c.number("partition"));
  if (c.has("replica_id")) {
    const RegisteredSeal seal = seal_of(c);
    EXPECT_EQ(bytes, seal.sector_bytes);
    return porep_public_inputs({bytes, seal.api, seal.variant, c.bytes32("porep_id"), c.bytes32("replica_id"),
                                c.bytes32("comm_d"), c.bytes32("comm_r"), c.bytes32("seed")},
                               partition);
  }
  if (c.has("comm_r_old"))
    return update_public_inputs(
        {bytes, c.bytes32("comm_r_old"), c.bytes32("comm_d_new"), c.bytes32("comm_r_new")}, partition);
  if (c.path().find("winning") != std::string::npos)
    return winning_public_inputs(bytes, c.bytes32("randomness"), c.sectors().at(0));
  return window_public_inputs(bytes, *parse_api_version(c.text("api")), c.bytes32("randomness"), c.sectors(),
                              partition);
}

TEST(PublicInputs, EqualTheVerifiers) {
  const std::vector<Case> cases = all_cases();
  if (cases.empty()) GTEST_SKIP() << "no shared vectors";
  for (const Case& c : cases) {
    const auto inputs = derive(c);
    ASSERT_TRUE(inputs) << c.path() << inputs.error().message;
    std::vector<Fr> all = {Fr::one()};
    all.insert(all.end(), inputs->begin(), inputs->end());
    EXPECT_EQ(to_hex(digest_of_inputs(all)), c.text("input_digest")) << c.path();
    const auto expected = c.texts("public_inputs");
    for (size_t i = 0; i < std::min(all.size(), expected.size()); ++i) {
      uint8_t bytes[32];
      all[i].to_be_bytes(bytes);
      ASSERT_EQ(expected[i], "0x" + to_hex(bytes)) << c.path() << " input " << i;
    }
  }
}

TEST(PublicInputs, ReplicaIdsFollowFromIds) {
  for (const Case& c : all_cases()) {
    if (!c.has("replica_id")) continue;
    if (c.has("miner_id")) {
      EXPECT_EQ(to_hex(prover_id(c.number("miner_id"))), c.text("prover_id")) << c.path();
    }
    EXPECT_EQ(to_hex(compute_replica_id(c.bytes32("prover_id"), c.number("sector_id"), c.bytes32("ticket"),
                                        c.bytes32("comm_d"), c.bytes32("porep_id"))),
              c.text("replica_id"))
        << c.path();
  }
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

TEST(RegisteredPost, Names) {
  for (uint64_t bytes : {2 * kKiB, 8 * kMiB, 512 * kMiB, 32 * kGiB, 64 * kGiB})
    for (const auto& [winning, api] :
         {std::pair(true, ApiVersion::kV1_0), {false, ApiVersion::kV1_0}, {false, ApiVersion::kV1_2}}) {
      const auto name = registered_post_name(winning, bytes, api);
      ASSERT_TRUE(name);
      EXPECT_EQ(*parse_registered_post(*name), (RegisteredPost{winning, api, bytes})) << *name;
    }
  EXPECT_EQ(*registered_post_name(false, 32 * kGiB, ApiVersion::kV1_2), "StackedDrgWindow32GiBV1_2");
  EXPECT_EQ(parse_registered_post("StackedDrgWindow32GiBV1_1")->api, ApiVersion::kV1_2);
  EXPECT_FALSE(registered_post_name(false, 32 * kGiB, ApiVersion::kV1_1));
  EXPECT_FALSE(registered_post_name(true, 16 * kKiB, ApiVersion::kV1_0));
  for (const char* bad : {"", "Window", "Window 1.3.0", "Winning 1.2.0", "StackedDrgWinning32GiBV1_1",
                          "StackedDrg32GiBV1", "StackedDrgWindow16KiBV1", "StackedDrgWindow32GiBV1 "})
    EXPECT_FALSE(parse_registered_post(bad)) << bad;
  EXPECT_EQ(*parse_registered_update("StackedDrg32GiBV1"), 32 * kGiB);
  EXPECT_FALSE(parse_registered_update("StackedDrg32GiBV1_1"));
}

ProofKind kind_of(const Case& c) {
  if (c.has("replica_id")) return ProofKind::kPorep;
  if (c.has("comm_r_old")) return ProofKind::kSnap;
  return c.path().find("winning") != std::string::npos ? ProofKind::kWinning : ProofKind::kWindow;
}

std::string text_of(const Case& c) {
  std::ifstream file(testing_support::kVectors + c.path() + ".json");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Statement, VectorsAreValidAndSurviveWriting) {
  const std::vector<Case> cases = all_cases();
  if (cases.empty()) GTEST_SKIP() << "no shared vectors";
  for (const Case& c : cases) {
    const auto parsed = parse_statement(kind_of(c), text_of(c));
    ASSERT_TRUE(parsed) << c.path() << parsed.error().message;
    EXPECT_EQ(parsed->partition, std::optional<uint32_t>(c.number("partition"))) << c.path();
    const std::string written = statement_to_json(parsed->statement);
    const auto again = parse_statement(kind_of(c), written);
    ASSERT_TRUE(again) << c.path() << again.error().message;
    EXPECT_EQ(statement_to_json(again->statement), written);
    for (const char* field : {"miner_id", "prover_id"})
      EXPECT_EQ(c.has(field), written.find(field) != std::string::npos) << c.path() << field;
    for (const ParsedStatement* statement : {&*parsed, &*again}) {
      const auto inputs = statement->statement.public_inputs(*parsed->partition);
      ASSERT_TRUE(inputs) << c.path() << inputs.error().message;
      std::vector<Fr> all = {Fr::one()};
      all.insert(all.end(), inputs->begin(), inputs->end());
      EXPECT_EQ(to_hex(digest_of_inputs(all)), c.text("input_digest")) << c.path();
    }
  }
}

TEST(SectorSize, Reads) {
  EXPECT_EQ(*parse_sector_size("32GiB"), 32 * kGiB);
  EXPECT_EQ(*parse_sector_size("32g"), 32 * kGiB);
  EXPECT_EQ(*parse_sector_size("2048"), 2 * kKiB);
  EXPECT_FALSE(parse_sector_size("33GiB"));
}

}  // namespace
}  // namespace cuzk
