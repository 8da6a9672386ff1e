// Descriptions of simulated devices: what is accepted is in range.
#include "base/check.hpp"
#include "cli/simulated_device.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  const auto device = cli::parse_simulated_device({reinterpret_cast<const char*>(data), size}, "input");
  if (!device) return 0;
  CUZK_CHECK(device->devices >= 1 && device->devices <= 1024 && device->finishers >= 1 &&
             device->finishers <= 1024);
  CUZK_CHECK(!device->times.device.empty() && device->handover_ms >= 0);
  for (const auto& [name, time] : device->times.device) CUZK_CHECK(time.median_ms >= 0 && time.spread < 5);
  return 0;
}
