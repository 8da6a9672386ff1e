#include "device/cuda/heap.hpp"

#include <algorithm>
#include <string>

namespace cuzk::gpu {

namespace {

constexpr size_t kAlignment = 256;

size_t rounded(size_t bytes) {
  return std::max<size_t>(1, (bytes + kAlignment - 1) / kAlignment) * kAlignment;
}

}  // namespace

DeviceHeap::DeviceHeap(DeviceMemory memory) : memory_(std::move(memory)) {
  size_t usable = memory_.bytes() / kAlignment * kAlignment;
  if (usable != 0) free_[0] = usable;
}

Result<DeviceHeap::Block> DeviceHeap::allocate(size_t bytes) {
  const size_t size = rounded(bytes);
  std::lock_guard lock(mutex_);
  size_t largest = 0, total = 0;
  for (auto it = free_.begin(); it != free_.end(); ++it) {
    auto [offset, length] = *it;
    if (length >= size) {
      free_.erase(it);
      if (length > size) free_[offset + size] = length - size;
      return Block(this, memory_.get() + offset, size);
    }
    largest = std::max(largest, length);
    total += length;
  }
  return fail(ErrorCode::kResourceExhausted, "device memory: " + std::to_string(size) + " bytes asked for, " +
                                                 std::to_string(total) + " free, the largest piece " +
                                                 std::to_string(largest));
}

void DeviceHeap::release(char* p, size_t bytes) {
  std::lock_guard lock(mutex_);
  size_t offset = static_cast<size_t>(p - memory_.get());
  auto next = free_.lower_bound(offset);
  if (next != free_.end() && offset + bytes == next->first) {
    bytes += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    auto before = std::prev(next);
    if (before->first + before->second == offset) {
      before->second += bytes;
      return;
    }
  }
  free_[offset] = bytes;
}

size_t DeviceHeap::free_bytes() const {
  std::lock_guard lock(mutex_);
  size_t total = 0;
  for (const auto& [offset, length] : free_) total += length;
  return total;
}

}  // namespace cuzk::gpu
