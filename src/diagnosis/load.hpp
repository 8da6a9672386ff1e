// How the length of each stage depends on the load, and whether it stays what it was during a run.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "diagnosis/model.hpp"
#include "diagnosis/statistics.hpp"

namespace cuzk::diagnosis {

// A stage's length of one partition, milliseconds; negative: not in the log. And the stretch it lies in.
struct Metric {
  const char* name;
  double (*value)(const Partition&);
  Stretch (*stretch)(const Partition&);
};
// synthesis, prepare, lock_wait, device_held, device_compute, device_transfer, finish; for logs that have
// worker spans only: worker_span in place of the device's.
const std::vector<Metric>& metrics();
const Metric& metric(std::string_view name);

struct LoadPoint {
  double load = 0;  // proofs in flight, the mean of those in this bin
  double mean = 0;
  size_t count = 0;
};

// A straight line through a stage's lengths against the proofs in flight meanwhile.
struct LoadFit {
  std::string metric;
  std::string unit = "ms";
  // What the load is: proofs in flight, or, where those hardly vary and there are several runs of different
  // sizes (a log that does not say when jobs are accepted), the proofs of the run.
  std::string against = "proofs_in_flight";
  size_t count = 0;
  double intercept = 0;
  double slope_per_job = 0;
  Interval ci95;       // of the slope; neighbours in time count as one
  bool known = false;  // the load varies enough, and there are enough partitions
  double least_load = 0, most_load = 0;
  double at_least = 0, at_most = 0;  // the fitted length at those loads
  bool rises() const { return known && ci95.lo > 0; }
  std::vector<LoadPoint> points;
};
std::vector<LoadFit> load_fits(const std::vector<const RunModel*>& runs);

// Of the rise of the time that a partition takes from pick-up to release: which part is waiting for the
// device, which computing, which transferring, the rest on the CPU. Shares sum to 1.
struct SlowdownParts {
  bool known = false;
  double waiting = 0, computing = 0, transferring = 0, other = 0;
};
SlowdownParts slowdown_parts(const std::vector<LoadFit>& fits);

// Whether a stage's length changed during a run.
struct Stationarity {
  std::string metric;
  size_t count = 0;
  double first_half = 0, second_half = 0;  // mean ms
  Difference change;                       // second minus first; blocks in time count as one value each
  double drift_per_minute = 0;             // ms
  Interval drift_ci95;
  bool drift_known = false;
  std::vector<double> change_points_ms;  // since the run began
};
std::vector<Stationarity> stationarity(const RunModel& run);

// Partitions whose index, not their time or job, makes them longer: the same index in (nearly) every job.
struct SlowIndex {
  std::string metric;
  int32_t index = 0;
  size_t jobs = 0;
  double ratio = 1;  // to the median partition of the same job
  Interval ci95;
  double excess_ms = 0;  // a job
};
std::vector<SlowIndex> slow_indices(const std::vector<const RunModel*>& runs);

// Jobs that take much longer than the others, which ran at the same time.
struct SlowJob {
  std::string metric;
  uint32_t job = 0;
  double ratio = 1;  // its median partition to the median job's
  double z = 0;      // distance in robust standard deviations of jobs
  double excess_ms = 0;
};
std::vector<SlowJob> slow_jobs(const std::vector<const RunModel*>& runs);

}  // namespace cuzk::diagnosis
