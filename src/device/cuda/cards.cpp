#include "device/cuda/cards.hpp"

#include <cstdio>

namespace cuzk::gpu {

namespace {

std::string version(int number) {
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string capability(int tenfold) {
  return std::to_string(tenfold / 10) + "." + std::to_string(tenfold % 10);
}

std::string gib(size_t bytes) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", static_cast<double>(bytes) / (size_t{1} << 30));
  return text;
}

// Machine code runs on its own and later minor versions of one major version.
bool runs_on(int major, int minor, std::span<const int> built) {
  const int card = 10 * major + minor;
  for (int code : built)
    if (code / 10 == major && code <= card) return true;
  return !built.empty() && built.back() <= card;
}

}  // namespace

std::string reason_against(const CardState& card, std::span<const int> built) {
  if (!runs_on(card.major, card.minor, built)) {
    std::string list;
    for (int code : built) list += (list.empty() ? "" : ", ") + capability(code);
    return "its compute capability is " + capability(10 * card.major + card.minor) +
           ", this program has code for " + list + " only";
  }
  if (card.prohibited) return "its compute mode is 'prohibited'";
  if (card.free_bytes < kLeastFreeBytes)
    return "only " + gib(card.free_bytes) + " of its " + gib(card.memory_bytes) +
           " GiB are free: other programs hold the rest; at least " + gib(kLeastFreeBytes) + " are needed";
  return "";
}

std::string reason_against_driver(int driver, int needed) {
  if (driver == 0) return "no NVIDIA driver: libcuda.so.1 is not there";
  if (driver / 1000 < needed / 1000)
    return "the NVIDIA driver is too old: it is for CUDA " + version(driver) + ", this program needs " +
           version(needed / 1000 * 1000) + " or later";
  return "";
}

}  // namespace cuzk::gpu
