#include "engine/shared_cpus.hpp"

#include <gtest/gtest.h>

#include "engine/simulation.hpp"

namespace cuzk::engine {
namespace {

TEST(SharedCpus, FairByThreadAndNothingIsWasted) {
  const auto near = [](const std::vector<double>& got, const std::vector<double>& wanted) {
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], wanted[i], 1e-12) << i;
  };
  near(fair_paces(2, {}), {});
  near(fair_paces(2, {{1, 1}, {1, 1}}), {1, 1});
  near(fair_paces(2, {{1, 1}, {1, 1}, {1, 1}}), {2.0 / 3, 2.0 / 3, 2.0 / 3});
  near(fair_paces(2, {{2, 2}, {1, 1}}), {2.0 / 3, 2.0 / 3});
  // A thread that mostly sleeps has the little that it wants.
  near(fair_paces(2, {{1, 1}, {1, 1}, {0.1, 1}}), {0.95, 0.95, 1});
  near(fair_paces(1, {{0, 1}, {1, 1}}), {1, 1});
}

TEST(SharedCpus, WorkLastsAsLongAsOthersLetIt) {
  SharedCpus cpus(1);
  EXPECT_FALSE(cpus.next().has_value());
  const auto first = cpus.begin(0, 100, {1, 1});
  EXPECT_EQ(cpus.next()->first, 100);
  const auto second = cpus.begin(50, 30, {1, 1});  // half a CPU each from here on
  ASSERT_EQ(cpus.next(), (std::pair<int64_t, SharedCpus::Id>{100 + 10, second}));
  cpus.end(110, second);
  ASSERT_EQ(cpus.next(), (std::pair<int64_t, SharedCpus::Id>{130, first}));
}

// Three synthesise on two CPUs: each takes half again as long.
TEST(SharedCpus, SimulatedStagesSlowEachOther) {
  for (const auto& [cpus, expected_ms] : {std::pair{0.0, 300.0}, {3.0, 300.0}, {2.0, 450.0}}) {
    SimulationConfig config;
    config.scheduler.synthesis_workers = 3;
    config.scheduler.memory_bytes = 1 << 20;
    config.scheduler.reserved_lane = false;
    config.handover_ms = 0;
    config.cpus = cpus;
    Simulation simulation(config, nullptr);
    StageTimes times;
    times.synthesis = {100, 0, nullptr, {1, 1}};
    times.device = {{"msm", {0.001, 0}}};
    simulation.set_times("c", times);
    TimeNs ended = 0;
    JobRequest request;
    request.partitions = 9;
    request.plan = {"c", 0, 1, 0};
    ASSERT_TRUE(simulation.submit(request, [&](const Job&) { ended = simulation.now(); }).has_value());
    simulation.run();
    EXPECT_NEAR(static_cast<double>(ended) * 1e-6, expected_ms, 0.1) << cpus;
  }
}

}  // namespace
}  // namespace cuzk::engine
