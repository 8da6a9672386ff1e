// Whole runs through the engine on the CPU device, all proofs checked: what recording costs, and for how long
// the device is idle between two proofs, by what it waits for. docs/performance/timeline.md has the numbers.
#include <benchmark/benchmark.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "device/cpu/cpu_device.hpp"
#include "engine/engine.hpp"
#include "engine/synthetic.hpp"
#include "timeline/csv.hpp"
#include "timeline/kept_events.hpp"

namespace cuzk::engine {
namespace {

using timeline::Event;
using timeline::EventKind;

struct Rig {
  Rig(size_t log2_size, std::unique_ptr<timeline::Sink> sink)
      : recorder(std::move(sink), timeline::monotonic_clock(), /*threaded=*/true),
        circuit(std::make_shared<SyntheticCircuit>(SyntheticSpec{log2_size, 0.99}, &pool)) {
    EngineConfig config;
    config.scheduler.synthesis_workers = usable_cpus();
    config.scheduler.memory_bytes = automatic_budget_bytes();
    engine.emplace(config, std::vector<Device*>{&device}, std::vector<std::shared_ptr<Circuit>>{circuit},
                   recorder, random);
  }
  // Jobs of four partitions, all at once. False if one failed.
  bool prove(size_t jobs) {
    std::vector<JobId> ids;
    for (size_t i = 0; i < jobs; ++i)
      if (auto submitted =
              engine->submit(circuit->name(), std::make_shared<SyntheticInput>(seed += 4, 4), {}))
        ids.push_back(submitted->job);
    size_t done = 0;
    for (JobId id : ids) done += engine->wait(id)->state == JobState::kDone;
    return done == jobs;
  }

  ThreadPool pool;
  CpuDevice device{pool, CpuDevice::Residency::kDecoded};
  SystemRandom random;
  timeline::Recorder recorder;
  std::shared_ptr<SyntheticCircuit> circuit;
  uint64_t seed = 1;
  std::optional<Engine> engine;
};

double cpu_seconds() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

// One job with recording off, one with it on (to a file), again and again, the order changing: what the
// second takes more than the first, in percent, and half the width of the 95 % interval of that.
void recording(benchmark::State& state) {
  const std::string file = std::filesystem::temp_directory_path() / "cuzk-engine-bench.csv";
  Rig off(12, nullptr), on(12, timeline::open_csv(file, timeline::make_header("", "")).value());
  if (!off.prove(1) || !on.prove(1)) state.SkipWithError("a proof failed");
  struct Cost {
    double wall, cpu;
  };
  auto measure = [&](Rig& rig) {
    const double cpu = cpu_seconds();
    const auto begin = std::chrono::steady_clock::now();
    if (!rig.prove(1)) state.SkipWithError("a proof failed");
    return Cost{std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(),
                cpu_seconds() - cpu};
  };
  std::vector<double> wall, cpu;
  for (auto _ : state) {
    const bool first_off = wall.size() % 2 == 0;
    Cost first = measure(first_off ? off : on), second = measure(first_off ? on : off);
    if (!first_off) std::swap(first, second);
    wall.push_back(100 * std::log(second.wall / first.wall));
    cpu.push_back(100 * std::log(second.cpu / first.cpu));
  }
  std::filesystem::remove(file);
  auto report = [&](const std::string& name, const std::vector<double>& values) {
    double sum = 0, squares = 0, n = static_cast<double>(values.size());
    for (double v : values) sum += v;
    for (double v : values) squares += (v - sum / n) * (v - sum / n);
    state.counters[name + "_percent"] = sum / n;
    state.counters[name + "_plus_minus"] = 1.96 * std::sqrt(squares / (n - 1) / n);
  };
  report("wall", wall);
  report("cpu", cpu);
}
BENCHMARK(recording)->Unit(benchmark::kMillisecond)->Iterations(400)->UseRealTime();

// When a partition reached each step on its way to the device; nothing of the past.
struct Region {
  TimeNs queued = 0, picked_up = 0, asked = 0, taken = 0, released = 0;
};

// Of the partitions queued from `begin` on.
std::vector<Region> regions_of(const std::vector<Event>& events, TimeNs begin) {
  std::map<std::pair<std::string, int32_t>, Region> by_partition;
  for (const Event& e : events) {
    if (e.partition < 0) continue;
    Region& r = by_partition[{e.job, e.partition}];
    if (e.kind == EventKind::kDeviceQueue) r.queued = e.time_ns;
    if (e.kind == EventKind::kDevicePickup) r.picked_up = e.time_ns;
    if (e.kind == EventKind::kDeviceStart) r.asked = e.time_ns;
    if (e.kind == EventKind::kLockTaken) r.taken = e.time_ns;
    if (e.kind == EventKind::kLockReleased) r.released = e.time_ns;
  }
  std::vector<Region> out;
  for (const auto& [id, r] : by_partition)
    if (r.queued >= begin && r.released > 0) out.push_back(r);
  std::sort(out.begin(), out.end(), [](const Region& a, const Region& b) { return a.taken < b.taken; });
  return out;
}

// Device idle, in percent of the time from the first device region to the last, by what the next partition
// was doing: being synthesised, in the queue, prepared; or ready, and its worker on its way to the device.
void handover(benchmark::State& state) {
  std::vector<Event> events;
  double span = 0, synthesis = 0, queue = 0, prepare = 0, worker = 0;
  size_t gaps = 0;
  TimeNs begin = 0;
  {
    Rig rig(static_cast<size_t>(state.range(0)), std::make_unique<timeline::KeptEvents>(events));
    if (!rig.prove(1)) state.SkipWithError("a proof failed");
    begin = rig.recorder.now_ns();
    for (auto _ : state)
      if (!rig.prove(static_cast<size_t>(state.range(1)))) state.SkipWithError("a proof failed");
  }
  const auto regions = regions_of(events, begin);
  for (size_t i = 1; i < regions.size(); ++i) {
    const Region& next = regions[i];
    TimeNs since = regions[i - 1].released;
    auto until = [&](TimeNs t) {
      t = std::max(since, std::min(t, next.taken));
      return static_cast<double>(t - std::exchange(since, t));
    };
    synthesis += until(next.queued);
    queue += until(next.picked_up);
    prepare += until(next.asked);
    worker += until(next.taken);
    ++gaps;
  }
  span = static_cast<double>(regions.back().released - regions.front().taken);
  state.counters["idle_percent"] = 100 * (synthesis + queue + prepare + worker) / span;
  state.counters["synthesis"] = 100 * synthesis / span;
  state.counters["queue"] = 100 * queue / span;
  state.counters["prepare"] = 100 * prepare / span;
  state.counters["worker"] = 100 * worker / span;
  state.counters["gap_us"] = (synthesis + queue + prepare + worker) / 1e3 / static_cast<double>(gaps);
}
BENCHMARK(handover)
    ->ArgNames({"log2", "jobs"})
    ->Args({12, 20})
    ->Args({14, 10})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1)
    ->UseRealTime();

}  // namespace
}  // namespace cuzk::engine
