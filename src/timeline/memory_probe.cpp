#include "timeline/memory_probe.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <chrono>

#include "base/check.hpp"
#include "base/huge_pages.hpp"

namespace cuzk::timeline {

MemoryProbe::MemoryProbe(size_t bytes) : count_(bytes / sizeof(Line)) {
  CUZK_CHECK(count_ >= 64 && (count_ & (count_ - 1)) == 0 && count_ <= size_t{1} << 31);
  void* place = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return;
  advise_huge_pages(place, bytes);
  lines_ = static_cast<Line*>(place);
  // A generator of full period (Hull and Dobell: odd increment, multiplier 1 modulo 4) visits every line once
  // in an order that no prefetcher follows, and is written in the order of the addresses.
  constexpr uint32_t kMultiplier = 1664525, kIncrement = 1013904223;
  const uint32_t mask = static_cast<uint32_t>(count_ - 1);
  for (uint32_t i = 0; i <= mask; ++i) lines_[i].next = (i * kMultiplier + kIncrement) & mask;
}

MemoryProbe::~MemoryProbe() {
  if (lines_ != nullptr) munmap(lines_, count_ * sizeof(Line));
}

std::optional<double> MemoryProbe::measure() {
  if (lines_ == nullptr) return std::nullopt;
  using Clock = std::chrono::steady_clock;
  std::array<double, kBatches> batches;
  auto before = Clock::now();
  for (double& batch : batches) {
    for (size_t i = 0; i < kBatch; ++i) at_ = lines_[at_].next;
    // The next reading of the clock must not come before the last load.
    asm volatile("" : "+r"(at_)::"memory");
    const auto now = Clock::now();
    batch = std::chrono::duration<double, std::nano>(now - before).count() / kBatch;
    before = now;
  }
  std::nth_element(batches.begin(), batches.begin() + kBatches / 2, batches.end());
  return batches[kBatches / 2];
}

}  // namespace cuzk::timeline
