// Samples of the host and of the devices while a run goes on: one thread, a few lines of the timeline every
// period.
#pragma once

#include <chrono>
#include <memory>
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
  // Takes a tenth of a second with the memory probe, whose table it writes; so that a run that begins after
  // it is not disturbed by that.
  Sampler(Recorder& recorder, SamplerConfig config);
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

 private:
  class Sources;
  void run(std::stop_token stop);

  Recorder& recorder_;
  const SamplerConfig config_;
  Recorder::Lane& lane_;
  std::unique_ptr<Sources> sources_;
  std::jthread thread_;
};

}  // namespace cuzk::timeline
