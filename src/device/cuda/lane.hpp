// What one call to a CudaDevice works with: a stream, and pinned memory through which everything pageable
// passes.
#pragma once

#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "base/executor.hpp"
#include "device/cuda/runtime.hpp"
#include "msm/point_source.hpp"

namespace cuzk::gpu {

class Lane {
 public:
  static constexpr size_t kStagingBytes = size_t{32} << 20;
  static constexpr size_t kSmallBytes = size_t{256} << 10;  // for results; apart from the staging area

  static Result<std::unique_ptr<Lane>> create();

  Stream& stream() { return stream_; }
  void* small() { return pinned_.get() + kStagingBytes; }

  // Copies from pageable memory: back when the source may change.
  Status upload(void* device, const void* host, size_t bytes);
  Status download(void* host, const void* device, size_t bytes);
  template <class T>
  Status upload(void* device, std::span<const T> values) {
    return upload(device, values.data(), values.size_bytes());
  }

  // All points of a source, decoded by the executor's threads while earlier ones are on their way.
  template <class G>
  Status upload_points(void* device, const PointSource<G>& source, Executor& executor) {
    using Point = typename G::Point;
    constexpr size_t kHalf = kStagingBytes / 2 / sizeof(Point), kGrain = 512;
    size_t half = 0;
    for (size_t begin = 0; begin < source.size(); begin += kHalf, half ^= 1) {
      const size_t count = std::min(kHalf, source.size() - begin);
      auto* points = reinterpret_cast<Point*>(pinned_.get() + half * (kStagingBytes / 2));
      if (begin != 0) CUZK_TRY(stream_.wait());
      const size_t parts = (count + kGrain - 1) / kGrain;
      std::vector<Status> status(parts);
      executor.run(parts, [&](size_t part) {
        const size_t first = part * kGrain, size = std::min(kGrain, count - first);
        status[part] = source.load(begin + first, std::span(points + first, size));
      });
      for (Status& s : status) CUZK_TRY(std::move(s));
      CUZK_TRY(stream_.to_device(static_cast<char*>(device) + begin * sizeof(Point), points,
                                 count * sizeof(Point)));
    }
    return stream_.wait();
  }

 private:
  Stream stream_;
  PinnedMemory pinned_;
};

// Lanes that are not in use; makes another when there is none. Threads: any number.
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

  Result<Lease> take() {
    {
      std::lock_guard lock(mutex_);
      if (!idle_.empty()) {
        auto lane = std::move(idle_.back());
        idle_.pop_back();
        return Lease(*this, std::move(lane));
      }
    }
    CUZK_ASSIGN(auto lane, Lane::create());
    return Lease(*this, std::move(lane));
  }

 private:
  // What a failed call left on the stream has to end before its memory is used again.
  void give_back(std::unique_ptr<Lane> lane) {
    if (!lane->stream().wait()) return;
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(lane));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Lane>> idle_;
};

}  // namespace cuzk::gpu
