// Every byte of one 2 KiB input of WindowPoSt and SnapDeals (the others: rejection_huge_test), seeded
// positions of other files; and what the circuits read, changed without a check: not satisfied.
#include "filecoin/rejection_support.hpp"
#include "filecoin/sector.hpp"
#include "r1cs/assignment_system.hpp"

namespace cuzk {
namespace {

using namespace testing_support;

constexpr size_t kAll = SIZE_MAX, kSeeded = 1000, kSeededOfMany = 100;

TEST(RejectionSlow, EveryByteOfAWindowPost) {
  check_post_positions("inputs/window-2k.p0", 0, kAll);
}
TEST(RejectionSlow, EveryByteOfAnUpdate) {
  check_update_positions("inputs/snap-2k.p0", kAll);
}

TEST(RejectionSlow, SeededPositionsOfPostFiles) {
  for (size_t file = 1; file < 3; ++file) check_post_positions("inputs/window-2k.p0", file, kSeeded);
  for (size_t file = 0; file < 3; ++file) check_post_positions("inputs/window-v1-2k.p0", file, kSeeded);
  check_post_positions("full/window-32g.real.p0", 0, kSeeded);
  for (const char* size : {"16k", "32k", "8m"}) {
    check_post_positions("inputs/winning-" + std::string(size) + ".p0", 0, kSeeded);
    for (size_t file = 0; file < 3; ++file) {
      check_post_positions("inputs/window-" + std::string(size) + ".p0", file, kSeeded);
      check_post_positions("inputs/window-v1-" + std::string(size) + ".p0", file, kSeeded);
    }
  }
}

TEST(RejectionSlow, SeededPositionsOfUpdates) {
  for (const char* path :
       {"snap-16k.p0", "snap-16k.p1", "snap-32k.p0", "snap-32k.p1", "snap-8m.p0", "snap-8m.p3"})
    check_update_positions("inputs/" + std::string(path), kSeeded);
  // Partitions without a case of their own.
  for (uint32_t partition : {1, 2})
    check_update_positions("inputs/snap-8m.p0", kSeeded, partition,
                           "snap-8m.p" + std::to_string(partition) + ".vanilla.bin");
}

TEST(RejectionSlow, SeededPositionsOfPoreps) {
  for (const char* path : {"inputs/porep-2k-v1.p0", "inputs/porep-2k-synthetic.p0", "inputs/porep-2k.made.p0",
                           "inputs/porep-16k.p0", "inputs/porep-16k.made.p0", "inputs/porep-32k.p0",
                           "inputs/porep-32k.made.p0", "inputs/porep-8m.p0"})
    check_porep_positions(path, kSeeded);
  check_porep_positions("inputs/porep-2k-ni.p0", kSeededOfMany);  // 13 partitions
}

template <class Input>
struct Change {
  const char* field;
  std::function<void(Input&)> apply;
  const char* first_failing;
};

// The path of the first failing constraint; empty when all hold.
template <class Input, class Synthesize>
std::string first_failure(const Input& input, Synthesize&& synthesize) {
  AssignmentSystem cs;
  EXPECT_TRUE(synthesize(input, cs));
  return cs.first_unsatisfied() ? cs.first_unsatisfied()->path : "";
}

const Fr kOneMore = Fr::one();

TEST(RejectionSlow, WhatThePorepCircuitReads) {
  const auto c = Case::load("inputs/porep-2k.p0");
  if (!c) GTEST_SKIP() << "no shared vectors";
  const auto original = porep_input(*c);
  ASSERT_TRUE(original);
  const auto challenge = [](PorepInput& in) -> PorepChallenge& { return in.partitions[0][1].circuit; };
  const auto first = [](PorepInput& in) -> PorepVanillaProof& { return in.partitions[0][0]; };
  const Change<PorepInput> changes[] = {
      {"replica_id", [](PorepInput& in) { in.replica_id[0] ^= 1; },
       "challenge_0/comm_r_last_data_inclusion/enforce root is correct"},
      {"comm_d", [](PorepInput& in) { in.comm_d[0] ^= 1; },
       "challenge_0/comm_d_inclusion/enforce root is correct"},
      {"comm_r", [](PorepInput& in) { in.comm_r[0] ^= 1; }, "enforce comm_r = H(comm_c || comm_r_last)"},
      {"comm_d_proofs: leaf", [&](PorepInput& in) { challenge(in).data += kOneMore; },
       "challenge_1/comm_d_inclusion/enforce root is correct"},
      {"comm_d_proofs: path", [&](PorepInput& in) { challenge(in).data_path[5].siblings[0] += kOneMore; },
       "challenge_1/comm_d_inclusion/enforce root is correct"},
      {"comm_d_proofs: index", [&](PorepInput& in) { challenge(in).data_path[0].index ^= 1; },
       "challenge_1/comm_d_inclusion/enforce root is correct"},
      {"comm_r_last_proof: path",
       [&](PorepInput& in) { challenge(in).replica_path[1].siblings[6] += kOneMore; },
       "challenge_1/comm_r_last_data_inclusion/enforce root is correct"},
      {"comm_r_last_proof: index", [&](PorepInput& in) { challenge(in).replica_path[0].index ^= 3; },
       "challenge_1/comm_r_last_data_inclusion/enforce root is correct"},
      {"c_x: path", [&](PorepInput& in) { challenge(in).column_path[0].siblings[3] += kOneMore; },
       "challenge_1/c_x_inclusion/enforce root is correct"},
      {"drg parent: row", [&](PorepInput& in) { challenge(in).parents[0].labels[0] += kOneMore; },
       "challenge_1/drg_parent_0_inclusion/enforce root is correct"},
      {"exp parent: row", [&](PorepInput& in) { challenge(in).parents[13].labels[1] += kOneMore; },
       "challenge_1/exp_parent_7_inclusion/enforce root is correct"},
      {"parent: path", [&](PorepInput& in) { challenge(in).parents[7].path[1].siblings[0] += kOneMore; },
       "challenge_1/exp_parent_1_inclusion/enforce root is correct"},
      {"parent: index", [&](PorepInput& in) { challenge(in).parents[7].path[1].index ^= 1; },
       "challenge_1/exp_parent_1_inclusion/enforce root is correct"},
      {"labeling_proofs: node", [&](PorepInput& in) { challenge(in).node ^= 1; },
       "challenge_1/comm_r_last_data_inclusion/enforce root is correct"},
      {"first challenge: root of tree R", [&](PorepInput& in) { first(in).replica_root += kOneMore; },
       "enforce comm_r = H(comm_c || comm_r_last)"},
      {"first challenge: root of tree C", [&](PorepInput& in) { first(in).column.root += kOneMore; },
       "enforce comm_r = H(comm_c || comm_r_last)"},
  };
  for (const auto& change : changes) {
    PorepInput input = *original;
    change.apply(input);
    EXPECT_EQ(first_failure(input, [](const PorepInput& in,
                                      ConstraintSystem& cs) { return synthesize_porep(in, 0, cs); }),
              change.first_failing)
        << change.field;
  }
}

TEST(RejectionSlow, WhatThePostCircuitReads) {
  const auto c = Case::load("inputs/window-2k.p0");
  if (!c) GTEST_SKIP() << "no shared vectors";
  const auto original = post_input(*c);
  ASSERT_TRUE(original);
  const auto sector = [](PostInput& in) -> PostSector& { return in.sectors[1].circuit; };
  const Change<PostInput> changes[] = {
      {"comm_r", [&](PostInput& in) { sector(in).comm_r += kOneMore; },
       "outer namespace/sector_1/enforce_comm_c_comm_r_last_hash_comm_r"},
      {"comm_c", [&](PostInput& in) { sector(in).comm_c += kOneMore; },
       "outer namespace/sector_1/enforce_comm_c_comm_r_last_hash_comm_r"},
      {"comm_r_last", [&](PostInput& in) { sector(in).comm_r_last += kOneMore; },
       "outer namespace/sector_1/enforce_comm_c_comm_r_last_hash_comm_r"},
      {"leaf", [&](PostInput& in) { sector(in).leaves[9].value += kOneMore; },
       "outer namespace/sector_1/challenge_inclusion_9/enforce root is correct"},
      {"path", [&](PostInput& in) { sector(in).leaves[9].path[0].siblings[0] += kOneMore; },
       "outer namespace/sector_1/challenge_inclusion_9/enforce root is correct"},
      {"index", [&](PostInput& in) { sector(in).leaves[9].path[1].index ^= 1; },
       "outer namespace/sector_1/challenge_inclusion_9/enforce root is correct"},
  };
  const auto synthesize = [](const PostInput& in, ConstraintSystem& cs) {
    return synthesize_post(in, 0, cs);
  };
  EXPECT_EQ(first_failure(*original, synthesize), "");
  for (const auto& change : changes) {
    PostInput input = *original;
    change.apply(input);
    EXPECT_EQ(first_failure(input, synthesize), change.first_failing) << change.field;
  }
}

TEST(RejectionSlow, WhatTheUpdateCircuitReads) {
  const auto c = Case::load("inputs/snap-16k.p1");
  if (!c) GTEST_SKIP() << "no shared vectors";
  const auto original = update_input(*c);
  ASSERT_TRUE(original);
  const auto last = [](UpdateInput& in) -> UpdateChallenge& { return in.circuit.challenges[9]; };
  const auto first = [](UpdateInput& in) -> UpdateChallenge& { return in.circuit.challenges[0]; };
  const Change<UpdateInput> changes[] = {
      {"partition", [](UpdateInput& in) { in.circuit.k_and_h_select ^= 1; },
       "apex_gadget/partition-tree por/calculated root == provided root"},
      {"comm_r_old", [](UpdateInput& in) { in.circuit.comm_r_old += kOneMore; },
       "enforce comm_r_old_calc == comm_r_old"},
      {"comm_d_new", [](UpdateInput& in) { in.circuit.comm_d_new += kOneMore; },
       "apex_gadget/partition-tree por/calculated root == provided root"},
      {"comm_r_new", [](UpdateInput& in) { in.circuit.comm_r_new += kOneMore; },
       "enforce comm_r_new_calc == comm_r_new"},
      {"comm_c", [](UpdateInput& in) { in.circuit.comm_c += kOneMore; },
       "enforce comm_r_old_calc == comm_r_old"},
      {"apex_leafs", [](UpdateInput& in) { in.circuit.apex_leaves[127] += kOneMore; },
       "apex_gadget/partition-tree por/calculated root == provided root"},
      {"proof_r_old: leaf", [&](UpdateInput& in) { last(in).leaf_r_old += kOneMore; },
       "por tree_r_old (c_index=9)/calculated root == provided root"},
      {"proof_d_new: leaf", [&](UpdateInput& in) { last(in).leaf_d_new += kOneMore; },
       "por tree_r_new (c_index=9)/calculated root == provided root"},
      {"proof_r_old: path", [&](UpdateInput& in) { last(in).path_r_old[2].siblings[6] += kOneMore; },
       "por tree_r_old (c_index=9)/calculated root == provided root"},
      {"proof_r_new: path", [&](UpdateInput& in) { last(in).path_r_new[0].siblings[0] += kOneMore; },
       "por tree_r_new (c_index=9)/calculated root == provided root"},
      {"proof_d_new: path below the apex",
       [&](UpdateInput& in) { last(in).path_d_new[0].siblings[0] += kOneMore; },
       "por to_apex_leaf (c_index=9)/calculated root == provided root"},
      {"first proof_d_new: path above the apex",
       [&](UpdateInput& in) { first(in).path_d_new.back().siblings[0] += kOneMore; },
       "apex_gadget/partition-tree por/calculated root == provided root"},
      {"first proof_r_old: root", [](UpdateInput& in) { in.circuit.root_r_old += kOneMore; },
       "enforce comm_r_old_calc == comm_r_old"},
      {"first proof_r_new: root", [](UpdateInput& in) { in.circuit.root_r_new += kOneMore; },
       "enforce comm_r_new_calc == comm_r_new"},
  };
  for (const auto& change : changes) {
    UpdateInput input = *original;
    change.apply(input);
    EXPECT_EQ(first_failure(input,
                            [](const UpdateInput& in, ConstraintSystem& cs) {
                              synthesize_update(in, cs);
                              return Status{};
                            }),
              change.first_failing)
        << change.field;
  }
}

}  // namespace
}  // namespace cuzk
