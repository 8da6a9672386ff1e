#include <atomic>
#include <chrono>
#include <cstring>
#include <new>

#include "device/cuda/emulator.hpp"
#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

namespace emulator {

namespace {
Faults planned;
std::atomic<size_t> made = 0, allocated = 0;
std::atomic<bool> broken = false;
}  // namespace

void set_faults(const Faults& faults) {
  planned = faults;
  made = allocated = 0;
  broken = false;
}
size_t calls() {
  return made;
}
size_t allocations() {
  return allocated;
}
bool answers() {
  return !broken;
}
Status call(const char* name) {
  const bool fails = made++ == planned.failing_call;
  if (fails && planned.lost) broken = true;
  if (fails || broken) return fail(ErrorCode::kUnavailable, std::string(name) + ": injected");
  return {};
}

}  // namespace emulator

namespace {

Result<void*> new_memory(const char* name, size_t bytes) {
  ++emulator::allocated;
  if (!emulator::call(name)) return fail(ErrorCode::kResourceExhausted, std::string(name) + ": injected");
  void* p = ::operator new(bytes == 0 ? 1 : bytes, std::align_val_t{256}, std::nothrow);
  if (p == nullptr) return fail(ErrorCode::kResourceExhausted, name);
  std::memset(p, 0xa5, bytes);
  return p;
}

}  // namespace

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
  return emulator::answers();
}

Result<DeviceMemory> DeviceMemory::allocate(size_t bytes) {
  DeviceMemory m;
  CUZK_ASSIGN(m.p_, new_memory("device memory", bytes));
  m.bytes_ = bytes;
  return m;
}
DeviceMemory::~DeviceMemory() {
  ::operator delete(p_, std::align_val_t{256});
}

Result<PinnedMemory> PinnedMemory::allocate(size_t bytes) {
  PinnedMemory m;
  CUZK_ASSIGN(m.p_, new_memory("pinned memory", bytes));
  m.bytes_ = bytes;
  return m;
}
PinnedMemory::~PinnedMemory() {
  ::operator delete(p_, std::align_val_t{256});
}

Result<Stream> Stream::create() {
  CUZK_TRY(emulator::call("stream"));
  return Stream();
}
Stream::~Stream() = default;
Status Stream::to_device(void* device, const void* host, size_t bytes) {
  CUZK_TRY(emulator::call("copy"));
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
  CUZK_TRY(emulator::call("fill"));
  if (bytes != 0) std::memset(device, byte, bytes);
  return {};
}
Status Stream::wait() {
  return emulator::call("wait");
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
