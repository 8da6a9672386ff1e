#include "diagnosis/replay.hpp"

#include <gtest/gtest.h>

#include "diagnosis/analysis.hpp"
#include "diagnosis/contention.hpp"
#include "engine/simulation.hpp"

namespace cuzk::diagnosis {
namespace {

class IntoTimeline final : public timeline::Sink {
 public:
  explicit IntoTimeline(timeline::Timeline& timeline) : timeline_(timeline) {}
  void write(const timeline::Event& event) override {
    timeline_.add(event);
    if (event.kind != timeline::EventKind::kCheckEnd) return;
    timeline::Event release = event;  // as the engine's, where a tail reads the witness
    release.kind = timeline::EventKind::kReleaseEnd;
    release.duration_ns = 0;
    timeline_.add(release);
  }

 private:
  timeline::Timeline& timeline_;
};

struct Plan {
  size_t synthesisers = 4, workers = 1, proofs = 40, in_flight = 4;
  double synthesis_ms = 100, prepare_ms = 20, held_ms = 60, tail_ms = 0;
  uint64_t memory = 1 << 30;
};

// Seconds a proof, and the recording.
std::pair<double, Analysis> record(const Plan& setup, uint64_t seed) {
  timeline::Timeline kept;
  engine::SimulationConfig config;
  config.scheduler.synthesis_workers = setup.synthesisers;
  config.scheduler.workers_per_device = setup.workers;
  config.scheduler.reserved_lane = false;
  config.scheduler.memory_bytes = setup.memory;
  config.tail_reads_witness = setup.tail_ms > 0;
  config.seed = seed;
  engine::Simulation simulation(config, std::make_unique<IntoTimeline>(kept));
  engine::StageTimes times;
  times.synthesis = {setup.synthesis_ms, 0.1};
  times.prepare = {setup.prepare_ms, 0.1};
  times.tail = {setup.tail_ms, 0.1};
  times.check = {5, 0.1};
  times.device = {{"msm", {setup.held_ms, 0.1}}};
  simulation.set_times("c", times);
  size_t submitted = 0;
  std::function<void()> next = [&] {
    if (submitted++ >= setup.proofs) return;
    engine::JobRequest request;
    request.partitions = 3;
    request.plan = {"c", 0, 1000, 0};
    ASSERT_TRUE(simulation.submit(request, [&](const engine::Job&) { next(); }).has_value());
  };
  for (size_t i = 0; i < setup.in_flight; ++i) next();
  simulation.run();
  const double s_per_proof = static_cast<double>(simulation.now()) * 1e-9 / static_cast<double>(setup.proofs);
  kept.sort();
  AnalysisOptions options;
  options.replay = false;
  auto analysis = analyse(std::move(kept), "test", options);
  EXPECT_TRUE(analysis.has_value());
  return {s_per_proof, std::move(*analysis)};
}

TEST(Replay, PredictsSettingsItDidNotSee) {
  const auto [recorded, analysis] = record({}, 1);
  auto replay = Replay::of(*analysis.timeline, *analysis.facts->runs[0].model);
  ASSERT_TRUE(replay.has_value()) << replay.error().message;
  EXPECT_EQ(replay->recorded().settings.gpu_workers_per_device, 1u);
  EXPECT_EQ(replay->recorded().settings.synthesis_workers, 4u);
  EXPECT_NEAR(replay->predict({})->s_per_proof, recorded, 0.03 * recorded);

  Plan two;
  two.workers = 2;
  const double with_two = record(two, 2).first;
  EXPECT_LT(with_two, 0.9 * recorded);
  Change change;
  change.assignments = {"gpus.gpu_workers_per_device=2"};
  EXPECT_NEAR(replay->predict(change)->s_per_proof, with_two, 0.03 * with_two);

  Plan slow;
  slow.synthesisers = 1;
  const double with_one = record(slow, 3).first;
  change.assignments = {"synthesis.workers=1"};
  EXPECT_NEAR(replay->predict(change)->s_per_proof, with_one, 0.03 * with_one);

  Plan alone;
  alone.in_flight = 1;
  const double one_at_a_time = record(alone, 4).first;
  Change in_turn;
  in_turn.concurrency = 1;
  EXPECT_NEAR(replay->predict(in_turn)->s_per_proof, one_at_a_time, 0.05 * one_at_a_time);
}

TEST(Replay, TailsThatReadTheWitnessKeepItsMemory) {
  Plan plan;
  plan.tail_ms = 50;
  const auto made = record(plan, 5);
  auto replay = Replay::of(*made.second.timeline, *made.second.facts->runs[0].model);
  ASSERT_TRUE(replay.has_value());
  EXPECT_TRUE(replay->recorded().tail_reads_witness);
  plan.memory = 1000;  // one partition at a time
  const double alone = record(plan, 6).first;
  EXPECT_GT(alone, 1.5 * made.first);
  Change change;
  change.assignments = {"memory.budget=1000"};
  EXPECT_NEAR(replay->predict(change)->s_per_proof, alone, 0.03 * alone);
}

// What a machine of two CPUs would have recorded is made by the simulation that shares them.
class CpuTimes final : public timeline::Sink {
 public:
  CpuTimes(timeline::Timeline& timeline, double synthesis_ms, double held_ms)
      : timeline_(timeline), synthesis_ms_(synthesis_ms), held_ms_(held_ms) {}
  void write(const timeline::Event& event) override {
    timeline::Event e = event;
    if (e.kind == timeline::EventKind::kSynthEnd) e.detail = "cpu_ms=" + std::to_string(synthesis_ms_);
    if (e.kind == timeline::EventKind::kLockReleased) e.detail = "cpu_ms=" + std::to_string(2 * held_ms_);
    if (e.kind == timeline::EventKind::kTailEnd || e.kind == timeline::EventKind::kCheckEnd)
      e.detail = "cpu_ms=" + std::to_string(static_cast<double>(e.duration_ns) * 1e-6);
    timeline_.add(e);
  }

