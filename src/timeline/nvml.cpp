#include "timeline/nvml.hpp"

#include <dlfcn.h>

namespace cuzk::timeline {

namespace {

// Values of the library's public interface (nvml.h).
constexpr int kSuccess = 0;
constexpr unsigned kClockSm = 1, kClockMemory = 2;
constexpr unsigned kTemperatureGpu = 0;
constexpr unsigned kPcieTx = 0, kPcieRx = 1;
// Reasons for which clocks are lowered.
constexpr unsigned long long kPowerReasons = 0x4 | 0x80;     // software power cap, hardware power brake
constexpr unsigned long long kThermalReasons = 0x20 | 0x40;  // software, hardware thermal slowdown
constexpr unsigned long long kHardwareReasons = 0x8 | 0x40 | 0x80;  // hardware slowdown of any kind

struct MemoryInfo {
  unsigned long long total, free, used;
};
struct Utilisation {
  unsigned gpu, memory;  // per cent
};

}  // namespace

struct Nvml::Functions {
  int (*init)();
  int (*shutdown)();
  int (*by_bus_id)(const char*, void**);
  int (*clock)(void*, unsigned, unsigned*);
  int (*max_clock)(void*, unsigned, unsigned*);
  int (*power)(void*, unsigned*);
  int (*power_limit)(void*, unsigned*);
  int (*temperature)(void*, unsigned, unsigned*);
  int (*throttle)(void*, unsigned long long*);
  int (*pcie_gen)(void*, unsigned*);
  int (*pcie_gen_max)(void*, unsigned*);
  int (*pcie_width)(void*, unsigned*);
  int (*pcie_width_max)(void*, unsigned*);
  int (*pcie_throughput)(void*, unsigned, unsigned*);
  int (*memory)(void*, MemoryInfo*);
  int (*utilisation)(void*, Utilisation*);
};

Nvml::Nvml() : functions_(std::make_unique<Functions>()) {}

std::unique_ptr<Nvml> Nvml::open(const std::string& library) {
  std::unique_ptr<Nvml> nvml(new Nvml());
  nvml->library_ = dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (nvml->library_ == nullptr) return nullptr;
  Functions& f = *nvml->functions_;
  auto load = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(nvml->library_, name));
    return function != nullptr;
  };
  bool usable = load(f.init, "nvmlInit_v2") & load(f.shutdown, "nvmlShutdown") &
                load(f.by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  load(f.clock, "nvmlDeviceGetClockInfo");
  load(f.max_clock, "nvmlDeviceGetMaxClockInfo");
  load(f.power, "nvmlDeviceGetPowerUsage");
  load(f.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  load(f.temperature, "nvmlDeviceGetTemperature");
  load(f.throttle, "nvmlDeviceGetCurrentClocksThrottleReasons");
  load(f.pcie_gen, "nvmlDeviceGetCurrPcieLinkGeneration");
  load(f.pcie_gen_max, "nvmlDeviceGetMaxPcieLinkGeneration");
  load(f.pcie_width, "nvmlDeviceGetCurrPcieLinkWidth");
  load(f.pcie_width_max, "nvmlDeviceGetMaxPcieLinkWidth");
  load(f.pcie_throughput, "nvmlDeviceGetPcieThroughput");
  load(f.memory, "nvmlDeviceGetMemoryInfo");
  load(f.utilisation, "nvmlDeviceGetUtilizationRates");
  if (!usable || f.init() != kSuccess) {
    f.shutdown = nullptr;
    return nullptr;
  }
  return nvml;
}

Nvml::~Nvml() {
  if (functions_->shutdown != nullptr) functions_->shutdown();
  if (library_ != nullptr) dlclose(library_);
}

void* Nvml::find(const std::string& pci_bus_id) const {
  void* card = nullptr;
  return functions_->by_bus_id(pci_bus_id.c_str(), &card) == kSuccess ? card : nullptr;
}

void Nvml::read(void* card, Reading& reading) const {
  const Functions& f = *functions_;
  // Calls `function` with the arguments and a place for the value; records it, scaled, if that succeeds.
  auto level = [&](const char* key, double scale, auto function, auto... arguments) {
    unsigned value = 0;
    if (function != nullptr && function(card, arguments..., &value) == kSuccess)
      reading.level(key, value * scale);
  };
  level("clock_sm_mhz", 1, f.clock, kClockSm);
  level("clock_sm_max_mhz", 1, f.max_clock, kClockSm);
  level("clock_memory_mhz", 1, f.clock, kClockMemory);
  level("power_w", 1e-3, f.power);
  level("power_limit_w", 1e-3, f.power_limit);
  level("temperature_c", 1, f.temperature, kTemperatureGpu);
  if (unsigned long long reasons = 0; f.throttle != nullptr && f.throttle(card, &reasons) == kSuccess) {
    reading.level("throttle_reasons", static_cast<double>(reasons));
    reading.level("throttle_power", (reasons & kPowerReasons) != 0);
    reading.level("throttle_thermal", (reasons & kThermalReasons) != 0);
    reading.level("throttle_hardware", (reasons & kHardwareReasons) != 0);
  }
  level("pcie_gen", 1, f.pcie_gen);
  level("pcie_gen_max", 1, f.pcie_gen_max);
  level("pcie_width", 1, f.pcie_width);
  level("pcie_width_max", 1, f.pcie_width_max);
  constexpr double kKilobyte = 1024;
  level("pcie_tx_bytes_per_s", kKilobyte, f.pcie_throughput, kPcieTx);
  level("pcie_rx_bytes_per_s", kKilobyte, f.pcie_throughput, kPcieRx);
  if (MemoryInfo info{}; f.memory != nullptr && f.memory(card, &info) == kSuccess) {
    reading.level("memory_used_bytes", static_cast<double>(info.used));
    reading.level("memory_total_bytes", static_cast<double>(info.total));
  }
  if (Utilisation u{}; f.utilisation != nullptr && f.utilisation(card, &u) == kSuccess) {
    reading.level("kernel_share", u.gpu / 100.0);
    reading.level("memory_controller_share", u.memory / 100.0);
  }
}

}  // namespace cuzk::timeline
