// What the reports share.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "diagnosis/gaps.hpp"

namespace cuzk::diagnosis {

// A report lists this many gaps of a run, the longest.
inline constexpr size_t kMostGapsListed = 1000;
std::vector<Gap> longest_gaps(const std::vector<Gap>& gaps, size_t most = kMostGapsListed);

// The sums of CUZK_TIMING values within a run, by key.
struct TimingSum {
  size_t count = 0;
  double total_ms = 0;
};
std::map<std::string, TimingSum> timings_of(const timeline::Timeline& timeline, const RunModel& model);

}  // namespace cuzk::diagnosis
