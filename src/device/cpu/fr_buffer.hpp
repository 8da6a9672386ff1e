// Field elements that are written before they are read: unlike a vector, not zeroed first. Internal to
// device/cpu.
#pragma once

#include <span>

#include "base/buffer_pool.hpp"
#include "field/fr.hpp"

namespace cuzk::detail {

class FrBuffer {
 public:
  FrBuffer() = default;
  // Throws std::bad_alloc. The pool outlives the buffer.
  FrBuffer(size_t size, BufferPool& pool) : memory_(pool.take(size * sizeof(Fr))), size_(size) {}

  std::span<Fr> span() const { return {static_cast<Fr*>(memory_.data()), size_}; }
  void release() {
    memory_ = {};
    size_ = 0;
  }

 private:
  BufferPool::Buffer memory_;
  size_t size_ = 0;
};

}  // namespace cuzk::detail
