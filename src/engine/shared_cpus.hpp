// CPUs that stages share, as the kernel's scheduler shares them: evenly by thread, and what a thread does not
// want goes to the others.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace cuzk::engine {

// CPUs that a stage keeps busy when it has all that it wants, on average, and by how many threads at most.
struct CpuDemand {
  double cpus = 0;
  double threads = 1;
};

// The pace of each of the demands, 1 where it has all that it wants: the largest fair share of `cpus`.
std::vector<double> fair_paces(double cpus, const std::vector<CpuDemand>& demands);

class SharedCpus {
 public:
  using Id = uint64_t;
  explicit SharedCpus(double cpus) : cpus_(cpus) {}

  // Work that takes `ns` at full pace. Times: nanoseconds, never going back.
  Id begin(int64_t now, double ns, const CpuDemand& demand);
  // What ends next and when, if nothing begins or ends before.
  std::optional<std::pair<int64_t, Id>> next() const;
  // Takes it away at that time.
  void end(int64_t now, Id id);

 private:
  struct Task {
    double left_ns;
    double pace;
    CpuDemand demand;
  };
  void advance(int64_t now);
  void share();

  double cpus_;
  int64_t now_ = 0;
  Id next_id_ = 1;
  std::map<Id, Task> tasks_;
};

}  // namespace cuzk::engine
