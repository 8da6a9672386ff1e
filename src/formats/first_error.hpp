// What the tasks of a parallel loop found wrong.
#pragma once

#include <mutex>
#include <utility>

#include "base/result.hpp"

namespace cuzk {

// Keeps the error of the lowest position. Threads: any number.
class FirstError {
 public:
  void add(size_t position, Error error) {
    std::lock_guard lock(mutex_);
    if (found_ && position_ <= position) return;
    found_ = true;
    position_ = position;
    error_ = std::move(error);
  }
  // True when an error at a lower position is known, so that work at this one is for nothing.
  bool before(size_t position) const {
    std::lock_guard lock(mutex_);
    return found_ && position_ < position;
  }
  Status status() const {
    std::lock_guard lock(mutex_);
    if (!found_) return {};
    return tl::unexpected<Error>(error_);
  }

 private:
  mutable std::mutex mutex_;
  bool found_ = false;
  size_t position_ = 0;
  Error error_{};
};

}  // namespace cuzk
