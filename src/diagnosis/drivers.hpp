// What slows stages from outside, as far as the sampler measures it, and by how much each stage follows it.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/facts.hpp"

namespace cuzk::diagnosis {

// Each is a number that is 0 at rest and grows with what slows: logarithms of ratios.
enum class DriverKind : uint8_t {
  kMemory,  // the memory probe against its rest
  kCpu,     // how far waiting for a CPU stretches computing; or runnable threads a CPU, where more than one
  kTlb,     // TLB shootdowns a second against their rest
  kClock,   // the device's clock below its rest
};
inline constexpr size_t kDrivers = 4;

enum class Stage : uint8_t { kSynthesis, kPrepare, kTransfer, kCompute, kFinish };
inline constexpr size_t kStages = 5;
const char* stage_name(Stage stage);

// A sampled quantity over the runs that were asked for. Samples are smoothed by medians of five, so that
// one that was interrupted does not count.
struct Level {
  bool measured = false;
  size_t samples = 0;
  double rest = 0;  // at rest: of samples outside of runs, or else the lowest tenth of all
  bool rest_is_idle = false;
  double typical = 0, high = 0;  // median and 90 % in the runs
  double rise() const { return rest > 0 ? high / rest : 0; }
};
// of: the quantity; the lowest tenth is taken as its rest if it has no samples outside of runs.
Level level_of(const Facts& facts, const Series* series);

// How a stage's length follows a driver, all drivers of that stage taken together.
struct Response {
  Stage stage{};
  bool known = false;  // the driver varies, and there are enough partitions
  double slope = 0, error = 0;
  double lo99 = 0;         // of the slope
  double excess_s = 0;     // a proof: summed over partitions, as measured
  double excess_lo_s = 0;  // at the lower end of the slope
  double slowdown = 1;     // factor on the stage where the driver is high (90 %)
  bool significant() const { return known && lo99 > 0 && slowdown > 1.02; }
};

class Drivers {
 public:
  explicit Drivers(const Facts& facts);

  const Level& level(DriverKind kind) const { return levels_[static_cast<size_t>(kind)]; }
  // Responses that are known, of the stages that the driver can slow.
  std::vector<Response> responses(DriverKind kind) const;
  // The device computes on the host's CPUs and memory, as far as the samples tell.
  bool device_is_host() const { return device_is_host_; }
  // What the slowdown costs: of the device's own stages all of it, of the others as much as the device idles
  // for. Seconds a proof; the second is the lower end.
  std::pair<double, double> cost(DriverKind kind) const;

 private:
  double value(DriverKind kind, const Stretch& stretch, int32_t device) const;
  void fit_stage(Stage stage);

  const Facts& facts_;
  std::array<Level, kDrivers> levels_;
  std::array<std::array<Response, kStages>, kDrivers> responses_{};
  bool device_is_host_ = false;
};

}  // namespace cuzk::diagnosis
