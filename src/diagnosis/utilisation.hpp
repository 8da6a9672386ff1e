// Three shares that must not be confused: the device computes, a worker holds it, a worker is occupied.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/model.hpp"

namespace cuzk::diagnosis {

// Shares of the time from the first device region to the end of the last, of all devices or workers, less
// the time that jobs of other runs had the devices. Negative: the log does not have it.
struct Utilisation {
  double device_busy = -1;      // measured by the devices
  double interlock_held = -1;   // a worker held the device
  double worker_occupied = -1;  // a worker had a partition: waiting for the device included
  double any_worker = -1;       // some worker had a partition: the most a device can have been used
  bool upper_bound = false;     // the log has worker spans only

  struct Curve {
    double step_ms = 0;
    std::vector<double> device_busy, interlock_held, worker_occupied;  // empty: not known
  };
  Curve curve;  // over the whole run, in equal steps
};

Utilisation utilisation(const RunModel& model, size_t curve_steps = 120);

// Merges stretches that overlap or touch; ascending.
std::vector<Stretch> merged(std::vector<Stretch> list);
// Length of `list` (merged) within [begin, end).
int64_t covered(const std::vector<Stretch>& list, int64_t begin_ns, int64_t end_ns);

}  // namespace cuzk::diagnosis
