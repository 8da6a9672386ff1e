// What the tests on the virtual clock share: a simulation with three circuits, whose events are kept.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/simulation.hpp"
#include "timeline/kept_events.hpp"

namespace cuzk::engine {

using timeline::Event;
using timeline::EventKind;

inline constexpr TimeNs kMs = 1'000'000;

inline StageTimes simple_times(double synthesis_ms, double device_ms) {
  StageTimes t;
  t.parse = {1, 0};
  t.key_load = {50, 0};
  t.synthesis = {synthesis_ms, 0};
  t.prepare = {2, 0};
  t.device = {{"ntt", {device_ms / 4, 0}}, {"msm", {device_ms * 3 / 4, 0}}};
  t.tail = {1, 0};
  t.check = {1, 0};
  return t;
}

inline SimulationConfig small_config() {
  SimulationConfig config;
  config.scheduler.synthesis_workers = 2;
  config.scheduler.memory_bytes = 1000;
  config.scheduler.retry_pause = 10 * kMs;
  config.scheduler.quarantine_pause = 100 * kMs;
  config.handover_ms = 0.01;
  return config;
}

struct Bench {
  explicit Bench(const SimulationConfig& config)
      : sim(config, std::make_unique<timeline::KeptEvents>(events)) {
    sim.set_times("big", simple_times(10, 20));
    sim.set_times("small", simple_times(1, 1));
    sim.set_times("other", simple_times(10, 20));
  }
  JobRequest request(const std::string& circuit, uint32_t partitions, Priority priority = Priority::kNormal) {
    JobRequest r;
    r.plan = {circuit, circuit == "small" ? 10u : 100u, circuit == "small" ? 5u : 50u, 1};
    r.partitions = partitions;
    r.priority = priority;
    return r;
  }
  JobId submit(const JobRequest& r) {
    auto submitted = sim.submit(r);
    EXPECT_TRUE(submitted.has_value()) << submitted.error().message;
    return submitted ? submitted->job : 0;
  }
  const Job& job(JobId id) { return *sim.scheduler().find(id); }
  // Events of a kind in order.
  std::vector<Event> of(EventKind kind) {
    std::vector<Event> out;
    for (const Event& e : events)
      if (e.kind == kind) out.push_back(e);
    return out;
  }
  // Nothing is left over: no memory but resident keys', nobody waits.
  void expect_clean() {
    EXPECT_TRUE(sim.scheduler().idle());
    for (const char* circuit : {"big", "small", "other"})
      EXPECT_EQ(sim.scheduler().keys().users(circuit), 0u);
    EXPECT_EQ(sim.scheduler().memory().used(MemoryTag::kWitness), 0u);
    EXPECT_EQ(sim.scheduler().memory().used(MemoryTag::kScratch), 0u);
  }

  std::vector<Event> events;
  Simulation sim;
};

}  // namespace cuzk::engine
