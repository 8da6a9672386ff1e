// Made-up inputs pass their checks and satisfy the circuits; inputs are written as upstream writes them.
#include "base/executor.hpp"
#include "filecoin/gen/generate.hpp"
#include "filecoin/inputs/write_inputs.hpp"
#include "filecoin/sector.hpp"
#include "filecoin/test_support.hpp"
#include "r1cs/assignment_system.hpp"

namespace cuzk {
namespace {

using testing_support::as_bytes;
using testing_support::Case;

// Everything but the circuit itself.
void check(const ProofInput& input, uint32_t partition) {
  InlineExecutor executor;
  const Status status = input.check(partition, executor);
  EXPECT_TRUE(status) << input.circuit().name() << " partition " << partition << ": "
                      << status.error().message;
  ASSERT_TRUE(input.statement());
}

void check_satisfied(const ProofInput& input, uint32_t partition) {
  AssignmentSystem cs;
  ASSERT_TRUE(input.synthesize(partition, cs));
  ASSERT_FALSE(cs.first_unsatisfied()) << input.circuit().name() << ": " << cs.first_unsatisfied()->path;
  const auto expected = input.statement()->public_inputs(partition);
  ASSERT_TRUE(expected);
  EXPECT_TRUE(std::equal(expected->begin(), expected->end(), cs.inputs().begin() + 1, cs.inputs().end()));
}

void check_all(const ProofInput& input) {
  for (uint32_t k = 0; k < input.partitions(); ++k) check(input, k);
}

TEST(Generate, PorepPassesItsChecks) {
  ThreadPool executor(2);
  for (uint64_t bytes : kSectorSizes) {
    if (is_production_size(bytes)) continue;  // gen_slow_test
    PorepInput input = generate_porep(bytes, 7, executor);
    const auto again = parse_porep_input(as_bytes(porep_input_to_json(input)));
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(porep_input_to_json(*again), porep_input_to_json(input));
    EXPECT_EQ(again->porep_id, input.porep_id);
    check_all(ProofInput(std::move(input)));
  }
}

TEST(Generate, PostPassesItsChecks) {
  ThreadPool executor(2);
  for (uint64_t bytes : kSectorSizes) {
    if (is_production_size(bytes)) continue;  // gen_slow_test
    for (const PostInput& input :
         {generate_winning(bytes, 7, executor), generate_window(bytes, 3, 7, executor)}) {
      std::vector<uint8_t> file;
      for (const PostSectorProof& sector : input.sectors) {
        const auto one = post_sector_proof_to_bincode(sector, bytes);
        file.insert(file.end(), one.begin(), one.end());
      }
      const auto again = parse_post_sector_proofs(file, bytes);
      ASSERT_TRUE(again) << again.error().message;
      ASSERT_EQ(again->size(), input.sectors.size());
      EXPECT_EQ(post_sector_proof_to_bincode(again->back(), bytes),
                post_sector_proof_to_bincode(input.sectors.back(), bytes));
      check_all(ProofInput(input));
    }
  }
}

TEST(Generate, UpdatePassesItsChecks) {
  for (uint64_t bytes : kSectorSizes) {
    if (is_production_size(bytes)) continue;  // gen_slow_test
    const UpdateInputs inputs = generate_update(bytes, 7);
    const UpdatePublic& s = inputs.statement;
    std::vector<uint8_t> file;
    for (const UpdateInput& input : inputs.partitions) {
      const auto one = update_input_to_bincode(input);
      file.insert(file.end(), one.begin(), one.end());
    }
    const auto again = parse_update_inputs(file, {bytes, 0, s.comm_r_old, s.comm_d_new, s.comm_r_new});
    ASSERT_TRUE(again) << again.error().message;
    ASSERT_EQ(again->size(), inputs.partitions.size());
    check_all(ProofInput(inputs));
  }
}

TEST(Generate, SmallPostSatisfiesTheCircuit) {
  ThreadPool executor(2);
  check_satisfied(ProofInput(generate_winning(2 * kKiB, 1, executor)), 0);
  const ProofInput window(generate_window(32 * kKiB, 3, 1, executor));
  check_satisfied(window, 0);
  check_satisfied(window, 1);
}

TEST(Generate, SeedsDiffer) {
  InlineExecutor executor;
  EXPECT_EQ(porep_input_to_json(generate_porep(2 * kKiB, 1, executor)),
            porep_input_to_json(generate_porep(2 * kKiB, 1, executor)));
  EXPECT_NE(porep_input_to_json(generate_porep(2 * kKiB, 1, executor)),
            porep_input_to_json(generate_porep(2 * kKiB, 2, executor)));
}

TEST(WriteInputs, AsUpstreamWritesThem) {
  for (const char* name :
       {"porep-2k.p0", "porep-16k.p0", "porep-32k.p0", "porep-2k-v1.p0", "porep-2k-synthetic.p0"}) {
    const auto c = Case::load(std::string("inputs/") + name);
    if (!c) GTEST_SKIP() << "no shared vectors";
    const std::string file = *c->read_file(c->text("input_file"));
    const auto input = parse_porep_input(as_bytes(file));
    ASSERT_TRUE(input) << input.error().message;
    EXPECT_TRUE(porep_input_to_json(*input) == file) << name;
  }
  for (const char* name : {"winning-2k.p0", "window-16k.p0", "window-32k.p0"}) {
    const auto c = Case::load(std::string("inputs/") + name);
    const std::string file = *c->read_file(c->texts("input_files")[0]);
    const auto input = testing_support::post_input(*c);
    ASSERT_TRUE(input);
    const auto written = post_sector_proof_to_bincode(input->sectors[0], input->sector_bytes);
    EXPECT_TRUE(std::string(written.begin(), written.end()) == file) << name;
  }
  for (const char* name : {"snap-2k.p0", "snap-16k.p1", "snap-32k.p0"}) {
    const auto c = Case::load(std::string("inputs/") + name);
    const auto input = testing_support::update_input(*c);
    ASSERT_TRUE(input);
    const auto written = update_input_to_bincode(*input);
    EXPECT_TRUE(std::string(written.begin(), written.end()) == *c->read_file(c->text("input_file"))) << name;
  }
}

}  // namespace
}  // namespace cuzk
