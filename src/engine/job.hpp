// Jobs and partitions as the scheduler sees them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace cuzk::engine {

using TimeNs = int64_t;  // since the engine's start; virtual in simulations
using JobId = uint64_t;

enum class Priority : uint8_t { kCritical, kHigh, kNormal, kLow };
inline constexpr size_t kPriorities = 4;
const char* priority_name(Priority priority);
std::optional<Priority> priority_from_name(std::string_view name);

// What a partition of a circuit needs, from the devices' and circuits' plans, known before anything is
// allocated.
struct CircuitPlan {
  std::string circuit;         // also the name of its key
  uint64_t key_bytes = 0;      // proving key and stored matrices, while resident
  uint64_t witness_bytes = 0;  // from the start of synthesis to the last operation that reads the witness
  uint64_t device_host_bytes =
      0;  // evaluation scratch and pinned buffers on the host, from pick-up to release
};

struct JobRequest {
  std::string request_id;    // the client's idempotency key; empty: none
  std::string input_digest;  // same request_id and same digest: the same job
  std::string client;        // for fairness between clients of equal priority
  Priority priority = Priority::kNormal;
  std::optional<TimeNs> deadline;  // once passed, the job fails: nobody waits for it any more
  uint32_t partitions = 1;
  CircuitPlan plan;
};

enum class PartitionState : uint8_t {
  kWaiting,       // for a synthesis worker, memory or the key's place
  kPausing,       // before a retry
  kSynthesising,  //
  kDeviceQueued,  // synthesised; waits for a device worker, and for its key
  kPreparing,     // a device worker has it, the device is not needed yet
  kLockWaiting,   //
  kOnDevice,      //
  kFinishing,     // tail, assembly, check
  kDone,
  kDropped,  // its job failed or was cancelled
};

struct Partition {
  PartitionState state = PartitionState::kWaiting;
  uint32_t attempts = 0;
  TimeNs retry_at = 0;
  int32_t device = -1;         // where it is or last was
  int32_t avoid_device = -1;   // where it failed last
  bool holds_witness = false;  // witness_bytes are reserved for it
  bool holds_scratch = false;  // device_host_bytes are reserved for it
  bool with_finisher = false;  // kFinishing: a finisher has it
  bool holds_key = false;      // it counts as a user of the key
};

enum class JobState : uint8_t { kParsing, kRunning, kDone, kFailed, kCancelled };
const char* job_state_name(JobState state);

struct Job {
  JobId id = 0;
  JobRequest request;
  JobState state = JobState::kParsing;
  TimeNs accepted = 0, ended = 0;
  std::vector<Partition> partitions;
  uint32_t done = 0;       // partitions
  uint32_t in_flight = 0;  // partitions in a worker's hands: a job that ends waits for them
  bool ending = false;     // failed or cancelled; ends when in_flight is 0
  bool reported = false;   // its end was recorded
  std::optional<Error> error;

  bool ended_already() const { return state != JobState::kParsing && state != JobState::kRunning; }
};

struct PartitionRef {
  JobId job = 0;
  uint32_t index = 0;
  bool operator==(const PartitionRef&) const = default;
};

}  // namespace cuzk::engine
