// Executor: where an algorithm gets its threads from. Algorithms own none.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace cuzk {

class Executor {
 public:
  virtual ~Executor() = default;

  // How many tasks run at the same time at the most; at least 1.
  virtual size_t concurrency() const = 0;

  // Runs task(0) … task(count - 1), each once, on up to concurrency() threads including the caller's, and
  // returns when all are done. Tasks are handed out in ascending order. A task may call run() again (it then
  // runs inline). What a task throws (bad_alloc), run() throws when the tasks under way are done.
  virtual void run(size_t count, const std::function<void(size_t)>& task) = 0;
};

// Runs everything on the caller's thread.
class InlineExecutor final : public Executor {
 public:
  size_t concurrency() const override { return 1; }
  void run(size_t count, const std::function<void(size_t)>& task) override {
    for (size_t i = 0; i < count; ++i) task(i);
  }
};

// A fixed set of threads, awake for a moment after a batch. run() may be called by several, served in turn.
class ThreadPool final : public Executor {
 public:
  // threads: including the caller of run(); 0 means as many as the process may use (its CPU affinity).
  explicit ThreadPool(size_t threads = 0);
  ~ThreadPool() override;
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  size_t concurrency() const override { return workers_.size() + 1; }
  void run(size_t count, const std::function<void(size_t)>& task) override;

 private:
  struct Batch;
  void work(std::stop_token stop);
  static void drain(Batch& batch);

  std::mutex run_mutex_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::shared_ptr<Batch> batch_;
  std::atomic<uint64_t> batches_{0};  // how many there were, for threads that do not sleep yet
  std::vector<std::jthread> workers_;
};

// CPUs this process may run on, at least 1.
size_t usable_cpus();

// Splits [0, size) into `parts` nearly equal ranges; returns [begin, end) of range `part`.
struct Range {
  size_t begin, end;
  size_t size() const { return end - begin; }
};
inline Range split_range(size_t size, size_t parts, size_t part) {
  size_t base = size / parts, extra = size % parts;
  size_t begin = part * base + (part < extra ? part : extra);
  return {begin, begin + base + (part < extra ? 1 : 0)};
}

// Calls body(begin, end) for ranges that cover [0, size), none shorter than `grain` unless it is the only
// one; several ranges a thread, so that uneven work spreads.
template <class Body>
void parallel_ranges(Executor& executor, size_t size, size_t grain, Body&& body) {
  if (size == 0) return;
  size_t parts = size / (grain == 0 ? 1 : grain);
  size_t most = executor.concurrency() == 1 ? 1 : 4 * executor.concurrency();
  if (parts > most) parts = most;
  if (parts <= 1) {
    body(size_t{0}, size);
    return;
  }
  executor.run(parts, [&](size_t part) {
    Range range = split_range(size, parts, part);
    body(range.begin, range.end);
  });
}

}  // namespace cuzk
