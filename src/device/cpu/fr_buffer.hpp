// Field elements that are written before they are read: unlike a vector, not zeroed first. Internal to
// device/cpu.
#pragma once

#include <memory>
#include <span>

#include "field/fr.hpp"

namespace cuzk::detail {

class FrBuffer {
 public:
  FrBuffer() = default;
  // Throws std::bad_alloc.
  explicit FrBuffer(size_t size) : data_(new Fr[size]), size_(size) {}

  std::span<Fr> span() const { return {data_.get(), size_}; }
  void release() {
    data_.reset();
    size_ = 0;
  }

 private:
  std::unique_ptr<Fr[]> data_;
  size_t size_ = 0;
};

}  // namespace cuzk::detail
