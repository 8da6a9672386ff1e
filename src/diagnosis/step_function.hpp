// A count that changes in time: jobs in flight, partitions in synthesis.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace cuzk::diagnosis {

class StepFunction {
 public:
  // Adds 1 from begin to end.
  void add(int64_t begin_ns, int64_t end_ns) {
    if (end_ns <= begin_ns) return;
    changes_.emplace_back(begin_ns, 1);
    changes_.emplace_back(end_ns, -1);
  }
  // To be called once, after the last add().
  void finish() {
    std::sort(changes_.begin(), changes_.end());
    double area = 0;
    int64_t at = changes_.empty() ? 0 : changes_.front().first;
    int level = 0;
    for (size_t i = 0; i < changes_.size(); ++i) {
      area += static_cast<double>(level) * static_cast<double>(changes_[i].first - at);
      at = changes_[i].first;
      level += changes_[i].second;
      if (!times_.empty() && times_.back() == at) {
        levels_.back() = level;
      } else {
        times_.push_back(at);
        areas_.push_back(area);
        levels_.push_back(level);
      }
    }
    changes_ = {};
  }
  int at(int64_t time_ns) const {
    const size_t i = place(time_ns);
    return i == 0 ? 0 : levels_[i - 1];
  }
  // Mean over [begin, end]; of a moment, the value there.
  double average(int64_t begin_ns, int64_t end_ns) const {
    if (end_ns <= begin_ns) return at(begin_ns);
    return (integral(end_ns) - integral(begin_ns)) / static_cast<double>(end_ns - begin_ns);
  }
  // Stretches of [begin, end) in which the count is positive (or, with `positive` false, is not).
  std::vector<std::pair<int64_t, int64_t>> stretches(int64_t begin_ns, int64_t end_ns, bool positive) const {
    std::vector<std::pair<int64_t, int64_t>> out;
    int64_t at_ns = begin_ns;
    for (size_t i = place(begin_ns); at_ns < end_ns; ++i) {
      const bool is = (i == 0 ? 0 : levels_[i - 1]) > 0;
      const int64_t next = i < times_.size() ? std::min(times_[i], end_ns) : end_ns;
      if (is == positive && next > at_ns) {
        if (!out.empty() && out.back().second == at_ns) {
          out.back().second = next;
        } else {
          out.emplace_back(at_ns, next);
        }
      }
      at_ns = std::max(at_ns, next);
      if (i >= times_.size()) break;
    }
    return out;
  }
  int most() const {
    int out = 0;
    for (int level : levels_) out = std::max(out, level);
    return out;
  }

 private:
  // How many changes are at or before the time.
  size_t place(int64_t time_ns) const {
    return static_cast<size_t>(std::upper_bound(times_.begin(), times_.end(), time_ns) - times_.begin());
  }
  double integral(int64_t time_ns) const {
    const size_t i = place(time_ns);
    if (i == 0) return 0;
    return areas_[i - 1] + static_cast<double>(levels_[i - 1]) * static_cast<double>(time_ns - times_[i - 1]);
  }

  std::vector<std::pair<int64_t, int>> changes_;
  std::vector<int64_t> times_;
  std::vector<double> areas_;  // of the function up to times_[i]
  std::vector<int> levels_;    // from times_[i] on
};

}  // namespace cuzk::diagnosis
