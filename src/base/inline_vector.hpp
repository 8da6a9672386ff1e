// A vector of at most N elements, which lie in the object itself: no heap.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

#include "base/check.hpp"

namespace cuzk {

// More elements than N are a broken invariant. Only as many are copied as there are.
template <class T, size_t N>
class InlineVector {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  InlineVector() noexcept {}
  explicit InlineVector(size_t count) { resize(count); }
  explicit InlineVector(std::span<const T> values) { append(values); }
  InlineVector(const InlineVector& o) noexcept : size_(o.size_) {
    std::uninitialized_copy_n(o.items_, size_, items_);
  }
  InlineVector& operator=(const InlineVector& o) noexcept {
    if (this == &o) return *this;
    size_ = o.size_;
    std::uninitialized_copy_n(o.items_, size_, items_);
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return items_; }
  const T* data() const { return items_; }
  T* begin() { return items_; }
  const T* begin() const { return items_; }
  T* end() { return items_ + size_; }
  const T* end() const { return items_ + size_; }
  T& operator[](size_t i) { return items_[i]; }
  const T& operator[](size_t i) const { return items_[i]; }
  T& back() { return items_[size_ - 1]; }

  void push_back(const T& value) {
    CUZK_CHECK(size_ < N);
    std::construct_at(items_ + size_, value);
    ++size_;
  }
  // `values` lie elsewhere.
  void append(std::span<const T> values) {
    CUZK_CHECK(values.size() <= N - size_);
    std::uninitialized_copy_n(values.data(), values.size(), items_ + size_);
    size_ += values.size();
  }
  // New elements have their type's initial value.
  void resize(size_t size) {
    CUZK_CHECK(size <= N);
    if (size > size_) std::uninitialized_value_construct_n(items_ + size_, size - size_);
    size_ = size;
  }

 private:
  size_t size_ = 0;
  union {
    T items_[N];
  };
};

}  // namespace cuzk
