// Large arrays that are read at random: in huge pages where the system has them, because half the cost of
// such a read is finding the page.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include "base/huge_pages.hpp"

namespace cuzk::detail {

// `size` uninitialised elements of a type without constructor or destructor to speak of.
template <class T>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HugeArray() = default;
  explicit HugeArray(size_t size) : size_(size) {
    size_t bytes = size * sizeof(T), alignment = bytes < kHugePageBytes ? 64 : kHugePageBytes;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes == 0 ? alignment : bytes)));
    if (data_ == nullptr) throw std::bad_alloc();
    if (alignment == kHugePageBytes) advise_huge_pages(data_.get(), bytes);
  }

  T* data() { return data_.get(); }
  const T* data() const { return data_.get(); }
  size_t size() const { return size_; }
  T& operator[](size_t i) { return data_.get()[i]; }
  const T& operator[](size_t i) const { return data_.get()[i]; }

 private:
  struct Free {
    void operator()(T* p) const { std::free(p); }
  };
  std::unique_ptr<T, Free> data_;
  size_t size_ = 0;
};

}  // namespace cuzk::detail
