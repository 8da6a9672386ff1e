#include <chrono>
#include <cstring>
#include <new>

#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

Result<std::vector<CardInfo>> list_cards() {
  CardInfo card;
  card.name = "emulated";
  card.multiprocessors = 4;
  card.memory_bytes = card.free_bytes = size_t{4} << 30;
  return std::vector<CardInfo>{card};
}

Status use_card(int) {
  return {};
}

bool card_answers() {
  return true;
}

Result<DeviceMemory> DeviceMemory::allocate(size_t bytes) {
  DeviceMemory m;
  m.p_ = ::operator new(bytes == 0 ? 1 : bytes, std::align_val_t{256}, std::nothrow);
  if (m.p_ == nullptr) return fail(ErrorCode::kResourceExhausted, "device memory");
  std::memset(m.p_, 0xa5, bytes);
  m.bytes_ = bytes;
  return m;
}
DeviceMemory::~DeviceMemory() {
  ::operator delete(p_, std::align_val_t{256});
}

Result<PinnedMemory> PinnedMemory::allocate(size_t bytes) {
  PinnedMemory m;
  m.p_ = ::operator new(bytes == 0 ? 1 : bytes, std::align_val_t{256}, std::nothrow);
  if (m.p_ == nullptr) return fail(ErrorCode::kResourceExhausted, "pinned memory");
  m.bytes_ = bytes;
  return m;
}
PinnedMemory::~PinnedMemory() {
  ::operator delete(p_, std::align_val_t{256});
}

Result<Stream> Stream::create() {
  return Stream();
}
Stream::~Stream() = default;
Status Stream::to_device(void* device, const void* host, size_t bytes) {
  if (bytes != 0) std::memcpy(device, host, bytes);
  return {};
}
Status Stream::to_host(void* host, const void* device, size_t bytes) {
  return to_device(host, device, bytes);
}
Status Stream::on_device(void* to, const void* from, size_t bytes) {
  return to_device(to, from, bytes);
}
Status Stream::fill(void* device, int byte, size_t bytes) {
  if (bytes != 0) std::memset(device, byte, bytes);
  return {};
}
Status Stream::wait() {
  return {};
}

namespace {
using Clock = std::chrono::steady_clock;
}
Result<Stopwatch> Stopwatch::create() {
  Stopwatch s;
  s.begin_ = new Clock::time_point();
  s.end_ = new Clock::time_point();
  return s;
}
Stopwatch::~Stopwatch() {
  delete static_cast<Clock::time_point*>(begin_);
  delete static_cast<Clock::time_point*>(end_);
}
Status Stopwatch::start(Stream&) {
  *static_cast<Clock::time_point*>(begin_) = Clock::now();
  return {};
}
Status Stopwatch::stop(Stream&) {
  *static_cast<Clock::time_point*>(end_) = Clock::now();
  return {};
}
Result<double> Stopwatch::milliseconds() {
  return std::chrono::duration<double, std::milli>(*static_cast<Clock::time_point*>(end_) -
                                                   *static_cast<Clock::time_point*>(begin_))
      .count();
}

}  // namespace cuzk::gpu
