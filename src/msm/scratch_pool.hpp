// Scratch objects handed to tasks: as many as run at once are made, then used again.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

namespace cuzk::detail {

template <class T>
class ScratchPool {
 public:
  class Lease {
   public:
    // arguments: of T's constructor, if one has to be made.
    template <class... Arguments>
    explicit Lease(ScratchPool& pool, const Arguments&... arguments)
        : pool_(pool), object_(pool.take(arguments...)) {}
    ~Lease() { pool_.give_back(std::move(object_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    T& operator*() { return *object_; }
    T* operator->() { return object_.get(); }

   private:
    ScratchPool& pool_;
    std::unique_ptr<T> object_;
  };

 private:
  template <class... Arguments>
  std::unique_ptr<T> take(const Arguments&... arguments) {
    {
      std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        auto object = std::move(free_.back());
        free_.pop_back();
        return object;
      }
    }
    return std::make_unique<T>(arguments...);
  }
  void give_back(std::unique_ptr<T> object) {
    std::lock_guard lock(mutex_);
    free_.push_back(std::move(object));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<T>> free_;
};

}  // namespace cuzk::detail
