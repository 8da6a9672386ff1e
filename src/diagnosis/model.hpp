// A run as the analysis sees it: what happened to every partition, what every device and worker did.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/runs.hpp"
#include "diagnosis/step_function.hpp"
#include "timeline/reader.hpp"

namespace cuzk::diagnosis {

inline constexpr int64_t kNever = INT64_MIN;  // of a time: not in the log

// One attempt at a partition. Times are kNever, lengths -1 where the log does not have them.
struct Partition {
  uint32_t job = 0;     // a name of Timeline::jobs
  int32_t index = 0;    // 0 for a job that is not split
  uint32_t worker = 0;  // the device worker, a name of Timeline::workers
  uint32_t synthesiser = 0;
  int32_t device = -1;
  int64_t synth_begin = kNever, synth_end = kNever, picked_up = kNever, asked = kNever;
  int64_t region_begin = kNever,
          region_end = kNever;  // the interlock held; of foreign logs: the worker's span
  int64_t worker_end = kNever, finished = kNever, released = kNever;  // released: its witness
  int64_t synth_ns = -1, prepare_ns = -1, wait_ns = -1, held_ns = -1, worker_ns = -1, finish_ns = -1;
  int64_t tail_ns = -1;                       // of finish_ns
  int64_t compute_ns = -1, transfer_ns = -1;  // measured by the device
  // CPU time on the host: of synthesis, the region, the tail, and the rest of the finish.
  int64_t synth_cpu_ns = -1, held_cpu_ns = -1, tail_cpu_ns = -1, check_cpu_ns = -1;
  bool failed = false;

  bool in_region() const { return region_begin != kNever && region_end != kNever; }
  int64_t ready() const { return synth_end; }
};

struct JobRecord {
  uint32_t job = 0;
  std::string kind;
  int64_t begin_ns = INT64_MAX, end_ns = INT64_MIN;
  uint32_t expected = 0;        // partitions
  bool expected_known = false;  // the log says so; otherwise it is the mode of its kind
  bool done = false, failed = false, cancelled = false;
  int64_t parse_ns = -1;
  std::vector<int32_t> seen;        // partitions that were completed, ascending
  std::vector<int32_t> missing;     // expected and not completed
  std::vector<int32_t> unfinished;  // begun and not completed: some of the missing
  std::vector<int32_t> duplicated;  // ended twice without a retry

  bool complete() const { return missing.empty() && !failed && !cancelled; }
};

struct Stretch {
  int64_t begin_ns, end_ns;
};

// One stretch in which a worker has the device.
struct Region {
  int64_t begin_ns, end_ns;
  uint32_t partition;  // index into RunModel::partitions
};

struct RunModel {
  RunBounds bounds;
  bool upper_bound = false;  // regions are worker spans, waiting included
  std::vector<JobRecord> jobs;
  std::vector<Partition> partitions;
  std::vector<std::vector<Region>> regions;  // by device, ascending in begin
  std::vector<std::vector<Stretch>> busy;    // by device: measured by the device itself
  std::vector<Stretch> outside;              // of contaminated jobs, on the devices: neither busy nor idle
  std::vector<Stretch> key_loads, memory_waits, releases;
  StepFunction in_flight;     // jobs, accepted to ended
  StepFunction synthesising;  // partitions
  StepFunction ready;         // partitions that are synthesised and that no worker has taken
  std::vector<uint32_t> device_workers, synthesisers, finishers;
  size_t retries = 0, failures = 0, throttle_events = 0;
  uint64_t dropped_events = 0;      // the recorder lost them
  std::vector<std::string> errors;  // of failed partitions, a few
  // Bytes that the run reserved, from its MEMORY_RESERVED events: of one key, witness and scratch; the peak.
  uint64_t key_bytes = 0, witness_bytes = 0, scratch_bytes = 0, peak_bytes = 0;

  size_t devices() const { return regions.size(); }
  size_t proofs_complete() const;
  double wall_s() const { return static_cast<double>(bounds.end_ns - bounds.begin_ns) * 1e-9; }
  // Seconds; 0 when nothing was completed.
  double s_per_proof() const;
};

// expected: partitions a job of each kind has, where the log does not say (see expected_partitions()).
RunModel build_model(const timeline::Timeline& timeline, const RunBounds& bounds,
                     const std::vector<std::pair<std::string, uint32_t>>& expected);

// The most frequent number of partitions of each kind of job, over the whole log.
std::vector<std::pair<std::string, uint32_t>> expected_partitions(const timeline::Timeline& timeline);

// "porep" of "porep-1000-17"; what the log says of its kind; or nothing.
std::string job_kind(std::string_view job, std::string_view detail);

}  // namespace cuzk::diagnosis
