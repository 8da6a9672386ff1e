// The engine without devices: the real scheduler on a virtual clock, stage times drawn from a distribution.
// For schedules of hundreds of cores and many devices in milliseconds; it makes no proofs and says nothing
// about them.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "engine/scheduler.hpp"
#include "engine/shared_cpus.hpp"

namespace cuzk::engine {

// One stage's duration: lognormal around the median, or a fixed value when spread is 0.
struct StageTime {
  double median_ms = 0;
  double spread = 0;  // standard deviation of the logarithm
  // Of a recorded run, milliseconds: one of them is drawn instead.
  std::shared_ptr<const std::vector<double>> recorded = nullptr;
  CpuDemand demand = {};  // on SimulationConfig::cpus, while the stage lasts
};

struct StageTimes {
  StageTime parse, key_load, synthesis, prepare, tail, check;
  // What the device does while the interlock is held, in order: "transfer_to", "ntt", "msm", …
  std::vector<std::pair<std::string, StageTime>> device;
};

struct SimulationConfig {
  SchedulerConfig scheduler;
  size_t parsers = 1;
  size_t finishers = 2;
  double handover_ms =
      0.02;  // from the release of the interlock to the next holder's first work on the device
  uint64_t seed = 1;
  double cpus = 0;  // that stages share: one that wants more than it gets lasts longer. 0: enough for all
  bool tail_reads_witness =
      false;  // a partition keeps its memory until it is finished, not for the device only
};

enum class SimulatedStage : uint8_t { kParse, kKeyLoad, kSynthesis, kPrepare, kDevice, kFinish, kDeviceTest };

class Simulation {
 public:
  // A factor on a duration that was drawn, for what depends on time, load or partition. op: of the device's
  // work, or "tail" and "check"; else empty.
  using Scale = std::function<double(SimulatedStage stage, std::string_view op, PartitionRef ref)>;
  // What a stage's attempt ends in; nothing: success. For fault injection.
  using Fault = std::function<std::optional<Error>(SimulatedStage stage, PartitionRef ref, size_t device)>;

  Simulation(const SimulationConfig& config, std::unique_ptr<timeline::Sink> sink);

  void set_times(const std::string& circuit, const StageTimes& times) { times_[circuit] = times; }
  void set_fault(Fault fault) { fault_ = std::move(fault); }
  void set_scale(Scale scale) { scale_ = std::move(scale); }

  // Calls `action` at the given virtual time (or now, if that is past).
  void at(TimeNs time, std::function<void()> action);
  // Submits now; `ended` is called when the job ends.
  Result<Submitted> submit(const JobRequest& request, std::function<void(const Job&)> ended = {});

  // Runs until nothing is left to do, or until the given time.
  void run(TimeNs until = std::numeric_limits<TimeNs>::max());

  TimeNs now() const { return now_; }
  Scheduler& scheduler() { return *scheduler_; }
  timeline::Recorder& recorder() { return *recorder_; }
  // A lane for the caller's own events (bench begin and end).
  timeline::Recorder::Lane& bench_lane() { return *bench_lane_; }

 private:
  struct Pending {
    TimeNs time;
    uint64_t order;
    std::function<void()> action;
    bool operator>(const Pending& o) const { return std::tie(time, order) > std::tie(o.time, o.order); }
  };
  struct Worker {
    timeline::Recorder::Lane* lane;
    bool busy = false;
    size_t index = 0;
    size_t device = 0;
    std::optional<PartitionRef> waiting_for_lock;
    TimeNs lock_asked = 0;
  };

  TimeNs draw(const StageTime& time);
  TimeNs draw(const StageTime& time, SimulatedStage stage, PartitionRef ref, std::string_view op = {});
  const StageTimes& times(JobId job) const;
  Status outcome(SimulatedStage stage, PartitionRef ref, size_t device = 0) const;
  void after(TimeNs delay, std::function<void()> action) { at(now_ + delay, std::move(action)); }
  // Does a stage's work of the given length; then `action`, with the time that it took.
  using Done = std::function<void(TimeNs took)>;
  void work(const StageTime& time, TimeNs length, Done action);
  void watch_cpus();

  void offer_work();
  bool offer_parser(Worker& worker);
  bool offer_key_worker(Worker& worker);
  bool offer_synthesis(Worker& worker);
  bool offer_device(Worker& worker);
  bool offer_lock(Worker& worker);
  bool offer_finisher(Worker& worker);
  void run_device_region(Worker& worker, PartitionRef ref);
  void run_device_work(Worker& worker, PartitionRef ref, std::vector<TimeNs> lengths, size_t number,
                       TimeNs taken);
  bool deliver_ended();

  SimulationConfig config_;
  TimeNs now_ = 0;
  std::unique_ptr<timeline::Recorder> recorder_;
  timeline::Recorder::Lane* bench_lane_;
  std::unique_ptr<Scheduler> scheduler_;
  std::map<std::string, StageTimes> times_;
  Fault fault_;
  Scale scale_;
  TestRandom random_;
  std::vector<Worker> parsers_, key_workers_, synthesis_, device_workers_, finishers_;
  std::priority_queue<Pending, std::vector<Pending>, std::greater<>> queue_;
  uint64_t next_order_ = 0;
  SharedCpus cpus_;
  std::map<SharedCpus::Id, Done> on_cpus_;
  uint64_t cpu_changes_ = 0;
  std::optional<TimeNs> wakeup_;
  std::map<JobId, std::vector<std::function<void(const Job&)>>> on_ended_;
};

}  // namespace cuzk::engine
