#include "timeline/readings.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace cuzk::timeline {

namespace {

// Whole numbers as such; others with as many places as a reader can use.
std::string number(double value) {
  char text[48];
  bool whole = value == std::floor(value) || std::abs(value) >= 1e6;
  std::snprintf(text, sizeof text, whole ? "%.0f" : std::abs(value) >= 100 ? "%.1f" : "%.3f", value);
  return text;
}

}  // namespace

const Quantity* Reading::find(const std::string& key) const {
  auto it =
      std::find_if(quantities_.begin(), quantities_.end(), [&](const Quantity& q) { return q.key == key; });
  return it == quantities_.end() ? nullptr : &*it;
}

std::vector<std::string> describe(const Reading& before, const Reading& now, double seconds) {
  std::vector<std::string> out;
  for (const Quantity& q : now.quantities()) {
    double value = q.value;
    if (q.kind == Quantity::Kind::kCount) {
      const Quantity* old = before.find(q.key);
      if (old == nullptr || q.value < old->value || !(seconds > 0)) continue;
      value = (q.value - old->value) / seconds;
    }
    out.push_back(q.key + "=" + number(value));
  }
  return out;
}

std::vector<std::string> join_pairs(const std::vector<std::string>& pairs, size_t most) {
  std::vector<std::string> out;
  for (const std::string& pair : pairs) {
    if (out.empty() || out.back().size() + 1 + pair.size() > most) {
      out.push_back(pair);
    } else {
      out.back() += ';' + pair;
    }
  }
  return out;
}

}  // namespace cuzk::timeline
