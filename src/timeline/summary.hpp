// The figures of a run: throughput, stages, utilisation.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "timeline/waterfall.hpp"

namespace cuzk::timeline {

// Durations of one kind of event, milliseconds.
struct StageFigures {
  std::string stage;
  size_t count = 0;
  double mean_ms = 0, p50_ms = 0, p95_ms = 0, max_ms = 0;
};

// Three shares that must not be confused, each of the time from the first device region to the last one's
// end, and of all devices or workers seen. Negative: the timeline does not have it.
struct Utilisation {
  double device_busy = -1;      // what devices measured themselves
  double interlock_held = -1;   // some worker held the device
  double worker_occupied = -1;  // a worker was with a partition, waiting for the device included
};

struct Summary {
  double wall_s = 0;
  size_t jobs_done = 0, jobs_failed = 0, jobs_cancelled = 0;
  size_t partitions_done = 0, retries = 0;
  double s_per_proof = 0;         // wall time over proofs done
  double ramp_up_s = 0;           // until the first job is done
  double steady_s_per_proof = 0;  // from the first job done to the last one; 0: fewer than three
  double drain_s = 0;             // from the last acceptance of a job to the end
  std::vector<StageFigures> stages;
  Utilisation utilisation;
};

Summary summarise(const Timeline& timeline, const Run& run);

// Lines for a person.
std::string to_text(const Summary& summary);

}  // namespace cuzk::timeline
