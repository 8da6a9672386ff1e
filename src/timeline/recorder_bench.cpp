// What recording costs a worker: one event into its ring. docs/performance/timeline.md has the numbers.
#include <benchmark/benchmark.h>

#include "timeline/csv.hpp"
#include "timeline/recorder.hpp"

namespace cuzk::timeline {
namespace {

class NullSink final : public Sink {
 public:
  void write(const Event& event) override { benchmark::DoNotOptimize(&event); }
};

Fields typical() {
  return {.job = "job-1234", .partition = 7, .device = 0, .duration_ns = 123456789, .detail = "op=msm"};
}

// The ring is emptied before it is full, outside the time.
void record_event(benchmark::State& state) {
  const bool on = state.range(0) != 0;
  Recorder recorder(on ? std::make_unique<NullSink>() : nullptr, monotonic_clock(), /*threaded=*/false);
  auto& lane = recorder.lane("gpu0.1");
  size_t events = 0;
  for (auto _ : state) {
    lane.record(EventKind::kDeviceBusy, typical());
    if (++events % 1000 == 0) {
      state.PauseTiming();
      recorder.drain();
      state.ResumeTiming();
    }
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(record_event)->ArgName("on")->Arg(0)->Arg(1);

// The writer's thread: one event from the ring to the text of a line.
void format_line(benchmark::State& state) {
  const Event event{123456789000, 123456789, EventKind::kDeviceBusy, "job-1234", "gpu0.1", 7, 0, "op=msm"};
  for (auto _ : state) benchmark::DoNotOptimize(format_event(event));
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(format_line);

}  // namespace
}  // namespace cuzk::timeline
