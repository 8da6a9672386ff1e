// Seeds that no threshold was chosen by: docs/diagnosis.md has the figures of these.
#include <gtest/gtest.h>

#include "score.hpp"

namespace cuzk::golden {
namespace {

TEST(CorpusHeldOut, RightCauseFirstInNineteenOfTwenty) {
  Tally all;
  size_t quiet_claims = 0;
  for (const std::string& kind : kinds()) {
    Tally tally;
    for (uint64_t seed = 1001; seed <= 1025; ++seed) tally += score(make_case(kind, seed), false);
    std::printf("%-42s %3zu of %3zu right first, %zu false claims\n", kind.c_str(), tally.right, tally.cases,
                tally.false_claims);
    EXPECT_EQ(tally.faults, 0u) << kind;
    if (kind.find("none") != std::string::npos) quiet_claims += tally.false_claims;
    all += tally;
  }
  std::printf("%zu of %zu right first, %zu false claims\n", all.right, all.cases, all.false_claims);
  EXPECT_GE(static_cast<double>(all.right), 0.95 * static_cast<double>(all.cases));
  EXPECT_EQ(quiet_claims, 0u);
}

}  // namespace
}  // namespace cuzk::golden
