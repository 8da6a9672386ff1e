// What must come out of a log like the reference engine's.
#include <gtest/gtest.h>

#include <algorithm>

#include "score.hpp"

namespace cuzk::golden {
namespace {

class ReferenceLog : public testing::Test {
 protected:
  static void check(uint64_t seed, bool prefixes) {
    const Case c = make_reference_log(seed, prefixes);
    const diagnosis::Analysis a = analyse_text(c.text, "reference");
    const auto& facts = *a.facts;
    // Four runs, 2 to 10 s apart, of 5, 10, 15 and 20 proofs.
    ASSERT_EQ(facts.runs.size(), 4u) << seed;
    const size_t proofs[] = {5, 10, 15, 20};
    size_t complete = 0;
    for (size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(facts.runs[i].model->jobs.size(), proofs[i]);
      EXPECT_EQ(facts.runs[i].model->bounds.split, diagnosis::Split::kQuiet);
      EXPECT_TRUE(facts.runs[i].model->bounds.contaminated.empty());
      complete += facts.runs[i].model->proofs_complete();
      // The device waits for the first synthesis, and the log cannot say more than how long at least.
      const auto* lead_in = facts.runs[i].gaps.find(diagnosis::GapCause::kLeadIn);
      ASSERT_NE(lead_in, nullptr);
      EXPECT_GT(lead_in->max_ms, 30000);
      EXPECT_LT(lead_in->max_ms, 50000);
      EXPECT_TRUE(facts.runs[i].utilisation.upper_bound);
      EXPECT_LT(facts.runs[i].utilisation.device_busy, 0);
      EXPECT_LT(facts.runs[i].utilisation.interlock_held, 0);
      EXPECT_GT(facts.runs[i].utilisation.worker_occupied, 0);
    }
    EXPECT_EQ(complete, 49u);
    EXPECT_EQ(score(c, false).faults, 0u) << seed;
    const double minutes = (facts.runs[3].model->bounds.end_ns - facts.runs[0].model->bounds.begin_ns) / 60e9;
    EXPECT_NEAR(minutes, 33, 4);
    // 5.0, 5.5, 6.0 and 6.0 s in runs of 5, 10, 15 and 20 proofs. How many are in flight the log does not
    // show: its jobs begin with their first synthesis.
    const diagnosis::LoadFit* fit = facts.fit("worker_span");
    ASSERT_NE(fit, nullptr);
    EXPECT_EQ(fit->against, "proofs_in_run");
    EXPECT_TRUE(fit->rises());
    EXPECT_NEAR(fit->at_least, 5150, 150);
    EXPECT_NEAR(fit->at_most, 6050, 150);
    EXPECT_LT(fit->ci95.lo, 60);
    EXPECT_GT(fit->ci95.hi, 55);
    EXPECT_LT(fit->ci95.hi - fit->ci95.lo, 60);
    const std::string text = diagnosis::to_text(a);
    EXPECT_NE(text.find("overstate"), std::string::npos);
    EXPECT_NE(text.find(c.truth.lost_job + ": 9 of 10 partitions; missing " +
                        std::to_string(c.truth.lost_partition)),
              std::string::npos)
        << text;
    // A slowdown with load, and nothing measured that could say why.
    for (const auto& h : a.hypotheses) {
      if (h.cause == diagnosis::Cause::kSynthesisStarvation) continue;
      EXPECT_NE(h.verdict, diagnosis::Verdict::kSupported) << diagnosis::cause_name(h.cause);
      if (h.cause == diagnosis::Cause::kMemoryBandwidth) {
        EXPECT_EQ(h.verdict, diagnosis::Verdict::kPossible);
        EXPECT_FALSE(h.missing.empty());
      }
    }
  }
};

TEST_F(ReferenceLog, RunsMissingPartitionLeadInAndDegradation) {
  for (uint64_t seed = 1; seed <= 8; ++seed) check(seed, seed % 2 == 0);
}

TEST_F(ReferenceLog, InterlockWaitIsPrintedWhereTheLogHasIt) {
  const diagnosis::Analysis a = analyse_text(make_reference_log(3).text, "reference");
  EXPECT_NE(diagnosis::to_text(a).find("CUZK_TIMING mutex_wait_ms"), std::string::npos);
  EXPECT_NE(diagnosis::to_json(a).find("\"cuzk_timing\""), std::string::npos);
}

}  // namespace
}  // namespace cuzk::golden
