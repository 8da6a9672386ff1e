// Large arrays that are read at random: in huge pages where the system has them, because half the cost of
// such a read is finding the page.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

namespace cuzk::detail {

// `size` uninitialised elements of a type without constructor or destructor to speak of.
template <class T>
class HugeArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HugeArray() = default;
  explicit HugeArray(size_t size) : size_(size) {
    constexpr size_t kHugePage = size_t{2} << 20;
    size_t bytes = size * sizeof(T), alignment = bytes < kHugePage ? 64 : kHugePage;
    bytes = (bytes + alignment - 1) / alignment * alignment;
    data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes == 0 ? alignment : bytes)));
    if (data_ == nullptr) throw std::bad_alloc();
    if (alignment == kHugePage)
      madvise(data_.get(), bytes, MADV_HUGEPAGE);  // advice: failure changes nothing
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
