// Interference control: synthesis yields while a tail that is bound by memory bandwidth runs on the CPU.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace cuzk::engine {

// Reference-counted: synthesis may run while no tail holds it. Off: pause() never waits.
class SynthesisThrottle {
 public:
  explicit SynthesisThrottle(bool enabled) : enabled_(enabled) {}

  class Hold {
   public:
    explicit Hold(SynthesisThrottle& throttle) : throttle_(throttle) { throttle_.add(1); }
    ~Hold() { throttle_.add(-1); }
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    SynthesisThrottle& throttle_;
  };

  // Waits while somebody holds the throttle, at most `longest`: a tail that hangs must not stop synthesis for
  // ever. Returns the time waited.
  std::chrono::nanoseconds pause(std::chrono::milliseconds longest = std::chrono::milliseconds(2000)) {
    if (!wanted()) return {};
    auto begin = std::chrono::steady_clock::now();
    std::unique_lock lock(mutex_);
    released_.wait_for(lock, longest, [&] { return holders_.load(std::memory_order_acquire) == 0; });
    return std::chrono::steady_clock::now() - begin;
  }
  bool wanted() const { return enabled_ && holders() != 0; }
  int holders() const { return holders_.load(std::memory_order_acquire); }

 private:
  void add(int change) {
    std::lock_guard lock(mutex_);
    if (holders_.fetch_add(change, std::memory_order_acq_rel) + change == 0) released_.notify_all();
  }

  const bool enabled_;
  std::atomic<int> holders_{0};
  std::mutex mutex_;
  std::condition_variable released_;
};

}  // namespace cuzk::engine
