// NVIDIA's management library, loaded at run time: this program neither needs it nor its headers.
#pragma once

#include <memory>
#include <string>

#include "timeline/readings.hpp"

namespace cuzk::timeline {

class Nvml {
 public:
  // Nothing where there is no such library or no driver. library: another one in tests.
  static std::unique_ptr<Nvml> open(const std::string& library = "libnvidia-ml.so.1");
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  // A card by its PCI address ("0000:65:00.0"); nullptr if there is none.
  void* find(const std::string& pci_bus_id) const;
  // Adds clocks, power, temperature, throttling, PCIe and memory in use, each if the card tells.
  // docs/formats/timeline.md has the keys. PCIe throughput makes it take about 40 ms a card.
  void read(void* card, Reading& reading) const;

 private:
  struct Functions;
  Nvml();
  void* library_ = nullptr;
  std::unique_ptr<Functions> functions_;
};

}  // namespace cuzk::timeline
