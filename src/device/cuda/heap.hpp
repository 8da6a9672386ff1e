// DeviceHeap: one allocation of device memory, handed out in pieces by the host. Allocating and freeing are
// host work alone: nothing waits for the card. A piece must only be freed when no work on the card uses it
// any more.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

class DeviceHeap {
 public:
  explicit DeviceHeap(DeviceMemory memory);

  // A piece of the heap; goes back with the object, which the heap outlives.
  class Block {
   public:
    Block() = default;
    Block(Block&& o) noexcept : heap_(std::exchange(o.heap_, nullptr)), p_(o.p_), bytes_(o.bytes_) {}
    Block& operator=(Block&& o) noexcept {
      std::swap(heap_, o.heap_);
      std::swap(p_, o.p_);
      std::swap(bytes_, o.bytes_);
      return *this;
    }
    ~Block() {
      if (heap_ != nullptr) heap_->release(p_, bytes_);
    }
    char* get() const { return p_; }
    template <class T>
    T* as() const {
      return reinterpret_cast<T*>(p_);
    }
    size_t bytes() const { return bytes_; }

   private:
    friend class DeviceHeap;
    Block(DeviceHeap* heap, char* p, size_t bytes) : heap_(heap), p_(p), bytes_(bytes) {}
    DeviceHeap* heap_ = nullptr;
    char* p_ = nullptr;
    size_t bytes_ = 0;
  };

  // First fit, aligned to 256 bytes. Errors: kResourceExhausted, with what was asked for, what is free and
  // the largest free piece. Threads: any number.
  Result<Block> allocate(size_t bytes);
  size_t free_bytes() const;
  size_t bytes() const { return memory_.bytes(); }

 private:
  void release(char* p, size_t bytes);

  DeviceMemory memory_;
  mutable std::mutex mutex_;
  std::map<size_t, size_t> free_;  // offset to size; neighbours are merged
};

}  // namespace cuzk::gpu
