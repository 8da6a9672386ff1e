// The memory budget: every large allocation is reserved here, under a tag, before it is made.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "base/result.hpp"

namespace cuzk::engine {

enum class MemoryTag : uint8_t { kKey, kWitness, kScratch };
inline constexpr size_t kMemoryTags = 3;
const char* memory_tag_name(MemoryTag tag);
// As the timeline says it: "tag=key;bytes=…;used=…".
std::string memory_detail(MemoryTag tag, uint64_t bytes, uint64_t used);

// Bookkeeping only: no lock, no waiting. The scheduler asks again whenever anything changed, so a wake-up
// cannot be lost.
class MemoryBudget {
 public:
  // critical_reserve: bytes that only CRITICAL work may use.
  MemoryBudget(uint64_t total, uint64_t critical_reserve)
      : total_(total), critical_reserve_(critical_reserve) {}

  bool fits(uint64_t bytes, bool critical) const {
    return bytes <= limit(critical) && used_ <= limit(critical) - bytes;
  }
  // Reserves if it fits.
  bool try_reserve(MemoryTag tag, uint64_t bytes, bool critical);
  void release(MemoryTag tag, uint64_t bytes);

  // What could be reserved if nothing else were: a request beyond it can never be served.
  uint64_t limit(bool critical) const { return critical ? total_ : total_ - critical_reserve_; }
  uint64_t total() const { return total_; }
  uint64_t used() const { return used_; }
  uint64_t used(MemoryTag tag) const { return by_tag_[static_cast<size_t>(tag)]; }
  uint64_t peak() const { return peak_; }

 private:
  uint64_t total_, critical_reserve_;
  uint64_t used_ = 0, peak_ = 0;
  std::array<uint64_t, kMemoryTags> by_tag_{};
};

// Bytes this process may use: the smaller of physical memory and its cgroup's limit (v1 or v2), less one
// eighth for everything that is not reserved here.
uint64_t automatic_budget_bytes();
// The same from given files, for tests: the root of /sys/fs/cgroup and of /proc.
uint64_t automatic_budget_bytes(const std::string& proc_root, const std::string& cgroup_root);

}  // namespace cuzk::engine
