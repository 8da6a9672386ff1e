#include "timeline/recorder.hpp"

#include <chrono>

namespace cuzk::timeline {

namespace {
constexpr auto kDrainPeriod = std::chrono::milliseconds(50);
}

NowNs monotonic_clock() {
  auto anchor = std::chrono::steady_clock::now();
  return [anchor] {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now() - anchor)
        .count();
  };
}

void Recorder::Lane::record(EventKind kind, const Fields& fields) {
  if (recorder_ == nullptr) return;
  uint64_t slot = written_.load(std::memory_order_relaxed);
  if (slot - read_.load(std::memory_order_acquire) >= kCapacity) {
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  Record& record = records_[slot % kCapacity];
  record.time_ns = fields.time_ns >= 0 ? fields.time_ns : recorder_->now_();
  record.duration_ns = fields.duration_ns;
  record.partition = fields.partition;
  record.device = fields.device;
  record.kind = kind;
  record.job = fields.job;
  record.detail = fields.detail;
  written_.store(slot + 1, std::memory_order_release);
}

Recorder::Recorder(std::unique_ptr<Sink> sink, NowNs now, bool threaded)
    : sink_(std::move(sink)), now_(std::move(now)) {
  if (threaded && is_on()) thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

Recorder::~Recorder() {
  if (thread_.joinable()) {
    thread_.request_stop();
    wake_.notify_all();
    thread_.join();
  }
  drain();
}

Recorder::Lane& Recorder::lane(std::string worker) {
  std::lock_guard lock(lanes_mutex_);
  lanes_.push_back(std::unique_ptr<Lane>(new Lane(is_on() ? this : nullptr, std::move(worker))));
  return *lanes_.back();
}

void Recorder::run(std::stop_token stop) {
  std::unique_lock lock(wake_mutex_);
  while (!stop.stop_requested()) {
    wake_.wait_for(lock, stop, kDrainPeriod, [] { return false; });
    drain();
  }
}

void Recorder::drain() {
  if (!is_on()) return;
  std::lock_guard drain_lock(drain_mutex_);
  std::vector<Lane*> lanes;
  {
    std::lock_guard lock(lanes_mutex_);
    for (auto& lane : lanes_) lanes.push_back(lane.get());
  }
  for (Lane* lane : lanes) drain_lane(*lane);
  sink_->flush();
}

void Recorder::drain_lane(Lane& lane) {
  uint64_t begin = lane.read_.load(std::memory_order_relaxed),
           end = lane.written_.load(std::memory_order_acquire);
  for (uint64_t i = begin; i < end; ++i) {
    const Lane::Record& record = lane.records_[i % Lane::kCapacity];
    sink_->write(Event{record.time_ns, record.duration_ns, record.kind, std::string(record.job.view()),
                       lane.worker_, record.partition, record.device, std::string(record.detail.view())});
  }
  lane.read_.store(end, std::memory_order_release);
  uint64_t dropped = lane.dropped_.exchange(0, std::memory_order_relaxed);
  if (dropped > 0)
    sink_->write(
        Event{now_(), -1, EventKind::kDropped, "", lane.worker_, -1, -1, "count=" + std::to_string(dropped)});
}

}  // namespace cuzk::timeline
