// Recording a timeline: workers write fixed-size records into rings of their own, one thread writes them out.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "timeline/event.hpp"

namespace cuzk::timeline {

// Nanoseconds since the timeline's anchor. Real runs use a monotonic clock, simulated ones their own.
using NowNs = std::function<int64_t()>;
NowNs monotonic_clock();

// Where finished events go, in the order in which they are drained: nearly, not strictly, ascending in time.
class Sink {
 public:
  virtual ~Sink() = default;
  virtual void write(const Event& event) = 0;
  // Called after each batch; makes what was written durable enough to be read by others.
  virtual void flush() {}
};

// A plain text that fits its place; longer text is cut, ending in "~".
template <size_t N>
class FixedText {
 public:
  FixedText& operator=(std::string_view text) {
    size_ = static_cast<uint16_t>(text.size() < N ? text.size() : N);
    for (size_t i = 0; i < size_; ++i) text_[i] = text[i];
    if (text.size() > N) text_[N - 1] = '~';
    return *this;
  }
  std::string_view view() const { return {text_.data(), size_}; }

 private:
  std::array<char, N> text_;
  uint16_t size_ = 0;
};

// What a worker adds to an event beside its kind.
struct Fields {
  std::string_view job = {};
  int32_t partition = -1;
  int32_t device = -1;
  int64_t duration_ns = -1;
  std::string_view detail = {};
  int64_t time_ns = -1;  // -1: now
};

class Recorder {
 public:
  // Longer details are cut.
  static constexpr size_t kDetailBytes = 168;

  // One producer's ring. record() costs a clock reading and a copy of 256 bytes, never blocks and never
  // allocates; when the ring is full the event is counted as dropped, and the count appears in the timeline.
  class Lane {
   public:
    void record(EventKind kind, const Fields& fields = {});

   private:
    friend class Recorder;
    struct Record {
      int64_t time_ns, duration_ns;
      int32_t partition, device;
      EventKind kind;
      FixedText<40> job;
      FixedText<kDetailBytes> detail;
    };
    static constexpr size_t kCapacity = 1024;

    Lane(Recorder* recorder, std::string worker)
        : recorder_(recorder), worker_(std::move(worker)), records_(recorder != nullptr ? kCapacity : 0) {}

    Recorder* recorder_;  // nullptr: recording is off
    std::string worker_;
    std::vector<Record> records_;
    alignas(64) std::atomic<uint64_t> written_{0};
    alignas(64) std::atomic<uint64_t> read_{0};
    std::atomic<uint64_t> dropped_{0};
  };

  // sink == nullptr: recording is off; lanes exist and do nothing. With `threaded`, a thread drains the rings
  // several times a second; without (simulations), drain() must be called.
  Recorder(std::unique_ptr<Sink> sink, NowNs now, bool threaded);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  // A ring for one producer thread, named as the worker column will show it. Lives as long as the recorder.
  Lane& lane(std::string worker);

  // Moves what the rings hold to the sink.
  void drain();
  int64_t now_ns() const { return now_(); }
  bool is_on() const { return sink_ != nullptr; }

 private:
  void run(std::stop_token stop);
  void drain_lane(Lane& lane);

  std::unique_ptr<Sink> sink_;
  NowNs now_;
  std::mutex lanes_mutex_, drain_mutex_, wake_mutex_;
  std::vector<std::unique_ptr<Lane>> lanes_;
  std::condition_variable_any wake_;
  std::jthread thread_;
};

}  // namespace cuzk::timeline
