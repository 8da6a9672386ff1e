// Interference control: large buffers are given back by one thread, one after the other, so that unmapping
// gigabytes does not stop every core at once (TLB shootdowns).
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace cuzk::engine {

class Releaser {
 public:
  Releaser() : thread_([this](std::stop_token stop) { run(stop); }) {}
  // Runs what is still queued.
  ~Releaser() {
    thread_.request_stop();
    wake_.notify_all();
    thread_.join();
  }
  Releaser(const Releaser&) = delete;
  Releaser& operator=(const Releaser&) = delete;

  // release: frees the memory and tells the budget.
  void defer(std::function<void()> release) {
    std::lock_guard lock(mutex_);
    queue_.push_back(std::move(release));
    wake_.notify_one();
  }

 private:
  void run(std::stop_token stop) {
    std::unique_lock lock(mutex_);
    for (;;) {
      wake_.wait(lock, stop, [&] { return !queue_.empty(); });
      if (queue_.empty()) return;
      auto release = std::move(queue_.front());
      queue_.pop_front();
      lock.unlock();
      release();
      release = nullptr;
      lock.lock();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::deque<std::function<void()>> queue_;
  std::jthread thread_;
};

}  // namespace cuzk::engine
