// Readings of counters and levels, and what two of them say of the time between.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace cuzk::timeline {

// A level is what it is now; a count grows, and is reported as its growth a second.
struct Quantity {
  enum class Kind : uint8_t { kLevel, kCount } kind;
  std::string key;  // as in the timeline: of a count, the name of its rate
  double value;
};

// What could be read. What could not is not there: absent is "not measured", never zero.
class Reading {
 public:
  void level(std::string key, double value) {
    quantities_.push_back({Quantity::Kind::kLevel, std::move(key), value});
  }
  void count(std::string key, double value) {
    quantities_.push_back({Quantity::Kind::kCount, std::move(key), value});
  }
  const std::vector<Quantity>& quantities() const { return quantities_; }
  const Quantity* find(const std::string& key) const;

 private:
  std::vector<Quantity> quantities_;
};

// "key=value" texts: levels of `now`, and rates of counts that both readings have. A count that went back
// was reset: left out.
std::vector<std::string> describe(const Reading& before, const Reading& now, double seconds);

// Joined by ';', each text at most `most` bytes long (one pair is never cut).
std::vector<std::string> join_pairs(const std::vector<std::string>& pairs, size_t most);

}  // namespace cuzk::timeline
