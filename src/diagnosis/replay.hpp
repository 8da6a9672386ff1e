// A recorded run again in the simulated device, with some settings changed: what would it have taken?
// Where the log has the stages' CPU times, they share the recorded machine's CPUs, and last as long as what
// runs beside them makes them.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "diagnosis/drivers.hpp"
#include "diagnosis/model.hpp"
#include "engine/simulation.hpp"

namespace cuzk::diagnosis {

// What a run was made with: the header's settings, and what its workers show where those are silent.
struct Recorded {
  Settings settings;
  size_t devices = 1;
  size_t proofs = 0, concurrency = 1;
  bool each_worker_a_device = false;  // worker spans only: a worker's span includes its waiting
  double handover_ms = 0.02;          // from release to the next worker's first work, where one waited
  double busy_of_held = 1;            // measured by the device, of the time that it is held
  double key_load_ms = 0;             // 0: the key was resident
  // CPUs that the stages shared. 0: the log has no CPU times of stages, or does not say how many CPUs there
  // were; a replay then keeps the recorded lengths, whatever else would run at the same time.
  double cpus = 0;
  bool tail_reads_witness = false;  // memory is held until a partition is finished
  bool computes_on_cpus = false;    // the device: the engine's own, on the host's CPUs
};

struct Change {
  std::vector<std::string> assignments;  // "gpus.gpu_workers_per_device=3"
  std::optional<size_t> proofs, concurrency, devices, partitions;
  std::array<double, kStages> factors{1, 1, 1, 1, 1};  // on the recorded stage times, by Stage
  uint64_t seed = 1;
};

struct Prediction {
  double s_per_proof = 0;
  double steady_s_per_proof = 0;  // between the first proof's end and the last's; 0: fewer than three proofs
  double wall_s = 0;
  double held_share = 0, busy_share = 0;  // of the devices, from the first region to the last
  uint64_t peak_bytes = 0;                // reserved
  size_t proofs = 0;
};

class Replay {
 public:
  // Errors: kInvalidInput when the run has no device
  // regions or no complete proof.
  static Result<Replay> of(const timeline::Timeline& timeline, const RunModel& model);

  const Recorded& recorded() const { return recorded_; }
  // Errors: kInvalidInput for settings that do not exist or that a replay cannot change; and for a memory
  // budget in which nothing fits.
  Result<Prediction> predict(const Change& change) const;

 private:
  // A stage's lengths, with all the CPUs that it wants if recorded().cpus is known.
  struct Work {
    std::vector<double> ms;
    engine::CpuDemand demand;
    engine::StageTime time(double factor) const;
  };
  enum : size_t { kSynthesis, kHeld, kTail, kCheck, kWorks };
  struct Kind {
    std::string name;
    std::array<Work, kWorks> works;
    Work prepare, parse;
    double transfer_of_held = 0, compute_of_held = 0;
  };
  struct JobShape {
    size_t kind;
    uint32_t partitions;
  };

  void take_lengths(const RunModel& model, const std::map<uint32_t, size_t>& kind_of_job);
  double threads_of(size_t work) const;
  Status change_threads(const std::string& key, const Settings& settings, std::vector<Kind>& kinds) const;

  Recorded recorded_;
  std::vector<Kind> kinds_;
  std::vector<JobShape> jobs_;
  uint64_t key_bytes_ = 0, witness_bytes_ = 0, scratch_bytes_ = 0;
};

// Settings whose effect a replay shows.
bool replay_knows(const std::string& key);

}  // namespace cuzk::diagnosis
