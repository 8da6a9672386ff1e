// A recorded run again in the simulated device, with some settings changed: what would it have taken?
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "config/settings.hpp"
#include "diagnosis/drivers.hpp"
#include "diagnosis/model.hpp"

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
};

struct Change {
  std::vector<std::string> assignments;  // "gpus.gpu_workers_per_device=3"
  std::optional<size_t> proofs, concurrency, devices;
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
  struct Kind {
    std::string name;
    std::vector<double> synthesis, prepare, held, finish, parse;  // ms
    double transfer_of_held = 0, compute_of_held = 0;
  };
  struct JobShape {
    size_t kind;
    uint32_t partitions;
  };

  Recorded recorded_;
  std::vector<Kind> kinds_;
  std::vector<JobShape> jobs_;
  uint64_t key_bytes_ = 0, witness_bytes_ = 0, scratch_bytes_ = 0;
};

// Settings whose effect a replay shows.
bool replay_knows(const std::string& key);

}  // namespace cuzk::diagnosis
