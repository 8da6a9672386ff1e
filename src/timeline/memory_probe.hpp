// How long a load from memory takes right now: dependent loads over a table larger than the caches, for about
// a millisecond. A stand-in for memory counters where the machine has none: the time rises when others use up
// the bandwidth.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

namespace cuzk::timeline {

class MemoryProbe {
 public:
  static constexpr size_t kDefaultBytes = size_t{256} << 20;

  // Takes the memory and writes it once; in huge pages where they are to be had, so that the time is that of
  // the memory and not of finding pages. Without memory the probe measures nothing. bytes: a power of two.
  explicit MemoryProbe(size_t bytes = kDefaultBytes);
  ~MemoryProbe();
  MemoryProbe(const MemoryProbe&) = delete;
  MemoryProbe& operator=(const MemoryProbe&) = delete;

  // Nanoseconds a load over 8192 loads (about a millisecond), the median of short batches, so that a
  // preemption does not count. Goes on where the last call stopped, so that nothing it reads is still in a
  // cache.
  std::optional<double> measure();

  bool ready() const { return lines_ != nullptr; }

 private:
  static constexpr size_t kBatch = 64, kBatches = 128;
  struct alignas(64) Line {
    uint32_t next;
  };
  Line* lines_ = nullptr;
  size_t count_ = 0;
  uint32_t at_ = 0;
};

}  // namespace cuzk::timeline
