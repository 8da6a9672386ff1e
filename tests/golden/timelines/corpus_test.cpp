#include <gtest/gtest.h>

#include "score.hpp"

namespace cuzk::golden {
namespace {

// A few seeds of every kind; the many are in corpus_slow_test.cpp.
TEST(Corpus, RightCauseFirst) {
  Tally all;
  for (const std::string& kind : kinds()) {
    Tally tally;
    for (uint64_t seed = 501; seed <= 502; ++seed) tally += score(make_case(kind, seed), false);
    EXPECT_EQ(tally.faults, 0u) << kind;
    all += tally;
  }
  EXPECT_GE(static_cast<double>(all.right), 0.95 * static_cast<double>(all.cases));
}

TEST(Corpus, NothingIsClaimedWhereNothingIsWrong) {
  for (const char* kind : {"none", "none_two_runs", "foreign_none"})
    for (uint64_t seed = 501; seed <= 508; ++seed) {
      const Tally tally = score(make_case(kind, seed), true);
      EXPECT_EQ(tally.false_claims, 0u) << kind << " " << seed;
    }
}

TEST(Corpus, IsRepeatable) {
  EXPECT_EQ(make_case("thermal", 3).text, make_case("thermal", 3).text);
  EXPECT_NE(make_case("thermal", 3).text, make_case("thermal", 4).text);
}

}  // namespace
}  // namespace cuzk::golden
