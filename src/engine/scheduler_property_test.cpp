// The scheduler's rules as properties of many random runs: whatever happens, every job ends, nothing is left
// over, nobody overtakes a better one, nothing stays idle that could work.
#include <algorithm>
#include <array>
#include <map>
#include <optional>

#include "engine/simulation_test.hpp"

namespace cuzk::engine {
namespace {

struct RandomRun {
  explicit RandomRun(uint64_t seed) : random(seed), faults(seed + 1000) {
    config = small_config();
    config.seed = seed;
    config.scheduler.synthesis_workers = 1 + pick(6);
    config.scheduler.devices = 1 + pick(3);
    config.scheduler.workers_per_device = 1 + pick(3);
    config.scheduler.memory_bytes = 160 + pick(600);
    config.scheduler.critical_reserve_bytes = pick(2) * 20;
    config.scheduler.max_ready_partitions = pick(2) * (1 + pick(4));
    config.scheduler.reserved_lane = pick(2) != 0;
    bench.emplace(config);
    for (const char* circuit : {"big", "other", "small"}) {
      auto t = simple_times(circuit[0] == 's' ? 1 : 10, circuit[0] == 's' ? 1 : 20);
      t.synthesis.spread = 0.5;
      t.device[1].second.spread = 0.5;
      bench->sim.set_times(circuit, t);
    }
  }
  uint64_t pick(uint64_t n) { return random.next() % n; }

  // Faults in one of `rarity` stages; 0: none.
  void inject(uint64_t rarity) {
    if (rarity == 0) return;
    bench->sim.set_fault([this, rarity](SimulatedStage stage, PartitionRef, size_t) -> std::optional<Error> {
      if (stage == SimulatedStage::kDeviceTest || faults.next() % rarity != 0) return std::nullopt;
      return Error{faults.next() % 4 == 0 ? ErrorCode::kInvalidInput : ErrorCode::kUnavailable, "injected"};
    });
  }
  void submit_all(bool with_deadlines, bool with_cancels) {
    for (int i = 0; i < 25; ++i) {
      auto r = bench->request(std::array{"big", "other", "small"}[pick(3)],
                              static_cast<uint32_t>(1 + pick(6)), static_cast<Priority>(pick(4)));
      r.client = std::string(1, static_cast<char>('a' + pick(3)));
      TimeNs when = static_cast<TimeNs>(pick(2000)) * kMs;
      if (pick(5) == 0 && with_deadlines) r.deadline = when + static_cast<TimeNs>(pick(500)) * kMs;
      bench->sim.at(when, [this, r] {
        auto submitted = bench->sim.submit(r);
        if (submitted) {
          ids.push_back(submitted->job);
          priority[job_name(submitted->job)] = r.priority;
        }
      });
      if (pick(4) == 0 && with_cancels)
        bench->sim.at(when + static_cast<TimeNs>(pick(300)) * kMs, [this] {
          if (ids.empty()) return;
          bench->sim.scheduler().cancel(ids.back(), bench->sim.now());
          cancelled_at.try_emplace(job_name(ids.back()), bench->sim.now());
        });
    }
  }

  TestRandom random, faults;
  SimulationConfig config;
  std::optional<Bench> bench;
  std::vector<JobId> ids;
  std::map<std::string, Priority> priority;
  std::map<std::string, TimeNs> cancelled_at;
};

TEST(SchedulerProperties, EveryJobEndsAndNothingIsLeft) {
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    RandomRun run(seed);
    run.inject(40);
    run.submit_all(true, true);
    run.bench->sim.run();
    for (JobId id : run.ids)
      ASSERT_TRUE(run.bench->job(id).ended_already()) << "seed " << seed << " job " << id;
    ASSERT_LE(run.bench->sim.scheduler().memory().peak(), run.config.scheduler.memory_bytes) << seed;
    run.bench->expect_clean();
  }
}

// Which partitions wait at a stage, by the events that begin and end the wait.
class Waiting {
 public:
  void enter(const Event& e) { at_[{e.job, e.partition}] = e.time_ns; }
  void leave(const Event& e) { at_.erase({e.job, e.partition}); }
  // Fails if somebody with a better priority than the partition of `e` waited before it. available: from when
  // on a partition of the job could have gone on; nothing: not yet, or no more.
  template <class Available>
  void expect_no_better(const Event& e, const std::map<std::string, Priority>& priority, const char* stage,
                        Available&& available) const {
    for (const auto& [id, since] : at_) {
      if (priority.at(id.first) >= priority.at(e.job)) continue;
      auto from = available(id.first);
      ASSERT_FALSE(from && std::max(*from, since) < e.time_ns)
          << stage << ": " << e.job << " p" << e.partition << " overtook " << id.first << " p" << id.second
          << " at " << e.time_ns / kMs << " ms";
    }
  }

