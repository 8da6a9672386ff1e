// Samples of the host and of the devices while a run goes on: one thread, a few lines of the timeline every
// period.
#pragma once

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "timeline/recorder.hpp"

namespace cuzk::timeline {

struct SamplerConfig {
  std::chrono::milliseconds period{1000};
  bool memory_probe = true;  // 256 MiB, and a millisecond of a CPU every period
  // PCI addresses of the engine's devices in their order; empty: not a card, no samples.
  std::vector<std::string> device_bus_ids = {};
  std::string nvml_library = "libnvidia-ml.so.1";
};

// Samples from its construction to its destruction, which takes a last sample. The recorder outlives it. A
// recorder that is off makes it do nothing.
class Sampler {
 public:
  Sampler(Recorder& recorder, SamplerConfig config);

 private:
  void run(std::stop_token stop);

  Recorder& recorder_;
  const SamplerConfig config_;
  Recorder::Lane& lane_;
  std::jthread thread_;
};

}  // namespace cuzk::timeline
