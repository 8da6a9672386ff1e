// The few things that host code asks of the GPU's runtime, in plain C++. Two implementations with the same
// functions: runtime_cuda.cu, and runtime_emulated.cpp, whose "device" is host memory (tests only).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.hpp"

namespace cuzk::gpu {

struct CardInfo {
  int index = 0;
  std::string name;
  std::string pci_bus;
  int major = 0, minor = 0;
  unsigned multiprocessors = 0;
  size_t memory_bytes = 0;
  size_t free_bytes = 0;
  std::string unusable;  // why the card cannot be used; empty if it can
};

// Every card that the driver shows, usable or not; an error where there is no driver or no card at all.
Result<std::vector<CardInfo>> list_cards();

// Makes a card the calling thread's; every other function works on it.
Status use_card(int index);

// Whether the calling thread's card still does anything: after some errors a card is lost to the process.
bool card_answers();

// One allocation of device memory, and one of pinned host memory. Freed by the destructor.
class DeviceMemory {
 public:
  static Result<DeviceMemory> allocate(size_t bytes);
  DeviceMemory() = default;
  DeviceMemory(DeviceMemory&& o) noexcept : p_(std::exchange(o.p_, nullptr)), bytes_(o.bytes_) {}
  DeviceMemory& operator=(DeviceMemory&& o) noexcept {
    std::swap(p_, o.p_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }
  ~DeviceMemory();
  char* get() const { return static_cast<char*>(p_); }
  size_t bytes() const { return bytes_; }

 private:
  void* p_ = nullptr;
  size_t bytes_ = 0;
};

class PinnedMemory {
 public:
  static Result<PinnedMemory> allocate(size_t bytes);
  PinnedMemory() = default;
  PinnedMemory(PinnedMemory&& o) noexcept : p_(std::exchange(o.p_, nullptr)), bytes_(o.bytes_) {}
  PinnedMemory& operator=(PinnedMemory&& o) noexcept {
    std::swap(p_, o.p_);
    std::swap(bytes_, o.bytes_);
    return *this;
  }
  ~PinnedMemory();
  char* get() const { return static_cast<char*>(p_); }
  size_t bytes() const { return bytes_; }

 private:
  void* p_ = nullptr;
  size_t bytes_ = 0;
};

// Work in order on the card. Copies and launches return at once; wait() returns when all is done.
class Stream {
 public:
  static Result<Stream> create();
  Stream() = default;
  Stream(Stream&& o) noexcept : handle_(std::exchange(o.handle_, nullptr)) {}
  Stream& operator=(Stream&& o) noexcept {
    std::swap(handle_, o.handle_);
    return *this;
  }
  ~Stream();

  Status to_device(void* device, const void* host, size_t bytes);
  Status to_host(void* host, const void* device, size_t bytes);
  Status on_device(void* to, const void* from, size_t bytes);
  Status fill(void* device, int byte, size_t bytes);
  Status wait();
  void* handle() const { return handle_; }

 private:
  void* handle_ = nullptr;
};

// Time between two points of a stream, measured by the card (by the clock in the emulator).
class Stopwatch {
 public:
  static Result<Stopwatch> create();
  Stopwatch() = default;
  Stopwatch(Stopwatch&& o) noexcept
      : begin_(std::exchange(o.begin_, nullptr)), end_(std::exchange(o.end_, nullptr)) {}
  Stopwatch& operator=(Stopwatch&& o) noexcept {
    std::swap(begin_, o.begin_);
    std::swap(end_, o.end_);
    return *this;
  }
  ~Stopwatch();
  Status start(Stream& stream);
  Status stop(Stream& stream);
  // Waits for the end.
  Result<double> milliseconds();

 private:
  void *begin_ = nullptr, *end_ = nullptr;
};

}  // namespace cuzk::gpu
