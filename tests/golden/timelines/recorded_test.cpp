// Recordings of real runs: recorded/README.md says how they were made.
#include <gtest/gtest.h>

#include <filesystem>

#include "score.hpp"

namespace cuzk::golden {
namespace {

const std::string kFolder = CUZK_SOURCE_DIR "/tests/golden/timelines/recorded/";

diagnosis::Analysis analyse_file(const std::string& name) {
  auto timeline = timeline::read_timeline(kFolder + name);
  EXPECT_TRUE(timeline.has_value());
  auto analysis = diagnosis::analyse(std::move(*timeline), name, {});
  EXPECT_TRUE(analysis.has_value());
  return std::move(*analysis);
}

TEST(Recorded, LoadOnTheMemoryIsNamedFirst) {
  if (!std::filesystem::exists(kFolder + "memory_load.csv")) GTEST_SKIP() << "no recording";
  const auto a = analyse_file("memory_load.csv");
  EXPECT_EQ(a.hypotheses.front().cause, diagnosis::Cause::kMemoryBandwidth);
  EXPECT_EQ(a.hypotheses.front().verdict, diagnosis::Verdict::kSupported);
}

TEST(Recorded, WithoutLoadNothingIsClaimed) {
  if (!std::filesystem::exists(kFolder + "quiet.csv")) GTEST_SKIP() << "no recording";
  const auto a = analyse_file("quiet.csv");
  for (const auto& h : a.hypotheses)
    EXPECT_NE(h.verdict, diagnosis::Verdict::kSupported) << diagnosis::cause_name(h.cause);
}

}  // namespace
}  // namespace cuzk::golden
