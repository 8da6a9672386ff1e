// Values over time that a timeline holds beside its spans: reserved memory, and the samples.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "timeline/waterfall.hpp"

namespace cuzk::timeline {

struct Curve {
  std::string name;  // "memory reserved", "host rss_bytes", "device 0 power_w", …
  bool steps;        // known at every moment: constant between two points
  std::vector<std::pair<int64_t, double>> points;  // time_ns and value, ascending in time
};

// Reserved memory first; then every number of the samples, by name. Only finite numbers.
std::vector<Curve> build_curves(const Timeline& timeline, const Run& run);

}  // namespace cuzk::timeline
