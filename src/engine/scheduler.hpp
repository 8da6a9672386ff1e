// The scheduler: which partition each worker takes next, which memory and keys it may use, what happens when
// it fails.
//
// A state machine without threads, clocks or devices of its own: callers tell it what happened and the time,
// and ask what to do. The engine drives it from worker threads under one lock; the simulation drives the same
// code from a virtual clock. As callers ask again after every change, there are no waiters that a change
// could miss.
//
// Order (docs/engine.md): priority, then deadline, then the client with the fewest partitions begun and not
// proved, then the older job, then the lower partition. It is used at every stage: synthesis, memory, keys,
// device queue, interlock.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <vector>

#include "engine/job.hpp"
#include "engine/key_residency.hpp"
#include "engine/memory_budget.hpp"
#include "timeline/recorder.hpp"

namespace cuzk::engine {

struct SchedulerConfig {
  size_t synthesis_workers = 1;
  size_t devices = 1;
  size_t workers_per_device = 2;
  bool reserved_lane =
      true;  // one more synthesis worker, and one more worker a device, that take CRITICAL only
  uint64_t memory_bytes = 0;
  uint64_t critical_reserve_bytes = 0;
  size_t max_ready_partitions = 0;  // synthesised and not yet on a device; 0: only memory limits it
  uint32_t max_attempts = 3;
  TimeNs retry_pause = 5'000'000'000;
  uint32_t quarantine_after = 3;  // failures in a row of one device
  TimeNs quarantine_pause = 30'000'000'000;
  size_t max_jobs = 4096;        // accepted and not ended: more are refused
  size_t max_remembered = 1024;  // ended jobs kept for joining and status
};

struct Submitted {
  JobId job;
  bool joined;  // the request id was known: this is that job
};

class Scheduler {
 public:
  Scheduler(const SchedulerConfig& config, timeline::Recorder::Lane& lane);

  // --- jobs
  // Errors: kInvalidInput (no partitions; same request id with other input), kResourceExhausted (can never
  // fit: both numbers are named; too many jobs), kUnavailable (draining).
  Result<Submitted> submit(const JobRequest& request, TimeNs now);
  void cancel(JobId job, TimeNs now);
  // No new jobs from here on. abort() also cancels those that run.
  void drain() { accepting_ = false; }
  void abort(TimeNs now);
  // After abort(): records the end of the jobs that a worker still holds, whose worker may never come back,
  // and returns them. They end later all the same, unrecorded.
  std::vector<JobId> abandon(TimeNs now);
  bool idle() const { return active_jobs_ == 0; }
  const Job* find(JobId job) const;
  // Jobs that ended since the last call, in order.
  std::vector<JobId> take_ended();
  // Partitions in nobody's hands that were dropped since the last call and whose memory is still reserved:
  // the caller frees it and says so by witness_released() and scratch_released().
  std::vector<PartitionRef> take_dropped();

  // --- time: retries whose pause is over, deadlines that passed
  void tick(TimeNs now);
  // The earliest time at which tick() or a device test would have something to do.
  std::optional<TimeNs> next_wakeup() const;

  // --- parsing
  std::optional<JobId> next_parse();
  void parsed(JobId job, const Status& status, TimeNs now);

  // --- keys
  std::optional<KeyTask> next_key_task(TimeNs now);
  void key_loaded(const std::string& circuit, const Status& status, TimeNs now);
  void key_evicted(const std::string& circuit, TimeNs now) { keys_.evicted(circuit, now); }
  // Loads a key before any job asks for it. Errors: kResourceExhausted.
  Status preload(const CircuitPlan& plan, TimeNs now);
  const KeyResidency& keys() const { return keys_; }

  // --- synthesis. worker == synthesis_workers is the reserved lane.
  std::optional<PartitionRef> next_synthesis(size_t worker, TimeNs now);
  void synthesised(PartitionRef ref, const Status& status, TimeNs now);

  // --- devices. worker == workers_per_device is the reserved lane.
  std::optional<PartitionRef> next_device(size_t device, size_t worker, TimeNs now);
  void prepared(PartitionRef ref, const Status& status, TimeNs now);
  // True: the caller now holds the device. Otherwise ask again after the next change.
  bool try_lock(PartitionRef ref);
  // Instead of the lock, once is_ending(): the worker lets go of the partition.
  void abandoned(PartitionRef ref, TimeNs now);
  // The device region is over: the device is free, and a good partition goes on to next_finish().
  void unlocked(PartitionRef ref, const Status& status, TimeNs now);
  std::optional<PartitionRef> next_finish();
  void finished(PartitionRef ref, const Status& status, TimeNs now);
  // The memory itself was given back (which may be later than the last use: deferred release).
  void witness_released(PartitionRef ref, TimeNs now);
  void scratch_released(PartitionRef ref, TimeNs now);

  // --- device health
  // True, once, when a quarantined device is to be tested now: device_tested() must follow.
  bool take_test(size_t device, TimeNs now);
  void device_tested(size_t device, bool good, TimeNs now);
  bool quarantined(size_t device) const { return devices_[device].quarantined; }

  // True once the job failed or was cancelled: work on its partitions can stop early.
  bool is_ending(JobId job) const;

  const MemoryBudget& memory() const { return memory_; }
  const SchedulerConfig& config() const { return config_; }
  const std::map<JobId, Job>& jobs() const { return jobs_; }

 private:
  struct Device {
    std::optional<PartitionRef> holder;
    uint32_t failures_in_a_row = 0;
    bool quarantined = false;
    bool testing = false;
    TimeNs test_at = 0;
  };
  struct Rank;

  Job& job(JobId id) { return jobs_.at(id); }
  Partition& partition(PartitionRef ref) { return job(ref.job).partitions[ref.index]; }
  Rank rank(const Job& job, uint32_t index) const;
  // The best partition in `state` for which `allowed(job, partition)` holds.
  template <class Allowed>
  std::optional<PartitionRef> best(PartitionState state, Allowed&& allowed) const;

  bool reserve_for_synthesis(PartitionRef ref, TimeNs now);
  void note_memory_wait(PartitionRef ref, uint64_t bytes, TimeNs now);
  void end_memory_wait(PartitionRef ref, TimeNs now);
  void release_key(PartitionRef ref, TimeNs now);

  void fail_partition(PartitionRef ref, const Error& error, TimeNs now);
  void note_device_failure(size_t device, TimeNs now);
  void drop_idle_partitions(Job& job, TimeNs now);
  void begin_ending(Job& job, JobState how, std::optional<Error> error, TimeNs now);
  void settle(Job& job, TimeNs now);
  void record_end(Job& job, timeline::EventKind kind, TimeNs now);
  void left_worker(Job& job);
  void forget_old_jobs();
  size_t ready_partitions() const;
  void record(timeline::EventKind kind, const timeline::Fields& fields) { lane_.record(kind, fields); }

  SchedulerConfig config_;
  timeline::Recorder::Lane& lane_;
  MemoryBudget memory_;
  KeyResidency keys_;
  std::map<JobId, Job> jobs_;
  std::map<std::string, JobId> by_request_id_;
  std::map<std::pair<std::string, Priority>, uint32_t> begun_;  // by client: partitions that hold a key
  std::vector<Device> devices_;
  std::deque<JobId> to_parse_, ended_, remembered_;
  std::vector<PartitionRef> dropped_;
  std::optional<std::pair<PartitionRef, TimeNs>> memory_waiter_;
  JobId next_job_ = 1;
  size_t active_jobs_ = 0;
  bool accepting_ = true;
};

// "job-17"
std::string job_name(JobId job);

}  // namespace cuzk::engine
