// Timelines with a known truth, made from seeds: the scheduler's own events on a virtual clock, with stages
// slowed by a cause that the samples show (or that the schedule itself is).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/hypothesis.hpp"
#include "timeline/event.hpp"

namespace cuzk::golden {

struct Truth {
  std::string kind;                      // "thermal", "none", "memory_bandwidth+thermal", …
  std::vector<diagnosis::Cause> causes;  // none: nothing is to be claimed
  std::string lost_job;                  // a partition of it is missing
  int32_t lost_partition = -1;
  std::vector<std::string> contaminated;  // jobs that belong to no run
};

struct Case {
  Truth truth;
  std::string text;  // the file
};

// Every kind of case there is.
const std::vector<std::string>& kinds();
// The same seed gives the same file.
Case make_case(const std::string& kind, uint64_t seed);

// A log as the reference engine writes it: 33 minutes, four runs of 5, 10, 15 and 20 proofs with 2 to 10 s
// between them, one job with 9 of its 10 partitions, a partition's time rising from 5 to 6 s with the load,
// behind journald's prefixes and between other lines. Truth: lost_job and lost_partition.
Case make_reference_log(uint64_t seed, bool prefixes = true);

// The reference engine's lines for events of ours: a worker's span goes to the end of the tail, as there.
std::string to_reference_log(const std::vector<timeline::Event>& events, uint64_t seed);

// A timeline of at least this many events, for measuring. Written to a file in pieces.
void write_large(const std::string& path, uint64_t events, uint64_t seed);

}  // namespace cuzk::golden
