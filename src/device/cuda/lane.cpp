#include "device/cuda/lane.hpp"

#include <algorithm>
#include <cstring>

namespace cuzk::gpu {

Result<std::unique_ptr<Lane>> Lane::create() {
  auto lane = std::make_unique<Lane>();
  CUZK_ASSIGN(lane->stream_, Stream::create());
  CUZK_ASSIGN(lane->copies_, Stream::create());
  CUZK_ASSIGN(lane->pinned_, PinnedMemory::allocate(kStagingBytes + kSmallBytes));
  return lane;
}

Status Lane::upload(void* device, const void* host, size_t bytes) {
  constexpr size_t kHalf = kStagingBytes / 2;
  size_t half = 0;
  CUZK_TRY(stream_.wait());
  for (size_t done = 0; done < bytes; done += kHalf, half ^= 1) {
    const size_t now = std::min(kHalf, bytes - done);
    char* staging = pinned_.get() + half * kHalf;
    std::memcpy(staging, static_cast<const char*>(host) + done, now);
    if (done != 0) CUZK_TRY(stream_.wait());  // the other half has left
    CUZK_TRY(stream_.to_device(static_cast<char*>(device) + done, staging, now));
  }
  return stream_.wait();
}

Status Lane::download(void* host, const void* device, size_t bytes) {
  for (size_t done = 0; done < bytes; done += kStagingBytes) {
    const size_t now = std::min(kStagingBytes, bytes - done);
    CUZK_TRY(stream_.to_host(pinned_.get(), static_cast<const char*>(device) + done, now));
    CUZK_TRY(stream_.wait());
    std::memcpy(static_cast<char*>(host) + done, pinned_.get(), now);
  }
  return {};
}

}  // namespace cuzk::gpu
