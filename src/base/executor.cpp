#include "base/executor.hpp"

#include <sched.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <exception>

#include "base/cpu_time.hpp"

namespace cuzk {

namespace {
// True on a thread that is inside a task of some pool: a nested run() goes inline instead of waiting for
// itself.
thread_local bool inside_task = false;
// What threads of pools used for this thread.
thread_local int64_t helpers_ns = 0;

int64_t own_cpu_ns() {
  timespec t{};
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) return 0;
  return int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
}

// How long a thread waits awake for the next batch, or for the rest of one. A virtual processor whose threads
// all sleep is given away; until it is back took 50 µs as a rule and 1 to 3 ms in one case of ten (measured
// on two shared ones), and steps of an algorithm follow each other by less.
constexpr std::chrono::microseconds kAwake{200};

// Waits for `ready` without sleeping, but not for long. Others that want the processor get it.
template <class Ready>
void await_shortly(Ready&& ready) {
  const auto end = std::chrono::steady_clock::now() + kAwake;
  while (!ready() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
}
}  // namespace

int64_t thread_cpu_ns() {
  return own_cpu_ns() + helpers_ns;
}

struct ThreadPool::Batch {
  const std::function<void(size_t)>* task;
  size_t count;
  std::thread::id caller = std::this_thread::get_id();
  std::atomic<size_t> next{0};
  std::atomic<size_t> done{0};
  std::atomic<int64_t> helpers_ns{0};
  std::mutex mutex;
  std::condition_variable finished;
  std::atomic<bool> failed{false};
  std::exception_ptr error;  // of the first task that threw; guarded by `mutex`
};

size_t usable_cpus() {
  cpu_set_t set;
  CPU_ZERO(&set);
  if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
    return static_cast<size_t>(CPU_COUNT(&set));
  unsigned n = std::thread::hardware_concurrency();
  return n == 0 ? 1 : n;
}

ThreadPool::ThreadPool(size_t threads) {
  if (threads == 0) threads = usable_cpus();
  for (size_t i = 1; i < threads; ++i) workers_.emplace_back([this](std::stop_token stop) { work(stop); });
}

ThreadPool::~ThreadPool() {
  for (auto& worker : workers_) worker.request_stop();
  wake_.notify_all();
}

void ThreadPool::drain(Batch& batch) {
  inside_task = true;
  const int64_t begin = own_cpu_ns();
  size_t mine = 0;
  for (size_t i; (i = batch.next.fetch_add(1, std::memory_order_relaxed)) < batch.count; ++mine) {
    if (batch.failed.load(std::memory_order_relaxed)) continue;
    try {
      (*batch.task)(i);
    } catch (...) {
      std::lock_guard lock(batch.mutex);
      if (!batch.error) batch.error = std::current_exception();
      batch.failed.store(true, std::memory_order_relaxed);
    }
  }
  inside_task = false;
  // The caller's own time is its own already. Before `done`, so that run() reads all of it.
  if (mine > 0 && batch.caller != std::this_thread::get_id())
    batch.helpers_ns.fetch_add(own_cpu_ns() - begin, std::memory_order_relaxed);
  if (mine > 0 && batch.done.fetch_add(mine, std::memory_order_acq_rel) + mine == batch.count) {
    std::lock_guard lock(batch.mutex);
    batch.finished.notify_all();
  }
}

void ThreadPool::work(std::stop_token stop) {
  std::shared_ptr<Batch> last;
  uint64_t seen = 0;
  while (!stop.stop_requested()) {
    await_shortly([&] { return batches_.load(std::memory_order_relaxed) != seen || stop.stop_requested(); });
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, stop, [&] { return batch_ != nullptr && batch_ != last; });
      if (stop.stop_requested()) return;
      last = batch_;
      seen = batches_.load(std::memory_order_relaxed);
    }
    drain(*last);
  }
}

void ThreadPool::run(size_t count, const std::function<void(size_t)>& task) {
  if (count == 0) return;
  if (inside_task || workers_.empty() || count == 1) {
    for (size_t i = 0; i < count; ++i) task(i);
    return;
  }
  std::lock_guard serial(run_mutex_);
  auto batch = std::make_shared<Batch>();
  batch->task = &task;
  batch->count = count;
  {
    std::lock_guard lock(mutex_);
    batch_ = batch;
    batches_.fetch_add(1, std::memory_order_relaxed);
  }
  wake_.notify_all();
  drain(*batch);
  const auto all_done = [&] { return batch->done.load(std::memory_order_acquire) == batch->count; };
  await_shortly(all_done);
  std::unique_lock lock(batch->mutex);
  batch->finished.wait(lock, all_done);
  {
    std::lock_guard clear(mutex_);
    batch_ = nullptr;
  }
  helpers_ns += batch->helpers_ns.load(std::memory_order_relaxed);
  if (batch->error) std::rethrow_exception(batch->error);
}

}  // namespace cuzk
