// Public inputs from what a verifier knows, against those that the upstream verifier derives.
#include "filecoin/public_inputs.hpp"

#include <fstream>

#include "filecoin/challenges.hpp"
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

// Source: filecoin-proofs-api 19, registry.rs: the numbers go through the sizes, then through the versions.
TEST(RegisteredSeal, NamesNumbersAndPartitions) {
  uint64_t number = 0;
  for (const char* suffix : {"V1", "V1_1", "V1_1_Feat_SyntheticPoRep", "V1_2_Feat_NonInteractivePoRep"}) {
    for (uint64_t bytes : {2 * kKiB, 8 * kMiB, 512 * kMiB, 32 * kGiB, 64 * kGiB}) {
      const std::string name = "StackedDrg" + sector_size_name(bytes) + suffix;
      const auto seal = parse_registered_seal(name);
      ASSERT_TRUE(seal) << name;
      EXPECT_EQ(seal->name(), name);
      EXPECT_EQ(seal->id(), number++) << name;
      const bool large = bytes >= 32 * kGiB, alone = seal->variant == PorepVariant::kNonInteractive;
      EXPECT_EQ(seal->partitions(), large ? (alone ? 126u : 10u) : (alone ? 13u : 1u)) << name;
    }
  }
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

// Golden values of upstream's own tests, rust-fil-proofs 87348a74: storage-proofs-porep, challenges.rs.
TEST(Challenges, OfSyntheticSectors) {
  PorepChallengeSeed seed{PorepVariant::kSynthetic, 1024, 10, {55}, {101}, {}, 21};
  seed.seed.fill(1);
  EXPECT_EQ(porep_challenges(seed, 0),
            (std::vector<uint64_t>{176, 781, 801, 986, 290, 211, 692, 856, 986, 332}));
}

// The field element that upstream's tests draw: XorShift (Marsaglia's, 128 bits) from their seed.
Fr upstream_test_element() {
  std::array<uint32_t, 4> s = {0x5dbe6259, 0x8d313d76, 0x3237db17, 0xe5bc0654};
  const auto next = [&s] {
    const uint32_t t = s[0] ^ (s[0] << 11);
    s = {s[1], s[2], s[3], s[3] ^ (s[3] >> 19) ^ t ^ (t >> 8)};
    return s[3];
  };
  while (true) {
    uint8_t bytes[32];
    for (size_t i = 0; i < 32; i += 4) store_le32(bytes + i, next());
    bytes[31] &= 0x7f;
    if (const auto element = Fr::from_le_bytes(bytes)) return *element;
  }
}

// The first five of a partition: storage-proofs-update, challenges.rs.
TEST(Challenges, OfUpdates) {
  struct Row {
    uint64_t nodes;
    uint32_t partition;
    std::vector<uint64_t> first;
  };
  const Row rows[] = {
      {64, 0, {53, 51, 56, 3, 0}},
      {128, 0, {117, 25, 62, 0, 72}},
      {512, 0, {245, 140, 15, 128, 28}},
      {512, 1, {286, 308, 493, 510, 508}},
      {1024, 0, {245, 454, 3, 400, 193}},
      {1024, 1, {542, 666, 955, 927, 911}},
      {262144, 0, {36085, 32783, 44060, 10950, 3731}},
      {262144, 1, {78878, 130797, 112892, 93994, 78379}},
      {16777216, 0, {1019125, 116736, 706220, 59698, 799498}},
      {16777216, 15, {16388544, 15794686, 16637142, 16319148, 16328348}},
      {1073741824, 0, {1019125, 27985696, 15282860, 11586600, 44651330}},
      {1073741824, 1, {109168525, 127316247, 80331041, 97065716, 72310052}},
      {1073741824, 14, {990420169, 955146989, 968005601, 976863263, 944650706}},
      {1073741824, 15, {1038629497, 1053983614, 1030421316, 1027373887, 1068685433}},
      {2147483648, 0, {1019125, 13992848, 3820715, 18225541, 57316660}},
      {2147483648, 1, {243386253, 197875851, 204632136, 171516766, 247789010}},
      {2147483648, 14, {1997053129, 1920414070, 2003609080, 1900492803, 1963254685}},
      {2147483648, 15, {2045262457, 2036941247, 2136653521, 2091356007, 2147167623}},
  };
  const Fr comm_r_new = upstream_test_element();
  for (const Row& row : rows) {
    auto found = update_challenges(row.nodes * kNodeBytes, comm_r_new, row.partition);
    found.resize(5);
    EXPECT_EQ(found, row.first) << row.nodes << " nodes, partition " << row.partition;
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
