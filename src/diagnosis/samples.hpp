// What the sampler measured, as series of numbers in time. docs/formats/timeline.md has the keys.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "timeline/reader.hpp"

namespace cuzk::diagnosis {

struct Series {
  std::vector<int64_t> times;  // ascending
  std::vector<double> values;

  bool empty() const { return times.empty(); }
  // Mean of the samples in [begin, end]; of a stretch between two samples, the nearer one, if it is within
  // `reach`. NaN: none.
  double average(int64_t begin_ns, int64_t end_ns, int64_t reach_ns = 2'500'000'000) const;
  // Values in [begin, end].
  std::vector<double> within(int64_t begin_ns, int64_t end_ns) const;
};

class Samples {
 public:
  explicit Samples(const timeline::Timeline& timeline);

  // nullptr: not measured. "cpu_stretch" is derived: the time that the process's threads compute and wait for
  // a CPU, over the time that they compute. It holds whatever CPUs the process may use and whoever else does.
  const Series* host(std::string_view key) const;
  const Series* device(int32_t device, std::string_view key) const;
  bool any_host() const { return !host_.empty(); }
  bool any_device() const { return !devices_.empty(); }
  const std::map<int32_t, std::map<std::string, Series, std::less<>>>& devices() const { return devices_; }

 private:
  void derive_cpu_stretch();

  std::map<std::string, Series, std::less<>> host_;
  std::map<int32_t, std::map<std::string, Series, std::less<>>> devices_;
};

}  // namespace cuzk::diagnosis
