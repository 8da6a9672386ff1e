// Idle time of devices and workers, and what each stretch of it waited for.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "diagnosis/model.hpp"

namespace cuzk::diagnosis {

enum class GapCause : uint8_t {
  kLeadIn,        // before the first region: the first partition is synthesised
  kStarvation,    // no partition was synthesised
  kMemoryBudget,  // the next partition waited for memory
  kHandover,      // a partition of the same job was ready and not yet on the device
  kJobChange,     // one of another job
  kKeyLoad,       // it was ready and its key was not
  kDrain,         // after the last region
  kUnknown,       // no job was in flight, or the log does not tell
};
inline constexpr size_t kGapCauses = 8;
const char* gap_cause_name(GapCause cause);

// Idle from begin to end; a stretch of idle time that waited for several things in turn is several gaps.
struct Gap {
  int64_t begin_ns, end_ns;
  GapCause cause;
  uint32_t who;      // device number, or a name of Timeline::workers
  uint32_t worker;   // the worker whose region ends the idle time
  uint32_t job = 0;  // of the region that ends it
  int32_t partition = -1;
  int64_t ns() const { return end_ns - begin_ns; }
};

struct CauseFigures {
  GapCause cause{};
  size_t count = 0;
  double total_ms = 0, mean_ms = 0, max_ms = 0, p95_ms = 0;
  double s_per_proof = 0;  // total over devices (or workers) and complete proofs
};

struct IdleOf {
  std::string who;  // "device 0", "gpu0.1"
  std::vector<CauseFigures> causes;
};

struct Gaps {
  std::vector<Gap> of_devices;  // ascending in begin
  std::vector<Gap> of_workers;
  std::vector<CauseFigures> by_cause;  // of the devices, those that occur, largest total first
  std::vector<IdleOf> by_device, by_worker;

  double total_ms(GapCause cause) const;
  double s_per_proof(GapCause cause) const;
  const CauseFigures* find(GapCause cause) const;
};

Gaps find_gaps(const timeline::Timeline& timeline, const RunModel& model);

}  // namespace cuzk::diagnosis
