// What one call to a CudaDevice works with: streams, and pinned memory through which everything pageable
// passes.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/executor.hpp"
#include "device/cuda/runtime.hpp"
#include "msm/point_source.hpp"

namespace cuzk::gpu {

// Points [begin, begin + out.size()) of a source, decoded by the executor's threads.
template <class G>
Status load_points(const PointSource<G>& source, size_t begin, std::span<typename G::Point> out,
                   Executor& executor) {
  constexpr size_t kGrain = 512;
  const size_t parts = (out.size() + kGrain - 1) / kGrain;
  std::vector<Status> status(parts);
  executor.run(parts, [&](size_t part) {
    const size_t first = part * kGrain, size = std::min(kGrain, out.size() - first);
    status[part] = source.load(begin + first, out.subspan(first, size));
  });
  for (Status& s : status) CUZK_TRY(std::move(s));
  return {};
}

class Lane {
 public:
  static constexpr size_t kStagingBytes = size_t{32} << 20;
  static constexpr size_t kSmallBytes = size_t{256} << 10;  // for results; apart from the staging area

  static Result<std::unique_ptr<Lane>> create();

  Stream& stream() { return stream_; }
  Stream& copies() { return copies_; }  // for copies beside the work of stream()
  void* small() { return pinned_.get() + kStagingBytes; }

  // Copies from pageable memory: back when the source may change.
  Status upload(void* device, const void* host, size_t bytes);
  Status download(void* host, const void* device, size_t bytes);
  template <class T>
  Status upload(void* device, std::span<const T> values) {
    return upload(device, values.data(), values.size_bytes());
  }

  // The first `count` points of a source, decoded while earlier ones are on their way.
  template <class G>
  Status upload_points(void* device, const PointSource<G>& source, size_t count, Executor& executor) {
    using Point = typename G::Point;
    constexpr size_t kHalf = kStagingBytes / 2 / sizeof(Point);
    size_t half = 0;
    for (size_t begin = 0; begin < count; begin += kHalf, half ^= 1) {
      const size_t now = std::min(kHalf, count - begin);
      auto* points = reinterpret_cast<Point*>(pinned_.get() + half * (kStagingBytes / 2));
      CUZK_TRY(load_points(source, begin, std::span(points, now), executor));
      if (begin != 0) CUZK_TRY(stream_.wait());  // the other half has left
      CUZK_TRY(
          stream_.to_device(static_cast<char*>(device) + begin * sizeof(Point), points, now * sizeof(Point)));
    }
    return stream_.wait();
  }

 private:
  Stream stream_, copies_;
  PinnedMemory pinned_;
};

// A fixed number of lanes; who finds none idle waits for one. Threads: any number.
class LanePool {
 public:
  class Lease {
   public:
    Lease(LanePool& pool, std::unique_ptr<Lane> lane) : pool_(&pool), lane_(std::move(lane)) {}
    Lease(Lease&&) noexcept = default;
    Lease& operator=(Lease&&) noexcept = default;
    ~Lease() {
      if (lane_) pool_->give_back(std::move(lane_));
    }
    Lane* operator->() const { return lane_.get(); }
    Lane& operator*() const { return *lane_; }

   private:
    LanePool* pool_;
    std::unique_ptr<Lane> lane_;
  };

  // Adds lanes, before any is taken.
  Status add(size_t count) {
    for (size_t i = 0; i < count; ++i) {
      CUZK_ASSIGN(auto lane, Lane::create());
      idle_.push_back(std::move(lane));
    }
    return {};
  }

  Lease take() {
    std::unique_lock lock(mutex_);
    given_back_.wait(lock, [&] { return !idle_.empty(); });
    auto lane = std::move(idle_.back());
    idle_.pop_back();
    return Lease(*this, std::move(lane));
  }

 private:
  // What a failed call left on the streams has to end before its memory is used again. A stream that cannot
  // be waited for is a lost card's: no later call gets as far as a lane.
  void give_back(std::unique_ptr<Lane> lane) {
    (void)lane->stream().wait();
    (void)lane->copies().wait();
    {
      std::lock_guard lock(mutex_);
      idle_.push_back(std::move(lane));
    }
    given_back_.notify_one();
  }

  std::mutex mutex_;
  std::condition_variable given_back_;
  std::vector<std::unique_ptr<Lane>> idle_;
};

}  // namespace cuzk::gpu
