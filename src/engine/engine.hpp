// The proving engine: jobs in, checked proofs out. Threads around the scheduler; see docs/engine.md for who
// does what.
#pragma once

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "device/device.hpp"
#include "engine/circuit.hpp"
#include "engine/releaser.hpp"
#include "engine/scheduler.hpp"
#include "engine/throttle.hpp"
#include "groth16/prove.hpp"
#include "timeline/recorder.hpp"

namespace cuzk::engine {

struct EngineConfig {
  SchedulerConfig scheduler;  // devices is set from the devices given
  size_t parsers = 1;
  size_t key_loaders = 1;
  size_t finishers = 1;             // partitions whose tail, assembly and check run at the same time
  bool deferred_release = true;     // witnesses are freed by one thread; otherwise by whoever used them last
  bool throttle_synthesis = false;  // synthesis yields while a tail runs
};

struct JobOptions {
  std::string request_id = {};  // idempotency key; empty: none
  std::string client = {};      // for fairness
  Priority priority = Priority::kNormal;
  std::optional<TimeNs> timeout = {};  // from submission
};

struct JobResult {
  JobId job = 0;
  JobState state = JobState::kFailed;
  std::vector<Proof> proofs;  // of all partitions, when done
  std::optional<Error> error;
  TimeNs accepted = 0, ended = 0;
};

class Engine {
 public:
  // devices, circuits, recorder and random outlive the engine. random: for blinding factors, used by one
  // thread at a time.
  Engine(const EngineConfig& config, std::vector<Device*> devices,
         std::vector<std::shared_ptr<Circuit>> circuits, timeline::Recorder& recorder, RandomSource& random);
  // Cancels what still runs.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  // Errors: those of Scheduler::submit; kInvalidInput for an unknown circuit or an input that is not its own.
  Result<Submitted> submit(const std::string& circuit, std::shared_ptr<const JobInput> input,
                           const JobOptions& options);
  // Blocks until the job has ended. Errors: kNotFound for a job that never was or is forgotten.
  Result<JobResult> wait(JobId job);
  void cancel(JobId job);
  Status preload(const std::string& circuit);

  // No new jobs; those that still run after `patience` are cancelled, as by abort(abort_patience).
  bool drain(std::chrono::nanoseconds patience, std::optional<std::chrono::nanoseconds> abort_patience = {});
  // Cancels everything and returns when no worker holds a job any more: true; or, with `patience`, after that
  // time: false if some still work, which only the end of the process can stop. Their jobs are then reported
  // as cancelled, in the timeline and to those who wait.
  bool abort(std::optional<std::chrono::nanoseconds> patience = {});

  TimeNs now() const { return recorder_.now_ns(); }
  uint64_t peak_memory_bytes() const;
  // Used bytes of a tag, for status and tests.
  uint64_t memory_used(MemoryTag tag) const;

 private:
  struct Loaded {
    std::vector<std::shared_ptr<const ResidentKey>> on_device;  // one for each device
  };
  // What an engine keeps of a job beside the scheduler's record.
  struct Work {
    std::shared_ptr<const JobInput> input;
    std::shared_ptr<Circuit> circuit;
    std::atomic<bool> stop{false};
    std::vector<std::shared_ptr<const PartitionWitness>> witnesses;
    std::vector<std::shared_ptr<PendingProof>> pending;
    std::vector<Proof> proofs;
    explicit Work(uint32_t partitions) : witnesses(partitions), pending(partitions), proofs(partitions) {}
  };
  // A worker that waits for its device. It is woken for itself alone and needs no lock to go on: one that
  // waited for `changed_` would queue for `mutex_` behind every other thread, while the device is idle.
  struct DeviceWaiter {
    explicit DeviceWaiter(PartitionRef r) : ref(r) {}
    const PartitionRef ref;
    std::mutex mutex;
    std::condition_variable decided;
    std::optional<bool> holds_device;  // false: its job is ending
  };
  using Lane = timeline::Recorder::Lane;
  using Lock = std::unique_lock<std::mutex>;

  Result<CircuitPlan> plan_of(const Circuit& circuit) const;
  // Waits for take() to give something and hands it to work() without the lock, until told to stop.
  template <class Take, class Do>
  void loop(std::stop_token stop, Take take, Do work);
  void changed();  // with the lock held: after any change of the scheduler's state

  void start_threads();
  void parse(Lane& lane, JobId job);
  void run_key_task(Lane& lane, const KeyTask& task);
  Result<Loaded> load(Lane& lane, const std::string& name);
  void synthesise(Lane& lane, PartitionRef ref);
  void prove(Lane& lane, PartitionRef ref, size_t device);
  bool wait_for_device(PartitionRef ref);
  class StageClock;
  void record_stage(Lane& lane, timeline::EventKind kind, PartitionRef ref, StageClock& clock,
                    int32_t device = -1);
  void offer_devices();  // with the lock held: to those who wait
  void record_busy(Lane& lane, PartitionRef ref, size_t device, const PendingSums& sums);
  void finish(Lane& lane, PartitionRef ref);
  Result<Proof> finish_timed(Lane& lane, PartitionRef ref, PendingProof& pending);
  void test_device(size_t device);
  std::shared_ptr<const PartitionWitness> take_witness(PartitionRef ref);
  std::shared_ptr<PendingProof> take_pending(PartitionRef ref);
  void release_witness(Lane& lane, PartitionRef ref, std::shared_ptr<const PartitionWitness> witness);
  void free_witness(Lane& lane, PartitionRef ref, std::shared_ptr<const PartitionWitness> witness);
  void keep_time(std::stop_token stop);
  void forget_ended();

  const EngineConfig config_;
  std::vector<Device*> devices_;
  std::map<std::string, std::shared_ptr<Circuit>> circuits_;
  timeline::Recorder& recorder_;
  RandomSource& random_;
  SynthesisThrottle throttle_;

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  std::unique_ptr<Scheduler> scheduler_;
  std::map<JobId, std::shared_ptr<Work>> work_;
  std::map<std::string, Loaded> keys_;
  std::map<JobId, JobResult> results_;
  std::vector<DeviceWaiter*> device_waiters_;

  Lane& release_lane_;  // of releaser_'s thread
  Releaser releaser_;   // its tasks use what is above
  std::vector<std::jthread> threads_;
};

}  // namespace cuzk::engine
