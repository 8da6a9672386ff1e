#include "diagnosis/report.hpp"

#include <algorithm>

namespace cuzk::diagnosis {

std::vector<Gap> longest_gaps(const std::vector<Gap>& gaps, size_t most) {
  std::vector<Gap> out = gaps;
  if (out.size() > most) {
    std::nth_element(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(most), out.end(),
                     [](const Gap& a, const Gap& b) { return a.ns() > b.ns(); });
    out.resize(most);
    std::stable_sort(out.begin(), out.end(),
                     [](const Gap& a, const Gap& b) { return a.begin_ns < b.begin_ns; });
  }
  return out;
}

std::map<std::string, TimingSum> timings_of(const timeline::Timeline& timeline, const RunModel& model) {
  std::map<std::string, TimingSum> out;
  for (const auto& timing : timeline.timings) {
    if (timing.time_ns < model.bounds.begin_ns || timing.time_ns > model.bounds.end_ns) continue;
    TimingSum& sum = out[std::string(timeline.timing_keys.name(timing.key))];
    ++sum.count;
    sum.total_ms += timing.ms;
  }
  return out;
}

}  // namespace cuzk::diagnosis
