// Whether the analysis finds what a case was made with.
#pragma once

#include "corpus.hpp"
#include "diagnosis/analysis.hpp"

namespace cuzk::golden {

struct Tally {
  size_t cases = 0;
  size_t right = 0;  // a cause that is in it ranks first and is supported; without any: nothing is supported
  size_t false_claims = 0;  // supported causes that are not in the case, and do not follow from what is
  size_t faults = 0;        // a lost partition or a contaminated job that is not named
  Tally& operator+=(const Tally& o) {
    cases += o.cases;
    right += o.right;
    false_claims += o.false_claims;
    faults += o.faults;
    return *this;
  }
};

// loud: prints what was wrong.
Tally score(const Case& c, bool loud);

// Errors end the test: the corpus can be read.
diagnosis::Analysis analyse_text(const std::string& text, const std::string& name, bool replay = false);

}  // namespace cuzk::golden