 private:
  std::map<std::pair<std::string, int32_t>, TimeNs> at_;
};

TEST(SchedulerProperties, NobodyOvertakesABetterPriorityAtAnyStage) {
  size_t checked = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    // Without faults: a failed partition waits for its pause and avoids a device, which is another rule.
    RandomRun run(seed);
    run.submit_all(false, true);
    run.bench->sim.run();
    auto events = run.bench->events;
    std::stable_sort(events.begin(), events.end(),
                     [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
    Waiting synthesis, device, lock;
    std::map<std::string, TimeNs> loaded;  // by key
    std::map<std::string, std::string> key_of;
    const bool one_device = run.config.scheduler.devices == 1;  // with more, a wait is for one of them
    for (const Event& e : events) {
      // A cancelled job waits for nothing more.
      auto while_wanted = [&](const std::string& job) -> std::optional<TimeNs> {
        auto cancelled = run.cancelled_at.find(job);
        if (cancelled != run.cancelled_at.end() && cancelled->second <= e.time_ns) return std::nullopt;
        return 0;
      };
      auto with_key = [&](const std::string& job) -> std::optional<TimeNs> {
        auto key = loaded.find(key_of[job]);
        if (key == loaded.end() || !while_wanted(job)) return std::nullopt;
        return key->second;
      };
      switch (e.kind) {
        case EventKind::kJobAccepted:
          key_of[e.job] = std::string(timeline::detail_value(e.detail, "kind").value());
          break;
        case EventKind::kJobParsed:
          for (size_t p = 0; p < run.bench->job(std::stoull(e.job.substr(4))).partitions.size(); ++p) {
            Event partition = e;
            partition.partition = static_cast<int32_t>(p);
            synthesis.enter(partition);
          }
          break;
        case EventKind::kSynthStart:
          synthesis.leave(e);
          synthesis.expect_no_better(e, run.priority, "synthesis", while_wanted);
          ++checked;
          break;
        case EventKind::kKeyLoadEnd:
          loaded[std::string(timeline::detail_value(e.detail, "key").value())] = e.time_ns;
          break;
        case EventKind::kKeyLoadStart:  // at the same moment, events of different workers are in no order
        case EventKind::kKeyEvict:
          loaded.erase(std::string(timeline::detail_value(e.detail, "key").value()));
          break;
        case EventKind::kDeviceQueue:
          device.enter(e);
          break;
        case EventKind::kDevicePickup:
          device.leave(e);
          device.expect_no_better(e, run.priority, "device queue", with_key);
          ++checked;
          break;
        case EventKind::kDeviceStart:
          lock.enter(e);
          break;
        case EventKind::kLockTaken:
          lock.leave(e);
          if (one_device) lock.expect_no_better(e, run.priority, "interlock", while_wanted);
          checked += one_device;
          break;
        default:
          break;
      }
    }
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(checked, 10'000u);
}

// The same at the door: who is parsed next, while parsing takes longer than jobs take to come.
TEST(SchedulerProperties, NobodyOvertakesABetterPriorityAtParsing) {
  size_t overtakes = 0;
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    auto config = small_config();
    config.seed = seed;
    config.parsers = 1 + seed % 3;
    Bench b(config);
    auto times = simple_times(1, 1);
    times.parse = {10, 0.5};
    b.sim.set_times("small", times);
    TestRandom random(seed);
    struct Wait {
      Priority priority;
      TimeNs accepted, begun, cancelled;
    };
    std::map<std::string, Wait> waits;
    constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();
    for (int i = 0; i < 30; ++i)
      b.sim.at(static_cast<TimeNs>(random.next() % 100) * kMs, [&] {
        const auto priority = static_cast<Priority>(random.next() % 4);
        JobId id = b.submit(b.request("small", 1, priority));
        const bool cancel = random.next() % 5 == 0;
        const TimeNs when = cancel ? b.sim.now() + static_cast<TimeNs>(random.next() % 50) * kMs : kNever;
        waits[job_name(id)] = {priority, b.sim.now(), kNever, when};
        if (cancel) b.sim.at(when, [&b, id] { b.sim.scheduler().cancel(id, b.sim.now()); });
      });
    b.sim.run();
    for (const Event& e : b.of(EventKind::kJobParsed)) waits.at(e.job).begun = e.begin_ns();
    for (const auto& [job, worse] : waits)
      for (const auto& [other, better] : waits) {
        if (better.priority >= worse.priority || worse.begun == kNever) continue;
        overtakes += worse.accepted < better.accepted && better.begun < worse.begun;
        ASSERT_FALSE(better.accepted < worse.begun && worse.begun < std::min(better.begun, better.cancelled))
            << "seed " << seed << ": " << job << " was parsed before " << other;
      }
  }
  EXPECT_GT(overtakes, 1000u);
}

// Lost wake-ups: a partition that could go on does not wait for an unrelated event. Every moment at which
// nothing happens must be one in which nothing can: asking every worker again finds no work.
TEST(SchedulerProperties, NoWakeUpIsLost) {
  for (uint64_t seed = 1; seed <= 200; ++seed) {
    RandomRun run(seed);
    run.inject(seed % 2 == 0 ? 40 : 0);
    run.submit_all(true, true);
    Scheduler& scheduler = run.bench->sim.scheduler();
    for (TimeNs t = 0; t < 3000 * kMs; t += 7 * kMs) {
      run.bench->sim.run(t);
      // All workers have been asked and found nothing: if memory or keys keep the best partition waiting,
      // then somebody holds them who will give them back.
      if (scheduler.idle()) continue;
      bool something_runs = false, something_waits = false;
      for (const auto& [id, job] : scheduler.jobs()) {
        something_runs |= job.in_flight > 0;
        for (const Partition& p : job.partitions) something_waits |= p.state == PartitionState::kPausing;
      }
      bool loading = false;
      for (const char* circuit : {"big", "other", "small"}) {
        auto state = scheduler.keys().state(circuit);
        loading |= state == KeyState::kLoading;
      }
      bool quarantined = false;
      for (size_t d = 0; d < run.config.scheduler.devices; ++d) quarantined |= scheduler.quarantined(d);
      ASSERT_TRUE(something_runs || something_waits || loading || quarantined)
          << "seed " << seed << ": jobs wait at " << t / kMs << " ms and nothing goes on";
    }
    run.bench->sim.run();
  }
}

// A budget with room for one key: a waiter is woken by what becomes evictable, not by a release alone.
TEST(SchedulerProperties, AWaiterIsWokenWhenAKeyBecomesEvictable) {
  auto config = small_config();
  config.scheduler.memory_bytes = 160;  // one key of 100 and one partition of 51
  Bench b(config);
  JobId a = b.submit(b.request("big", 1));
  JobId waiting = b.submit(b.request("other", 1));
  b.sim.run();
  EXPECT_EQ(b.job(waiting).state, JobState::kDone);
  // Its key is evicted at the very moment at which the first job's check ends, and no later.
  ASSERT_EQ(b.of(EventKind::kKeyEvict).size(), 1u);
  EXPECT_EQ(b.of(EventKind::kKeyEvict)[0].time_ns, b.job(a).ended);
}

TEST(SchedulerProperties, FewestInFlightGoesFirstAmongEqualClients) {
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    auto config = small_config();
    config.seed = seed;
    config.scheduler.synthesis_workers = 4;
    Bench b(config);
    auto t = simple_times(10, 2);
    t.synthesis.spread = 0.7;
    b.sim.set_times("big", t);
    std::map<std::string, std::string> client_of;
    for (const char* client : {"a", "b", "c"}) {
      auto r = b.request("big", 12);
      r.client = client;
      client_of[job_name(b.submit(r))] = client;
    }
    b.sim.run();
    // When the first has begun all of its partitions, the others have begun at least half of theirs.
    std::map<std::string, int> starts;
    for (const Event& e : b.of(EventKind::kSynthStart)) {
      if (++starts[client_of[e.job]] < 12) continue;
      for (const char* client : {"a", "b", "c"}) EXPECT_GE(starts[client], 6) << seed << client;
      break;
    }
  }
}

// Cancel, fail and drain at each stage: at every moment of a run with every stage taking its time.
TEST(SchedulerProperties, CancelAbortAndDeadlineAtEveryStage) {
  for (int how = 0; how < 3; ++how)
    for (int ms = 0; ms < 120; ms += 1) {
      auto config = small_config();
      config.scheduler.devices = 2;
      Bench b(config);
      auto t = simple_times(9, 12);
      t.parse = {5, 0};
      t.key_load = {20, 0};
      t.prepare = {6, 0};
      t.tail = {7, 0};
      t.check = {4, 0};
      b.sim.set_times("big", t);
      auto r = b.request("big", 3);
      if (how == 2) r.deadline = ms * kMs;
      JobId id = b.submit(r);
      b.sim.at(ms * kMs, [&] {
        if (how == 0) b.sim.scheduler().cancel(id, b.sim.now());
        if (how == 1) b.sim.scheduler().abort(b.sim.now());
      });
      b.sim.run();
      ASSERT_TRUE(b.job(id).ended_already()) << how << " " << ms;
      if (b.job(id).state != JobState::kDone) {
        // At most one stage of each partition is waited for: the longest here takes 20.
        ASSERT_LE(b.job(id).ended, (ms + 20) * kMs) << how << " " << ms;
        ASSERT_EQ(b.job(id).state, how == 2 ? JobState::kFailed : JobState::kCancelled);
      }
      b.expect_clean();
    }
}

}  // namespace
}  // namespace cuzk::engine
