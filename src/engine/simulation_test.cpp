// The scheduler's rules, each on the virtual clock.
#include "engine/simulation_test.hpp"

#include <array>
#include <filesystem>
#include <fstream>

#include "timeline/summary.hpp"

namespace cuzk::engine {
namespace {

TEST(Scheduler, RunsAJobThroughEveryStage) {
  Bench b(small_config());
  JobId id = b.submit(b.request("big", 4));
  b.sim.run();
  EXPECT_EQ(b.job(id).state, JobState::kDone);
  EXPECT_EQ(b.of(EventKind::kSynthEnd).size(), 4u);
  EXPECT_EQ(b.of(EventKind::kLockReleased).size(), 4u);
  EXPECT_EQ(b.of(EventKind::kDeviceBusy).size(), 8u);
  EXPECT_EQ(b.of(EventKind::kCheckEnd).size(), 4u);
  EXPECT_EQ(b.of(EventKind::kKeyLoadEnd).size(), 1u);
  b.expect_clean();
}

TEST(Scheduler, DeviceIsHeldByOneWorkerAtATime) {
  Bench b(small_config());
  for (int i = 0; i < 3; ++i) b.submit(b.request("big", 5));
  b.sim.run();
  TimeNs free_at = 0;
  for (const Event& e : b.of(EventKind::kLockReleased)) {
    EXPECT_GE(e.begin_ns(), free_at);
    free_at = e.time_ns;
  }
  b.expect_clean();
}

TEST(Scheduler, SaturatedDeviceIdlesUnderOnePercent) {
  auto config = small_config();
  config.scheduler.synthesis_workers = 8;
  Bench b(config);
  for (int i = 0; i < 20; ++i) b.submit(b.request("big", 10));
  b.sim.run();
  auto busy = b.of(EventKind::kDeviceBusy);
  TimeNs sum = 0;
  for (const Event& e : busy) sum += e.duration_ns;
  double share =
      static_cast<double>(sum) / static_cast<double>(busy.back().time_ns - busy.front().begin_ns());
  EXPECT_GT(share, 0.99);
}

TEST(Scheduler, CriticalOvertakesAtSynthesisDeviceQueueAndLock) {
  Bench b(small_config());
  b.sim.scheduler();
  JobId first = b.submit(b.request("big", 10));
  JobId critical = 0;
  ASSERT_TRUE(b.sim.scheduler().preload(b.request("small", 1).plan, 0).has_value());
  b.sim.at(150 * kMs, [&] { critical = b.submit(b.request("small", 1, Priority::kCritical)); });
  b.sim.run();
  EXPECT_EQ(b.job(critical).state, JobState::kDone);
  EXPECT_EQ(b.job(first).state, JobState::kDone);
  // Parse 1, synthesis 1, prepare 2, at most one PoRep partition on the device (20), device 1, tail and
  // check 2.
  EXPECT_LE(b.job(critical).ended - b.job(critical).accepted, (1 + 1 + 2 + 20 + 1 + 2 + 1) * kMs);
}

TEST(Scheduler, WithoutTheReservedLaneCriticalWaitsForAWorker) {
  auto config = small_config();
  config.scheduler.reserved_lane = false;
  Bench b(config);
  b.submit(b.request("big", 10));
  JobId critical = 0;
  b.sim.at(150 * kMs, [&] { critical = b.submit(b.request("small", 1, Priority::kCritical)); });
  b.sim.run();
  EXPECT_GT(b.job(critical).ended - b.job(critical).accepted, 40 * kMs);
}

TEST(Scheduler, PrioritiesOrderEqualWork) {
  auto config = small_config();
  config.scheduler.synthesis_workers = 1;
  Bench b(config);
  b.submit(b.request("big", 1));  // keeps the worker busy while the others arrive
  JobId low = b.submit(b.request("big", 2, Priority::kLow));
  JobId normal = b.submit(b.request("big", 2));
  JobId high = b.submit(b.request("big", 2, Priority::kHigh));
  b.sim.run();
  EXPECT_LT(b.job(high).ended, b.job(normal).ended);
  EXPECT_LT(b.job(normal).ended, b.job(low).ended);
}

TEST(Scheduler, EarlierDeadlineGoesFirstAndAPassedOneFails) {
  auto config = small_config();
  config.scheduler.synthesis_workers = 1;
  Bench b(config);
  auto late = b.request("big", 1), soon = b.request("big", 1), hopeless = b.request("big", 50);
  late.deadline = 900 * kMs;
  soon.deadline = 500 * kMs;
  hopeless.deadline = 300 * kMs;
  hopeless.priority = Priority::kLow;
  JobId a = b.submit(late), c = b.submit(soon), h = b.submit(hopeless);
  b.sim.run();
  EXPECT_LT(b.job(c).ended, b.job(a).ended);
  EXPECT_EQ(b.job(h).state, JobState::kFailed);
  EXPECT_NE(b.job(h).error->message.find("deadline"), std::string::npos);
  EXPECT_LT(b.job(h).ended, 340 * kMs);
  b.expect_clean();
}

TEST(Scheduler, ClientsShareEqually) {
  auto config = small_config();
  Bench b(config);
  auto many = b.request("big", 20), few = b.request("big", 4);
  many.client = "a";
  few.client = "b";
  JobId a = b.submit(many), c = b.submit(few);
  b.sim.run();
  // The small client's job does not wait for the twenty partitions in front of it.
  EXPECT_LT(b.job(c).ended, b.job(a).ended / 2);
}

TEST(Scheduler, RefusesWhatCanNeverFitWithBothNumbers) {
  Bench b(small_config());
  auto r = b.request("big", 1);
  r.plan.witness_bytes = 5000;
  auto submitted = b.sim.submit(r);
  ASSERT_FALSE(submitted.has_value());
  EXPECT_EQ(submitted.error().code, ErrorCode::kResourceExhausted);
  EXPECT_NE(submitted.error().message.find("5101"), std::string::npos) << submitted.error().message;
  EXPECT_NE(submitted.error().message.find("1000"), std::string::npos);
}

TEST(Scheduler, NeverExceedsTheBudget) {
  auto config = small_config();
  config.scheduler.synthesis_workers = 50;
  config.scheduler.memory_bytes = 420;  // key 100 and six partitions of 51
  Bench b(config);
  for (int i = 0; i < 4; ++i) b.submit(b.request("big", 10));
  b.sim.run();
  EXPECT_LE(b.sim.scheduler().memory().peak(), 420u);
  EXPECT_GE(b.sim.scheduler().memory().peak(), 400u);
  EXPECT_FALSE(b.of(EventKind::kMemoryWaitBegin).empty());
  EXPECT_EQ(b.of(EventKind::kMemoryWaitBegin).size(), b.of(EventKind::kMemoryWaitEnd).size());
  b.expect_clean();
}

TEST(Scheduler, EvictsTheLeastRecentlyUsedKeyUnderPressure) {
  auto config = small_config();
  config.scheduler.memory_bytes = 260;  // two keys and one partition
  Bench b(config);
  JobId a = b.submit(b.request("big", 2));
  JobId c = 0, d = 0;
  b.sim.at(500 * kMs, [&] { c = b.submit(b.request("other", 2)); });
  b.sim.at(1000 * kMs, [&] { d = b.submit(b.request("big", 1)); });
  b.sim.run();
  for (JobId id : {a, c, d}) EXPECT_EQ(b.job(id).state, JobState::kDone) << id;
  config.scheduler.memory_bytes = 200;  // one key at a time
  Bench tight(config);
  a = tight.submit(tight.request("big", 2));
  c = tight.submit(tight.request("other", 2));
  d = tight.submit(tight.request("big", 2));
  tight.sim.run();
  for (JobId id : {a, c, d}) EXPECT_EQ(tight.job(id).state, JobState::kDone) << id;
  EXPECT_GE(tight.of(EventKind::kKeyEvict).size(), 2u);
  tight.expect_clean();
}

TEST(Scheduler, AKeyIsLoadedOnceForConcurrentRequests) {
  Bench b(small_config());
  for (int i = 0; i < 6; ++i) b.submit(b.request("big", 1));
  b.sim.run();
  EXPECT_EQ(b.of(EventKind::kKeyLoadStart).size(), 1u);
}

TEST(Scheduler, LoadingOneKeyDoesNotBlockAnotherCircuit) {
  Bench b(small_config());
  auto slow = simple_times(10, 20);
  slow.key_load = {10'000, 0};
  b.sim.set_times("other", slow);
  ASSERT_TRUE(b.sim.scheduler().preload(b.request("big", 1).plan, 0).has_value());
  b.sim.run();
  b.submit(b.request("other", 1));
  JobId quick = b.submit(b.request("big", 2));
  b.sim.run();
  EXPECT_LT(b.job(quick).ended - b.job(quick).accepted, 1000 * kMs);
}

TEST(Scheduler, AFailedKeyLoadFailsItsJobsOnlyAndIsTriedAgain) {
  Bench b(small_config());
  int failures = 1;
  b.sim.set_fault([&](SimulatedStage stage, PartitionRef, size_t) -> std::optional<Error> {
    if (stage == SimulatedStage::kKeyLoad && failures-- > 0) return Error{ErrorCode::kIo, "big.params: cut"};
    return std::nullopt;
  });
  JobId a = b.submit(b.request("big", 3));
  JobId later = 0;
  b.sim.at(500 * kMs, [&] { later = b.submit(b.request("big", 3)); });
  b.sim.run();
  EXPECT_EQ(b.job(a).state, JobState::kFailed);
  EXPECT_NE(b.job(a).error->message.find("big.params"), std::string::npos);
  EXPECT_EQ(b.job(later).state, JobState::kDone);
  b.expect_clean();
}

// A partition may count on a key whose load then fails while it is synthesised; it must not be missing among
// the users of the key that is loaded next.
TEST(Scheduler, AFailedKeyLoadKeepsCountOfItsUsers) {
  auto config = small_config();
  config.scheduler.retry_pause = 1 * kMs;
  Bench b(config);
  auto slow = simple_times(400, 20);  // synthesis outlasts two loads
  b.sim.set_times("big", slow);
  int failures = 1;
  b.sim.set_fault([&](SimulatedStage stage, PartitionRef, size_t) -> std::optional<Error> {
    if (stage == SimulatedStage::kKeyLoad && failures-- > 0) return Error{ErrorCode::kIo, "cut"};
    return std::nullopt;
  });
  b.submit(b.request("big", 2));
  JobId later = 0;
  b.sim.at(100 * kMs, [&] { later = b.submit(b.request("big", 2)); });
  for (TimeNs t = 0; t < 2000 * kMs; t += kMs) {
    b.sim.run(t);
    ASSERT_LE(b.sim.scheduler().keys().users("big"), 4u) << t;
  }
  b.sim.run();
  EXPECT_EQ(b.job(later).state, JobState::kDone);
  EXPECT_EQ(b.sim.scheduler().keys().users("big"), 0u);
  b.expect_clean();
}

TEST(Scheduler, CancelAtEveryMoment) {
  // The whole job takes about 300 ms: cancel at every millisecond of it.
  for (int ms = 0; ms < 320; ++ms) {
    Bench b(small_config());
    JobId doomed = b.submit(b.request("big", 5)), other = b.submit(b.request("small", 5));
    b.sim.at(ms * kMs, [&] { b.sim.scheduler().cancel(doomed, b.sim.now()); });
    b.sim.run();
    ASSERT_TRUE(b.job(doomed).ended_already()) << ms;
    ASSERT_EQ(b.job(other).state, JobState::kDone) << ms;
    // What was on a worker at that moment is waited for, nothing else.
    if (b.job(doomed).state == JobState::kCancelled) {
      ASSERT_LE(b.job(doomed).ended, (ms + 70) * kMs) << ms;
    }
    b.expect_clean();
  }
}

TEST(Scheduler, RetriesAfterAPauseOnAnotherDevice) {
  auto config = small_config();
  config.scheduler.devices = 2;
  Bench b(config);
  std::vector<size_t> devices;
  b.sim.set_fault([&](SimulatedStage stage, PartitionRef ref, size_t device) -> std::optional<Error> {
    if (stage != SimulatedStage::kDevice || ref.index != 2) return std::nullopt;
    devices.push_back(device);
    if (devices.size() == 1) return Error{ErrorCode::kUnavailable, "device lost"};
    return std::nullopt;
  });
  JobId id = b.submit(b.request("big", 4));
  b.sim.run();
  EXPECT_EQ(b.job(id).state, JobState::kDone);
  ASSERT_EQ(devices.size(), 2u);
  EXPECT_NE(devices[0], devices[1]);
  EXPECT_EQ(b.of(EventKind::kPartitionRetry).size(), 1u);
}

TEST(Scheduler, GivesUpAfterTheDocumentedAttemptsAndNamesThePartition) {
  Bench b(small_config());
  int attempts = 0;
  b.sim.set_fault([&](SimulatedStage stage, PartitionRef ref, size_t) -> std::optional<Error> {
    if (stage != SimulatedStage::kFinish || ref.index != 1) return std::nullopt;
    ++attempts;
    return Error{ErrorCode::kInternal, "proof does not verify"};
  });
  JobId id = b.submit(b.request("big", 3));
  b.sim.run();
  EXPECT_EQ(attempts, 3);
  EXPECT_EQ(b.job(id).state, JobState::kFailed);
  EXPECT_NE(b.job(id).error->message.find("partition 1"), std::string::npos) << b.job(id).error->message;
  b.expect_clean();
}

TEST(Scheduler, BadInputIsNotRetried) {
  Bench b(small_config());
  int attempts = 0;
  b.sim.set_fault([&](SimulatedStage stage, PartitionRef, size_t) -> std::optional<Error> {
    if (stage != SimulatedStage::kSynthesis) return std::nullopt;
    ++attempts;
    return Error{ErrorCode::kUnsatisfied, "constraint 7"};
  });
  JobId id = b.submit(b.request("big", 1));
  b.sim.run();
  EXPECT_EQ(attempts, 1);
  EXPECT_EQ(b.job(id).state, JobState::kFailed);
}

TEST(Scheduler, QuarantinesAFailingDeviceTestsItAndGoesOn) {
  auto config = small_config();
  config.scheduler.devices = 2;
  Bench b(config);
  int tests = 0;
  b.sim.set_fault([&](SimulatedStage stage, PartitionRef, size_t device) -> std::optional<Error> {
    if (stage == SimulatedStage::kDeviceTest && ++tests < 3)
      return Error{ErrorCode::kUnavailable, "still bad"};
    if (stage == SimulatedStage::kDevice && device == 1 && tests < 3)
      return Error{ErrorCode::kUnavailable, "xid 79"};
    return std::nullopt;
  });
  std::vector<JobId> ids;
  for (int i = 0; i < 5; ++i) ids.push_back(b.submit(b.request("big", 6)));
  b.sim.run();
  for (JobId id : ids) EXPECT_EQ(b.job(id).state, JobState::kDone);
  EXPECT_EQ(b.of(EventKind::kDeviceQuarantined).size(), 1u);
  EXPECT_EQ(b.of(EventKind::kDeviceRestored).size(), 1u);
  EXPECT_EQ(tests, 3);
  b.expect_clean();
}

TEST(Scheduler, SameRequestIdJoinsOrIsRefused) {
  Bench b(small_config());
  auto r = b.request("big", 1);
  r.request_id = "sector-1";
  r.input_digest = "aa";
  int ended = 0;
  auto first = b.sim.submit(r, [&](const Job&) { ++ended; });
  auto second = b.sim.submit(r, [&](const Job&) { ++ended; });
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(first->joined);
  EXPECT_TRUE(second->joined);
  EXPECT_EQ(first->job, second->job);
  r.input_digest = "bb";
  EXPECT_FALSE(b.sim.submit(r).has_value());
  b.sim.run();
  EXPECT_EQ(ended, 2);
  EXPECT_EQ(b.of(EventKind::kJobDone).size(), 1u);
  r.input_digest = "aa";
  auto third = b.sim.submit(r, [&](const Job&) { ++ended; });
  EXPECT_TRUE(third->joined);
  EXPECT_EQ(ended, 3);
}

TEST(Scheduler, DrainFinishesWhatWasAcceptedAbortDoesNot) {
  Bench b(small_config());
  JobId id = b.submit(b.request("big", 3));
  b.sim.at(20 * kMs, [&] { b.sim.scheduler().drain(); });
  b.sim.at(30 * kMs, [&] { EXPECT_FALSE(b.sim.submit(b.request("big", 1)).has_value()); });
  b.sim.run();
  EXPECT_EQ(b.job(id).state, JobState::kDone);
  Bench c(small_config());
  id = c.submit(c.request("big", 30));
  c.sim.at(100 * kMs, [&] { c.sim.scheduler().abort(c.sim.now()); });
  c.sim.run();
  EXPECT_EQ(c.job(id).state, JobState::kCancelled);
  EXPECT_LT(c.job(id).ended, 150 * kMs);
  c.expect_clean();
}

// 96 cores, one device, stage times of the reference's loaded runs: device 6.0 s a partition, preparation 2.7
// s, synthesis 54 s, fifteen proofs in flight. Busy time, occupancy and lock waits come out apart and add up.
TEST(Scheduler, NinetySixCoresBusyOccupiedAndWaitingAddUp) {
  SimulationConfig config;
  config.scheduler.synthesis_workers = 96;
  config.scheduler.memory_bytes = 400ull << 30;
  config.scheduler.reserved_lane = false;
  Bench b(config);
  StageTimes t;
  t.synthesis = {54'000, 0.1};
  t.prepare = {2'700, 0.1};
  t.device = {{"transfer_to", {500, 0.05}}, {"ntt", {400, 0.05}}, {"msm", {5'100, 0.05}}};
  t.tail = {500, 0.1};
  t.check = {20, 0};
  b.sim.set_times("porep-32g", t);
  JobRequest r;
  r.plan = {"porep-32g", 44ull << 30, 14ull << 30, 1ull << 30};
  r.partitions = 10;
  int submitted = 0;
  std::function<void(const Job&)> next = [&](const Job&) {
    if (submitted < 20) ++submitted, (void)b.sim.submit(r, next);
  };
  for (int i = 0; i < 15; ++i) ++submitted, (void)b.sim.submit(r, next);
  b.sim.run();
  TimeNs busy = 0, held = 0, lock_wait = 0, occupied = 0, prepare = 0;
  for (const Event& e : b.events) {
    if (e.kind == EventKind::kDeviceBusy) busy += e.duration_ns;
    if (e.kind == EventKind::kLockReleased) held += e.duration_ns;
    if (e.kind == EventKind::kLockTaken) lock_wait += e.duration_ns;
    if (e.kind == EventKind::kDeviceEnd) occupied += e.duration_ns;
    if (e.kind == EventKind::kPrepareEnd) prepare += e.duration_ns;
  }
  EXPECT_EQ(b.of(EventKind::kLockReleased).size(), 200u);
  EXPECT_EQ(occupied, held + lock_wait);
  EXPECT_NEAR(static_cast<double>(held - busy), 200 * 0.02e6, 1e4);  // the hand-overs
  EXPECT_NEAR(static_cast<double>(busy) / 200e9, 6.0, 0.1);
  EXPECT_NEAR(static_cast<double>(prepare) / 200e9, 2.7, 0.15);
  // Two workers on one device: each is occupied about twice as long as the device works for it, less
  // preparation.
  EXPECT_GT(static_cast<double>(lock_wait), 0.3 * static_cast<double>(busy));
  b.expect_clean();

  // The same from the report: three shares that must not be confused. A worker's turn is preparation, waiting
  // and holding; with two workers the other one holds the device meanwhile, so all but the preparation of a
  // cycle of two regions is occupied.
  timeline::Timeline recorded;
  for (const Event& e : b.events) recorded.add(e);
  recorded.sort();
  auto shares = timeline::summarise(recorded, timeline::find_runs(recorded).front()).utilisation;
  EXPECT_GT(shares.device_busy, 0.99);
  EXPECT_GT(shares.interlock_held, shares.device_busy);
  EXPECT_NEAR(shares.worker_occupied, 1 - 2.7 / (2 * 6.02), 0.02);
}

TEST(MemoryBudget, AutomaticHonoursCgroups) {
  namespace fs = std::filesystem;
  fs::path root = fs::temp_directory_path() / "cuzk_cgroup_test";
  fs::remove_all(root);
  fs::create_directories(root / "proc/self");
  fs::create_directories(root / "cg/a/b");
  fs::create_directories(root / "cg/memory/x");
  auto write = [&](const char* name, const std::string& text) { std::ofstream(root / name) << text; };
  write("proc/meminfo", "MemTotal:       1000 kB\nMemFree: 5 kB\n");
  auto automatic = [&] { return automatic_budget_bytes((root / "proc").string(), (root / "cg").string()); };
  EXPECT_EQ(automatic(), 1024000u - 1024000u / 8);
  write("proc/self/cgroup", "0::/a/b\n");
  write("cg/a/memory.max", "80000\n");
  write("cg/a/b/memory.max", "max\n");
  EXPECT_EQ(automatic(), 70000u);
  write("proc/self/cgroup", "5:cpu,memory:/x\n");
  write("cg/memory/x/memory.limit_in_bytes", "40000\n");
  EXPECT_EQ(automatic(), 35000u);
  fs::remove_all(root);
}

}  // namespace
}  // namespace cuzk::engine
