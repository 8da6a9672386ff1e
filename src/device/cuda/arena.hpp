// Arena: carves one device allocation into arrays. The same carving code runs twice, first without memory to
// learn the size (plan), then with it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk::gpu {

class Arena {
 public:
  // base: null to count only.
  explicit Arena(void* base = nullptr) : base_(static_cast<char*>(base)) {}

  template <class T>
  T* take(size_t count) {
    return static_cast<T*>(take_bytes(count * sizeof(T)));
  }
  void* take_bytes(size_t bytes) {
    char* p = base_ == nullptr ? nullptr : base_ + used_;
    used_ += (bytes + kAlignment - 1) / kAlignment * kAlignment;
    if (used_ > most_) most_ = used_;
    return p;
  }
  size_t used() const { return used_; }
  // The most that was in use at any time.
  size_t bytes() const { return most_; }
  // Gives back everything taken since used() was `mark`.
  void rewind(size_t mark) { used_ = mark; }

 private:
  static constexpr size_t kAlignment = 256;
  char* base_;
  size_t used_ = 0, most_ = 0;
};

}  // namespace cuzk::gpu
