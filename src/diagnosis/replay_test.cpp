#include "diagnosis/replay.hpp"

#include <gtest/gtest.h>

#include "diagnosis/analysis.hpp"
#include "engine/simulation.hpp"

namespace cuzk::diagnosis {
namespace {

class IntoTimeline final : public timeline::Sink {
 public:
  explicit IntoTimeline(timeline::Timeline& timeline) : timeline_(timeline) {}
  void write(const timeline::Event& event) override { timeline_.add(event); }

 private:
  timeline::Timeline& timeline_;
};

struct Plan {
  size_t synthesisers = 4, workers = 1, proofs = 40, in_flight = 4;
  double synthesis_ms = 100, prepare_ms = 20, held_ms = 60;
};

// Seconds a proof, and the recording.
std::pair<double, Analysis> record(const Plan& setup, uint64_t seed) {
  timeline::Timeline kept;
  engine::SimulationConfig config;
  config.scheduler.synthesis_workers = setup.synthesisers;
  config.scheduler.workers_per_device = setup.workers;
  config.scheduler.reserved_lane = false;
  config.scheduler.memory_bytes = 1 << 30;
  config.seed = seed;
  engine::Simulation simulation(config, std::make_unique<IntoTimeline>(kept));
  engine::StageTimes times;
  times.synthesis = {setup.synthesis_ms, 0.1};
  times.prepare = {setup.prepare_ms, 0.1};
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
