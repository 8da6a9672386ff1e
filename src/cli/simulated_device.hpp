// Descriptions of a simulated device.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "engine/simulation.hpp"

namespace cuzk::cli {

// Stage times and sizes of a simulated device: docs/formats/simulated-device.md.
struct SimulatedDevice {
  engine::StageTimes times;
  engine::CircuitPlan plan;
  size_t devices = 1, finishers = 2;
  double handover_ms = 0.02;
  uint64_t seed = 1;
};

// path: for messages. Errors: kInvalidInput, naming the field.
Result<SimulatedDevice> parse_simulated_device(std::string_view json, const std::string& path);
// Errors: kNotFound, too.
Result<SimulatedDevice> read_simulated_device(const std::string& path);

}  // namespace cuzk::cli
