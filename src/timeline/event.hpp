// What a timeline consists of. The file format is docs/formats/timeline.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuzk::timeline {

// Names in files are kEventNames below; their order is that of this list. An event that ends a span carries
// the span's duration: it began at offset - duration.
enum class EventKind : uint8_t {
  kBenchBegin,       // a benchmark run begins; detail: its parameters
  kBenchEnd,         //
  kJobAccepted,      // detail: kind, priority, partitions (how many to expect)
  kJobParsed,        // duration: parsing
  kJobDone,          // duration: since accepted
  kJobFailed,        // detail: error
  kJobCancelled,     //
  kMemoryWaitBegin,  // detail: tag, bytes
  kMemoryWaitEnd,    // duration: the wait
  kMemoryReserved,   // detail: tag, bytes, used (after)
  kMemoryReleased,   //
  kSynthStart,       // a synthesis worker begins a partition
  kSynthEnd,         // duration: synthesis
  kDeviceQueue,      // the partition waits for a device worker
  kDevicePickup,     // a device worker takes it
  kPrepareEnd,       // duration: work on the CPU before the device is needed
  kDeviceStart,      // the worker asks for the device (it waits for the interlock from here)
  kLockTaken,        // duration: the wait
  kDeviceBusy,  // duration: measured by the device; detail: op = transfer_to, evaluate, ntt, msm, batch_add,
                // …
  kLockReleased,     // duration: interlock held
  kTailEnd,          // duration: work on the CPU after the device
  kAssembleEnd,      // duration
  kCheckEnd,         // duration: verification of the partition proof
  kDeviceEnd,        // the worker's partition is finished; duration: since kDeviceStart
  kPartitionFailed,  // detail: error, attempt
  kPartitionRetry,   // detail: attempt
  kReleaseEnd,       // duration: deferred release of memory; detail: bytes
  kKeyLoadStart,     // detail: key, bytes
  kKeyLoadEnd,       // duration
  kKeyEvict,         // detail: key, bytes
  kThrottleBegin,    // synthesis yields to a memory-bound tail
  kThrottleEnd,      // duration
  kDeviceQuarantined,
  kDeviceRestored,
  kSampleHost,    // detail: rss_bytes, cpu_share, run_queue, context_switches, …
  kSampleDevice,  // detail: clock_mhz, power_w, …
  kDropped,       // the recorder lost events; detail: count
};

inline constexpr std::string_view kEventNames[] = {
    "BENCH_BEGIN",     "BENCH_END",     "JOB_ACCEPTED",       "JOB_PARSED",      "JOB_DONE",
    "JOB_FAILED",      "JOB_CANCELLED", "MEMORY_WAIT",        "MEMORY_WAIT_END", "MEMORY_RESERVED",
    "MEMORY_RELEASED", "SYNTH_START",   "SYNTH_END",          "GPU_QUEUE",       "GPU_PICKUP",
    "PREPARE_END",     "GPU_START",     "LOCK_TAKEN",         "DEVICE_BUSY",     "LOCK_RELEASED",
    "TAIL_END",        "ASSEMBLE_END",  "CHECK_END",          "GPU_END",         "PARTITION_FAILED",
    "PARTITION_RETRY", "RELEASE_END",   "KEY_LOAD_START",     "KEY_LOAD_END",    "KEY_EVICT",
    "THROTTLE_BEGIN",  "THROTTLE_END",  "DEVICE_QUARANTINED", "DEVICE_RESTORED", "SAMPLE_HOST",
    "SAMPLE_DEVICE",   "DROPPED"};
inline constexpr size_t kEventKinds = std::size(kEventNames);
static_assert(kEventKinds == static_cast<size_t>(EventKind::kDropped) + 1);

constexpr std::string_view event_name(EventKind kind) {
  return kEventNames[static_cast<size_t>(kind)];
}
std::optional<EventKind> event_from_name(std::string_view name);

// One line of a timeline. Times are nanoseconds since the file's anchor.
struct Event {
  int64_t time_ns = 0;
  int64_t duration_ns = -1;  // -1: none
  EventKind kind{};
  std::string job;     // empty: none
  std::string worker;  // "gpu0.1", "synth3", …; empty: none
  int32_t partition = -1;
  int32_t device = -1;
  std::string detail;  // key=value;key=value

  int64_t begin_ns() const { return duration_ns < 0 ? time_ns : time_ns - duration_ns; }
  bool operator==(const Event&) const = default;
};

// The value of `key` in a detail text "a=1;b=2".
std::optional<std::string_view> detail_value(std::string_view detail, std::string_view key);

}  // namespace cuzk::timeline
