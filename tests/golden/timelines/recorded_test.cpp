// Recordings of real runs: recorded/README.md says how they were made.
#include <gtest/gtest.h>

#include "score.hpp"

namespace cuzk::golden {
namespace {

diagnosis::Analysis analyse_file(const std::string& name) {
  auto timeline =
      timeline::read_timeline(std::string(CUZK_SOURCE_DIR "/tests/golden/timelines/recorded/") + name);
  if (!timeline) std::abort();
  auto analysis = diagnosis::analyse(std::move(*timeline), name, {});
  if (!analysis) std::abort();
  return std::move(*analysis);
}

const diagnosis::Hypothesis& hypothesis(const diagnosis::Analysis& a, diagnosis::Cause cause) {
  for (const auto& h : a.hypotheses)
    if (h.cause == cause) return h;
  std::abort();
}

// Two runs on one core of a machine with nothing else to do.
TEST(Recorded, NothingIsClaimedOnAQuietMachine) {
  const auto a = analyse_file("quiet.csv");
  for (const auto& h : a.hypotheses)
    EXPECT_NE(h.verdict, diagnosis::Verdict::kSupported) << diagnosis::cause_name(h.cause);
}

// The same, and a program streams through memory on the other core during the second run: the probe rises by
// more than 1.2. Its thread counts for the host's run queue, but takes no CPU from the runs.
TEST(Recorded, ALoadOnMemoryIsFirstAndAlone) {
  const auto a = analyse_file("quiet_load.csv");
  EXPECT_EQ(a.hypotheses.front().cause, diagnosis::Cause::kMemoryBandwidth);
  EXPECT_EQ(a.hypotheses.front().verdict, diagnosis::Verdict::kSupported);
  for (const auto& h : a.hypotheses)
    if (h.cause != diagnosis::Cause::kMemoryBandwidth) {
      EXPECT_NE(h.verdict, diagnosis::Verdict::kSupported) << diagnosis::cause_name(h.cause);
    }
  EXPECT_EQ(hypothesis(a, diagnosis::Cause::kCpuOversubscription).verdict, diagnosis::Verdict::kRejected);
}

// Other programs' compilers on both cores: threads wait for CPUs, and memory is hardly slower.
TEST(Recorded, BusyCpusAreNotTakenForMemory) {
  const auto a = analyse_file("cpu_busy.csv");
  EXPECT_EQ(a.hypotheses.front().cause, diagnosis::Cause::kCpuOversubscription);
  EXPECT_EQ(a.hypotheses.front().verdict, diagnosis::Verdict::kSupported);
  for (const auto& h : a.hypotheses)
    if (h.cause != diagnosis::Cause::kCpuOversubscription) {
      EXPECT_NE(h.verdict, diagnosis::Verdict::kSupported) << diagnosis::cause_name(h.cause);
    }
}

// A program streams through memory during the second run, on a machine that is busy besides: the probe rises
// by 1.19, which is not enough to say so.
TEST(Recorded, AProbeThatHardlyRisesClaimsNothing) {
  const auto a = analyse_file("memory_load.csv");
  for (const auto& h : a.hypotheses)
    if (h.cause == diagnosis::Cause::kMemoryBandwidth) {
      EXPECT_NE(h.verdict, diagnosis::Verdict::kSupported);
      EXPECT_FALSE(h.against.empty());
    }
}

}  // namespace
}  // namespace cuzk::golden
