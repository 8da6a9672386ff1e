// What recorded stages would have taken had each had all the CPUs that it wants.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/shared_cpus.hpp"

namespace cuzk::diagnosis {

struct StageSpan {
  int64_t begin_ns, end_ns;
  int64_t cpu_ns;  // CPU time of all its threads
  size_t kind;     // stages of one kind want the same CPUs
};

struct Uncontended {
  std::vector<engine::CpuDemand> demands;  // of each kind
  std::vector<double> lengths_ns;          // of each span
};

// Stages share `cpus` as engine::fair_paces() says, and nothing else runs. threads: of each kind, at most.
// The CPUs that a kind wants follow from its CPU time and the pace that the others left it; as that pace
// depends on what they want, both are found in turns, from all threads wanting a CPU downwards.
Uncontended uncontended(double cpus, const std::vector<StageSpan>& spans, const std::vector<double>& threads);

}  // namespace cuzk::diagnosis
