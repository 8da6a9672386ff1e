#include "cli/devices.hpp"

#include <charconv>
#include <cstdio>
#include <iostream>

#include "device/cuda/cuda_device.hpp"
#include "field/isa.hpp"

namespace cuzk::cli {

namespace {

constexpr double kGib = size_t{1} << 30;

// The number of the card in "cuda" or "cuda:N"; -1 for any other text.
int card_number(const std::string& name) {
  if (name == "cuda") return 0;
  constexpr std::string_view kPrefix = "cuda:";
  if (!name.starts_with(kPrefix)) return -1;
  int number = -1;
  const char* end = name.data() + name.size();
  auto [stop, error] = std::from_chars(name.data() + kPrefix.size(), end, number);
  return error == std::errc() && stop == end ? number : -1;
}

Json describe(const gpu::CardInfo& card) {
  Json out;
  out["device"] = "cuda:" + std::to_string(card.index);
  out["usable"] = card.unusable.empty();
  if (!card.unusable.empty()) out["why_not"] = card.unusable;
  out["name"] = card.name;
  out["pci_bus"] = card.pci_bus;
  out["compute_capability"] = std::to_string(card.major) + "." + std::to_string(card.minor);
  out["multiprocessors"] = card.multiprocessors;
  out["memory_bytes"] = card.memory_bytes;
  out["free_bytes"] = card.free_bytes;
  return out;
}

void print_row(const std::string& device, const std::string& why_not, const std::string& text) {
  std::printf("%-8s %s\n", device.c_str(),
              why_not.empty() ? ("usable: " + text).c_str() : ("not usable: " + why_not).c_str());
  if (!why_not.empty() && !text.empty()) std::printf("%-8s %s\n", "", text.c_str());
}

std::string text_of(const gpu::CardInfo& card) {
  char text[160];
  std::snprintf(text, sizeof text, "%s, compute capability %d.%d, %u multiprocessors, %.1f of %.1f GiB free",
                card.name.c_str(), card.major, card.minor, card.multiprocessors,
                static_cast<double>(card.free_bytes) / kGib, static_cast<double>(card.memory_bytes) / kGib);
  return text;
}

Result<ExitStatus> list_devices(const Context& context) {
  const size_t threads = context.threads != 0 ? context.threads : usable_cpus();
  const auto cards = gpu::list_cards();
  if (!context.json) {
    print_row("cpu", "", std::to_string(threads) + " threads, instruction sets: " + active_isa.describe());
    if (!cards) print_row("cuda", cards.error().message, "");
    if (cards)
      for (const gpu::CardInfo& card : *cards)
        print_row("cuda:" + std::to_string(card.index), card.unusable, text_of(card));
    return kDone;
  }
  Json out = Json::array();
  Json cpu;
  cpu["device"] = "cpu";
  cpu["usable"] = true;
  cpu["threads"] = threads;
  cpu["instruction_sets"] = active_isa.describe();
  out.push_back(std::move(cpu));
  if (!cards) out.push_back(Json{{"device", "cuda"}, {"usable", false}, {"why_not", cards.error().message}});
  if (cards)
    for (const gpu::CardInfo& card : *cards) out.push_back(describe(card));
  print_json(Json{{"devices", out}});
  return kDone;
}

}  // namespace

Result<std::unique_ptr<Device>> open_device(const std::string& name, Executor& executor,
                                            CpuDevice::Residency residency, const CpuDeviceOptions& cpu) {
  if (name == "cpu") return std::make_unique<CpuDevice>(executor, residency, cpu);
  const int card = card_number(name);
  if (card < 0)
    return invalid("--device " + name + ": expected cpu, cuda or cuda:N; `cuzk devices` lists them");
  auto device = CudaDevice::open({.card = card}, executor);
  if (!device) return tl::unexpected<Error>(device.error().at("--device " + name));
  return std::move(*device);
}

Command add_devices(CLI::App& program) {
  program.add_subcommand("devices", "list what can prove here, and why something cannot");
  return list_devices;
}

}  // namespace cuzk::cli
