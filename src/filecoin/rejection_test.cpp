// Changed inputs are refused, with the place named; and without the check the circuit is not satisfied.
#include "filecoin/rejection_support.hpp"
#include "r1cs/assignment_system.hpp"

namespace cuzk {
namespace {

using testing_support::as_bytes;
using testing_support::Case;

std::string message_of(const Status& status) {
  return status ? "accepted" : status.error().message;
}

bool unsatisfied(const PorepInput& input, std::string& path) {
  AssignmentSystem cs;
  EXPECT_TRUE(synthesize_porep(input, 0, cs));
  if (!cs.first_unsatisfied()) return false;
  path = cs.first_unsatisfied()->path;
  return true;
}

TEST(Rejection, PorepFields) {
  const auto c = Case::load("inputs/porep-2k.p0");
  if (!c) GTEST_SKIP() << "no shared vectors";
  const auto parsed = testing_support::porep_input(*c);
  ASSERT_TRUE(parsed);
  struct Change {
    const char* place;
    std::function<void(PorepInput&)> apply;
  };
  auto proof = [](PorepInput& in) -> PorepVanillaProof& { return in.partitions[0][1]; };
  const Fr one = Fr::one();
  const Change changes[] = {
      {"replica_id", [](PorepInput& in) { in.replica_id[0] ^= 1; }},
      {"replica_id", [](PorepInput& in) { in.ticket[0] ^= 1; }},
      {"replica_id", [](PorepInput& in) { *in.sector ^= 1; }},
      {"comm_r", [](PorepInput& in) { in.comm_r[0] ^= 1; }},
      {"challenge 0", [](PorepInput& in) { in.seed[0] ^= 1; }},
      {"challenge 1: comm_d_proofs", [&](PorepInput& in) { proof(in).circuit.data += one; }},
      {"challenge 1: comm_d_proofs: root", [&](PorepInput& in) { proof(in).data_root += one; }},
      {"challenge 1: comm_d_proofs",
       [&](PorepInput& in) { proof(in).circuit.data_path[3].siblings[0] += one; }},
      {"challenge 1: comm_d_proofs: index",
       [&](PorepInput& in) { proof(in).circuit.data_path[3].index ^= 1; }},
      {"challenge 1: comm_r_last_proof", [&](PorepInput& in) { proof(in).replica_leaf += one; }},
      {"challenge 1: comm_r_last_proof: root", [&](PorepInput& in) { proof(in).replica_root += one; }},
      {"challenge 1: replica_column_proofs: c_x: column", [&](PorepInput& in) { ++proof(in).column.node; }},
      {"challenge 1: replica_column_proofs: c_x", [&](PorepInput& in) { proof(in).labels[0] += one; }},
      {"challenge 1: replica_column_proofs: drg_parents 2",
       [&](PorepInput& in) { proof(in).circuit.parents[2].labels[1] += one; }},
      {"challenge 1: replica_column_proofs: exp_parents 3",
       [&](PorepInput& in) { proof(in).parents[9].leaf += one; }},
      {"challenge 1: labeling_proofs 1",
       [&](PorepInput& in) { proof(in).label_proofs[1].parents[36] += one; }},
      {"challenge 1: labeling_proofs 0", [&](PorepInput& in) { ++proof(in).label_proofs[0].node; }},
      {"challenge 1: labeling_proofs 1", [&](PorepInput& in) { ++proof(in).label_proofs[1].layer; }},
      {"challenge 1: encoding_proof", [&](PorepInput& in) { proof(in).encoding.parents[0] += one; }},
  };
  for (const Change& change : changes) {
    PorepInput input = *parsed;
    change.apply(input);
    const std::string message = message_of(check_porep_input(input, 0));
    EXPECT_NE(message.find(change.place), std::string::npos) << change.place << ": " << message;
  }
}

// A misspelt name of a field that may be missing is no field that is missing.
TEST(Rejection, UnknownFieldsOfC1AndEnvelopesAreNamed) {
  const auto c = Case::load("inputs/porep-2k.p0");
  if (!c) GTEST_SKIP() << "no shared vectors";
  const std::string c1 = *c->read_file(c->text("input_file"));
  const std::string with_field = "{\"sector_sizes\": 2048, " + c1.substr(c1.find('{') + 1);
  const std::pair<std::string, const char*> files[] = {
      {with_field, "sector_sizes"},
      {"{\"c1out\": " + with_field + "}", "c1out: unknown field sector_sizes"},
      {"{\"sector_ID\": 3, \"c1out\": " + c1 + "}", "sector_ID"},
      {"{\"c1out\": " + c1 + ", \"minerid\": 1000}", "minerid"},
      {"{\"phase1out\": " + c1 + "}", "phase1out"},
      {"{\"SectorNum\": 3, \"c1out\": " + c1 + ", \"sector_id\": 4}", "sector_id: a second"},
  };
  for (const auto& [file, what] : files) {
    const auto parsed = parse_porep_input(as_bytes(file));
    ASSERT_FALSE(parsed) << what;
    EXPECT_NE(parsed.error().message.find(what), std::string::npos) << parsed.error().message;
  }
  const std::string good = "{\"miner_id\": 1000, \"c1out\": " + c1 + ", \"sector_id\": 3}";
  const auto parsed = parse_porep_input(as_bytes(good));
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(parsed->miner, 1000u);
  EXPECT_EQ(parsed->sector, 3u);
}

TEST(Rejection, UnsatisfiedConstraintIsNamed) {
  const auto c = Case::load("inputs/porep-2k.p0");
  if (!c) GTEST_SKIP() << "no shared vectors";
  const auto parsed = testing_support::porep_input(*c);
  ASSERT_TRUE(parsed);
  std::string path;
  PorepInput input = *parsed;
  input.partitions[0][1].circuit.parents[2].labels[1] += Fr::one();
  ASSERT_TRUE(unsatisfied(input, path));
  EXPECT_EQ(path, "challenge_1/drg_parent_2_inclusion/enforce root is correct");
}

TEST(Rejection, SeededPositions) {
  testing_support::check_porep_positions("inputs/porep-2k.p0", 500);
  testing_support::check_post_positions("inputs/window-2k.p0", 0, 300);
  testing_support::check_update_positions("inputs/snap-2k.p0", 100);
}

}  // namespace
}  // namespace cuzk