 private:
  timeline::Timeline& timeline_;
  double synthesis_ms_, held_ms_;
};

double record_shared(size_t workers, size_t threads, timeline::Timeline& kept) {
  constexpr double kSynthesis = 100, kHeld = 80;
  const double held = kHeld * 2 / static_cast<double>(threads);
  engine::SimulationConfig config;
  config.scheduler.synthesis_workers = workers;
  config.scheduler.reserved_lane = false;
  config.scheduler.memory_bytes = 1 << 30;
  config.cpus = 2;
  engine::Simulation simulation(config, std::make_unique<CpuTimes>(kept, kSynthesis, kHeld));
  engine::StageTimes times;
  times.synthesis = {kSynthesis, 0, nullptr, {1, 1}};
  times.device = {{"msm", {held, 0, nullptr, {static_cast<double>(threads), static_cast<double>(threads)}}}};
  simulation.set_times("c", times);
  simulation.bench_lane().record(timeline::EventKind::kBenchBegin, {.detail = "c=30;j=4;device=cpu;cpus=2"});
  size_t submitted = 0;
  std::function<void()> next = [&] {
    if (submitted++ >= 30) return;
    engine::JobRequest request;
    request.partitions = 2;
    request.plan = {"c", 0, 1000, 0};
    ASSERT_TRUE(simulation.submit(request, [&](const engine::Job&) { next(); }).has_value());
  };
  for (size_t i = 0; i < 4; ++i) next();
  simulation.run();
  simulation.bench_lane().record(timeline::EventKind::kBenchEnd);
  simulation.recorder().drain();
  kept.header.config =
      "synthesis.workers=" + std::to_string(workers) + ";cpu.device_threads=" + std::to_string(threads);
  kept.sort();
  return static_cast<double>(simulation.now()) * 1e-9 / 30;
}

TEST(Replay, StagesShareTheRecordedCpus) {
  timeline::Timeline kept, other;
  const double recorded = record_shared(2, 2, kept);
  AnalysisOptions options;
  options.replay = false;
  auto analysis = analyse(std::move(kept), "test", options);
  ASSERT_TRUE(analysis.has_value());
  auto replay = Replay::of(*analysis->timeline, *analysis->facts->runs[0].model);
  ASSERT_TRUE(replay.has_value()) << replay.error().message;
  EXPECT_EQ(replay->recorded().cpus, 2);
  EXPECT_NEAR(replay->predict({})->s_per_proof, recorded, 0.03 * recorded);
  Change change;
  change.assignments = {"synthesis.workers=1"};
  const double one_worker = record_shared(1, 2, other);
  EXPECT_NEAR(replay->predict(change)->s_per_proof, one_worker, 0.03 * one_worker);
  change.assignments = {"cpu.device_threads=1"};
  const double one_thread = record_shared(2, 1, other = {});
  EXPECT_NEAR(replay->predict(change)->s_per_proof, one_thread, 0.03 * one_thread);
  change.assignments = {"cpu.tail_threads=2"};  // recorded without a tail of its own
  EXPECT_FALSE(replay->predict(change).has_value());
}

TEST(Contention, FindsLengthsAndDemandsWithoutTheOthers) {
  // Three threads on two CPUs for 3 s, then one of them alone for 1 s; and one that waits for half its time.
  const int64_t s = 1'000'000'000;
  const Uncontended busy =
      uncontended(2, {{0, 3 * s, 2 * s, 0}, {0, 3 * s, 2 * s, 0}, {0, 4 * s, 3 * s, 0}}, {1});
  EXPECT_NEAR(busy.demands[0].cpus, 1, 0.01);
  EXPECT_NEAR(busy.lengths_ns[0] * 1e-9, 2, 0.02);
  EXPECT_NEAR(busy.lengths_ns[2] * 1e-9, 3, 0.02);
  const Uncontended waits = uncontended(2, {{0, 2 * s, 1 * s, 0}, {s, 3 * s, 4 * s, 1}}, {1, 2});
  EXPECT_NEAR(waits.demands[0].cpus, 0.5, 0.02);
  EXPECT_NEAR(waits.demands[1].cpus, 2, 0.02);
  EXPECT_NEAR(waits.lengths_ns[0] * 1e-9, 2, 0.1);
  EXPECT_TRUE(uncontended(2, {}, {}).lengths_ns.empty());
}

TEST(Replay, RefusesWhatItCannotShow) {
  const auto made = record({}, 1);
  auto replay = Replay::of(*made.second.timeline, *made.second.facts->runs[0].model);
  ASSERT_TRUE(replay.has_value());
  for (const char* bad : {"no.such=1", "synthesis.throttle=true", "gpus.gpu_workers_per_device=0", "x"}) {
    Change change;
    change.assignments = {bad};
    EXPECT_FALSE(replay->predict(change).has_value()) << bad;
  }
  timeline::Timeline empty;
  empty.add({1, -1, timeline::EventKind::kSynthStart, "a", "", 0, -1, ""});
  auto analysis = analyse(std::move(empty), "test", {});
  ASSERT_TRUE(analysis.has_value());
  EXPECT_FALSE(Replay::of(*analysis->timeline, *analysis->facts->runs[0].model).has_value());
}

}  // namespace
}  // namespace cuzk::diagnosis
