// Bytes that the host's memory moved, where the machine tells: resctrl (monitored L3 traffic) and the memory
// controllers' counters (perf uncore). Neither exists in most virtual machines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timeline/readings.hpp"

namespace cuzk::timeline {

// Adds resctrl_bytes_per_s, the sum over all L3 domains of the root group. root: where resctrl is mounted.
void read_resctrl(Reading& reading, const std::string& root = "/sys/fs/resctrl");

// "event=0x04,umask=0x03" to a perf config, by the bit places that `format` (a folder of files with
// "config:0-7") names. False when a term or its place is unknown.
bool encode_perf_event(const std::string& text, const std::string& format, uint64_t& config);

// The read and write counters of every memory controller. Opening needs CAP_PERFMON or a
// perf_event_paranoid of 0; what cannot be opened is not measured.
class UncoreMemory {
 public:
  explicit UncoreMemory(const std::string& pmus = "/sys/bus/event_source/devices");
  ~UncoreMemory();
  UncoreMemory(const UncoreMemory&) = delete;
  UncoreMemory& operator=(const UncoreMemory&) = delete;

  // Adds uncore_read_bytes_per_s and uncore_write_bytes_per_s.
  void read(Reading& reading) const;

 private:
  struct Counter {
    int fd;
    double bytes_a_count;
    bool writes;
  };
  void open_pmu(const std::string& folder);
  void open_event(const std::string& folder, const char* name, bool writes);
  std::vector<Counter> counters_;
  bool complete_[2] = {true, true};  // reads, writes: every controller could be opened
};

}  // namespace cuzk::timeline
