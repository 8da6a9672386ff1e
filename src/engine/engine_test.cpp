// The engine with real proofs on the CPU device, and with devices that fail.
#include "engine/engine.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <map>

#include "device/cpu/cpu_device.hpp"
#include "engine/self_test.hpp"
#include "engine/synthetic.hpp"
#include "timeline/kept_events.hpp"

namespace cuzk::engine {
namespace {

using namespace std::chrono_literals;
using timeline::Event;
using timeline::EventKind;

// Sums that take their time, and keep reading the witness meanwhile.
class SlowSums final : public PendingSums {
 public:
  SlowSums(std::unique_ptr<PendingSums> sums, std::chrono::milliseconds delay, bool throws)
      : sums_(std::move(sums)), delay_(delay), throws_(throws) {}
  std::span<const BusySpan> busy() const override { return sums_->busy(); }
  Result<ProofSums> wait() override {
    std::this_thread::sleep_for(delay_);
    if (throws_) throw std::bad_alloc();
    return sums_->wait();
  }

 private:
  std::unique_ptr<PendingSums> sums_;
  std::chrono::milliseconds delay_;
  bool throws_;
};

// Fails or delays as told, otherwise the CPU device.
class TroubledDevice final : public Device {
 public:
  // tail_pool: sums in G2 on the same executor, after the device was let go.
  explicit TroubledDevice(Executor& executor, bool tail_pool = false)
      : cpu_(executor, CpuDevice::Residency::kDecoded, {tail_pool ? &executor : nullptr, {}}) {}
  std::string name() const override { return "troubled"; }
  MemoryPlan plan_key(const ProofShape& shape) const override { return cpu_.plan_key(shape); }
  MemoryPlan plan_proof(const ProofShape& shape) const override { return cpu_.plan_proof(shape); }
  Result<std::shared_ptr<const DeviceKey>> load_key(const KeyMaterial& key) override {
    return cpu_.load_key(key);
  }
  Result<std::unique_ptr<PendingSums>> start(std::shared_ptr<const DeviceKey> key,
                                             const WitnessInput& witness, bool check) override {
    ++starts;
    if (failures_left.fetch_sub(1) > 0) return fail(ErrorCode::kUnavailable, "device lost");
    std::this_thread::sleep_for(delay);
    if (throws) throw std::bad_alloc();
    auto sums = cpu_.start(std::move(key), witness, check);
    if (!sums || (tail_delay.count() == 0 && !tail_throws)) return sums;
    return std::make_unique<SlowSums>(std::move(*sums), tail_delay, tail_throws);
  }

  std::atomic<int> failures_left{0}, starts{0};
  std::atomic<bool> throws{false}, tail_throws{false};
  std::chrono::milliseconds delay{0}, tail_delay{0};

 private:
  CpuDevice cpu_;
};

struct Fixture {
  explicit Fixture(EngineConfig c = {}, size_t devices = 1)
      : recorder(std::make_unique<timeline::KeptEvents>(events), timeline::monotonic_clock(), false) {
    c.scheduler.memory_bytes = c.scheduler.memory_bytes != 0 ? c.scheduler.memory_bytes : 1u << 30;
    c.scheduler.retry_pause = 5'000'000;
    c.scheduler.quarantine_pause = 30'000'000;
    small = std::make_shared<SyntheticCircuit>(SyntheticSpec{6, 0.8}, nullptr);
    other = std::make_shared<SyntheticCircuit>(SyntheticSpec{7, 0.5}, nullptr);
    std::vector<Device*> pointers;
    for (size_t d = 0; d < devices; ++d) {
      troubled.push_back(std::make_unique<TroubledDevice>(executor));
      pointers.push_back(troubled.back().get());
    }
    engine = std::make_unique<Engine>(c, pointers, std::vector<std::shared_ptr<Circuit>>{small, other},
                                      recorder, random);
  }
  JobId submit(uint32_t partitions, const JobOptions& options = {}, const Circuit* circuit = nullptr) {
    auto submitted = engine->submit((circuit ? circuit : small.get())->name(),
                                    std::make_shared<SyntheticInput>(seed += 100, partitions), options);
    EXPECT_TRUE(submitted.has_value()) << submitted.error().message;
    return submitted ? submitted->job : 0;
  }
  JobState state_of(JobId id) {
    auto result = engine->wait(id);
    EXPECT_TRUE(result.has_value());
    return result ? result->state : JobState::kFailed;
  }
  void expect_clean() {
    // Deferred release may still be under way.
    for (int i = 0; i < 200 && engine->memory_used(MemoryTag::kWitness) != 0; ++i)
      std::this_thread::sleep_for(5ms);
    EXPECT_EQ(engine->memory_used(MemoryTag::kWitness), 0u);
    EXPECT_EQ(engine->memory_used(MemoryTag::kScratch), 0u);
  }
  size_t count(EventKind kind) {
    recorder.drain();
    return static_cast<size_t>(
        std::count_if(events.begin(), events.end(), [&](const Event& e) { return e.kind == kind; }));
  }

  std::vector<Event> events;
  timeline::Recorder recorder;
  InlineExecutor executor;
  SystemRandom random;
  uint64_t seed = 1;
  std::shared_ptr<SyntheticCircuit> small, other;
  std::vector<std::unique_ptr<TroubledDevice>> troubled;
  std::unique_ptr<Engine> engine;
};

TEST(Synthetic, ParsesAndProvesEverySmallSize) {
  for (const char* bad : {"", "synthetic:", "synthetic:x", "synthetic:3", "synthetic:40",
                          "synthetic:10:", "synthetic:10:bits=", "synthetic:10:bits=2",
                          "synthetic:10:bits=nan", "synthetic:10:bits=-1", "synthetic:10:b=1",
                          "synthetic:10:work=0", "synthetic:10:bits=0.5:", "synthetic:10:work=x"})
    EXPECT_FALSE(parse_synthetic(bad).has_value()) << bad;
  EXPECT_EQ(parse_synthetic("synthetic:12:bits=0.25")->bits, 0.25);
  EXPECT_EQ(parse_synthetic("synthetic:12:bits=0.25:work=3")->work, 3u);
  InlineExecutor executor;
  CpuDevice device(executor);
  for (size_t log2 : {4, 5, 8})
    for (double bits : {0.0, 0.5, 1.0}) {
      SyntheticCircuit circuit({log2, bits}, nullptr);
      auto key = circuit.load_key();
      ASSERT_TRUE(key.has_value()) << key.error().message;
      EXPECT_EQ(key->key.domain_size(), size_t{1} << log2);
      auto resident = ResidentKey::load(device, key->key, key->circuit);
      ASSERT_TRUE(resident.has_value()) << resident.error().message;
      PartitionWitness witness = circuit.witness(7);
      TestRandom random(1);
      auto pending = start(device, *resident, witness.view(), Blinding::random(random));
      ASSERT_TRUE(pending.has_value()) << pending.error().message;
      auto proof = finish(std::move(*pending));
      EXPECT_TRUE(proof.has_value()) << proof.error().message;
    }
}

TEST(Engine, ProvesJobsAndRecordsThem) {
  Fixture f;
  std::vector<JobId> ids;
  for (int i = 0; i < 4; ++i) ids.push_back(f.submit(3));
  for (JobId id : ids) {
    auto result = f.engine->wait(id);
    ASSERT_TRUE(result.has_value());
    EXPECT_EQ(result->state, JobState::kDone);
    EXPECT_EQ(result->proofs.size(), 3u);
  }
  f.expect_clean();
  EXPECT_EQ(f.count(EventKind::kLockReleased), 12u);
  EXPECT_EQ(f.count(EventKind::kDeviceBusy), 36u);
  EXPECT_EQ(f.count(EventKind::kCheckEnd), 12u);
  EXPECT_EQ(f.count(EventKind::kJobDone), 4u);
}

TEST(Engine, RecordsEveryStepOfAPartition) {
  for (bool deferred : {true, false}) {
    EngineConfig config;
    config.deferred_release = deferred;
    Fixture f(config);
    f.state_of(f.submit(4));
    f.expect_clean();
    for (EventKind kind :
         {EventKind::kSynthStart, EventKind::kSynthEnd, EventKind::kDeviceQueue, EventKind::kDevicePickup,
          EventKind::kPrepareEnd, EventKind::kDeviceStart, EventKind::kLockTaken, EventKind::kLockReleased,
          EventKind::kDeviceEnd, EventKind::kTailEnd, EventKind::kAssembleEnd, EventKind::kCheckEnd,
          EventKind::kReleaseEnd, EventKind::kMemoryReserved})
      EXPECT_EQ(f.count(kind), kind == EventKind::kMemoryReserved ? 5u : 4u) << event_name(kind);
    std::map<std::string, int> busy;
    std::map<int32_t, int64_t> taken, released, work;
    for (const Event& e : f.events) {
      if (e.kind == EventKind::kLockTaken) taken[e.partition] = e.time_ns;
      if (e.kind == EventKind::kLockReleased) released[e.partition] = e.time_ns;
      if (e.kind == EventKind::kReleaseEnd) {
        EXPECT_GT(std::stoi(std::string(timeline::detail_value(e.detail, "bytes").value_or("0"))), 0);
        EXPECT_EQ(e.worker == "release", deferred);
      }
    }
    for (const Event& e : f.events) {
      if (e.kind != EventKind::kDeviceBusy) continue;
      ++busy[std::string(timeline::detail_value(e.detail, "op").value_or(""))];
      work[e.partition] += e.duration_ns;
      // Up to the rounding of two clocks read one after the other.
      EXPECT_GE(e.begin_ns(), taken[e.partition] - 1'000'000);
      EXPECT_LE(e.time_ns, released[e.partition] + 1'000'000);
    }
    EXPECT_EQ(busy, (std::map<std::string, int>{{"evaluate", 4}, {"msm", 4}, {"ntt", 4}}));
    for (auto [partition, sum] : work) EXPECT_GT(sum, (released[partition] - taken[partition]) / 2);
  }
}

TEST(Engine, SynthesisYieldsToTailsOnlyIfAsked) {
  for (bool throttle : {true, false}) {
    EngineConfig config;
    config.throttle_synthesis = throttle;
    config.finishers = 2;
    config.scheduler.max_ready_partitions = 1;  // synthesis goes on while tails run
    Fixture f(config);
    f.troubled[0]->tail_delay = 10ms;
    f.state_of(f.submit(8));
    f.expect_clean();
    EXPECT_EQ(f.count(EventKind::kThrottleBegin), f.count(EventKind::kThrottleEnd));
    EXPECT_EQ(f.count(EventKind::kThrottleEnd) > 0, throttle);
  }
}

TEST(Engine, CancelWhileATailReadsTheWitness) {
  for (int delay : {0, 3, 10, 25, 40}) {
    Fixture f;
    f.troubled[0]->tail_delay = 15ms;
    JobId id = f.submit(6);
    std::this_thread::sleep_for(std::chrono::milliseconds(delay));
    f.engine->cancel(id);
    f.state_of(id);
    f.expect_clean();
  }
}

TEST(Engine, UnknownCircuitAndForeignInput) {
  Fixture f;
  auto submitted = f.engine->submit("porep-32g", std::make_shared<SyntheticInput>(1, 1), {});
  ASSERT_FALSE(submitted.has_value());
  EXPECT_NE(submitted.error().message.find("synthetic:6"), std::string::npos);
  class Foreign final : public JobInput {
    uint32_t partitions() const override { return 1; }
    std::string digest() const override { return "x"; }
  };
  submitted = f.engine->submit(f.small->name(), std::make_shared<Foreign>(), {});
  ASSERT_TRUE(submitted.has_value());
  EXPECT_EQ(f.state_of(submitted->job), JobState::kFailed);
}

TEST(Engine, RetriesWhatADeviceLost) {
  Fixture f;
  f.troubled[0]->failures_left = 2;
  JobId id = f.submit(2);
  EXPECT_EQ(f.state_of(id), JobState::kDone);
  EXPECT_EQ(f.count(EventKind::kPartitionRetry), 2u);
  f.expect_clean();
}

TEST(Engine, QuarantinesTestsAndRestores) {
  EngineConfig config;
  config.scheduler.max_attempts = 10;
  Fixture f(config);
  f.troubled[0]->failures_left = 4;  // three in work, one in the test
  JobId id = f.submit(3);
  EXPECT_EQ(f.state_of(id), JobState::kDone);
  EXPECT_EQ(f.count(EventKind::kDeviceQuarantined), 1u);
  EXPECT_EQ(f.count(EventKind::kDeviceRestored), 1u);
}

TEST(Engine, FailsAfterTheLastAttemptAndNamesThePartition) {
  Fixture f;
  f.troubled[0]->failures_left = 1000;
  JobId id = f.submit(1, {.timeout = 2'000'000'000});
  auto result = f.engine->wait(id);
  ASSERT_TRUE(result.has_value());
  EXPECT_EQ(result->state, JobState::kFailed);
  EXPECT_NE(result->error->message.find("device lost"), std::string::npos) << result->error->message;
  EXPECT_NE(result->error->message.find("partition 0"), std::string::npos);
}

TEST(Engine, CancelAndIdempotency) {
  Fixture f;
  f.troubled[0]->delay = 20ms;
  JobId doomed = f.submit(50);
  JobId first = f.submit(1, {.request_id = "a"});
  f.engine->cancel(doomed);
  EXPECT_EQ(f.state_of(doomed), JobState::kCancelled);
  EXPECT_EQ(f.state_of(first), JobState::kDone);
  auto input = std::make_shared<SyntheticInput>(f.seed, 1);
  auto again = f.engine->submit(f.small->name(), input, {.request_id = "a"});
  ASSERT_TRUE(again.has_value());
  EXPECT_TRUE(again->joined);
  EXPECT_EQ(again->job, first);
  EXPECT_FALSE(f.engine->submit(f.small->name(), std::make_shared<SyntheticInput>(9, 1), {.request_id = "a"})
                   .has_value());
  f.expect_clean();
}

TEST(Engine, KeysAreEvictedAndReloadedUnderPressure) {
  Fixture probe;
  probe.state_of(probe.submit(1, {}, probe.other.get()));
  uint64_t one_key = probe.engine->memory_used(MemoryTag::kKey), peak = probe.engine->peak_memory_bytes();
  EngineConfig config;
  config.scheduler.memory_bytes = peak + one_key / 4;  // no room for both keys
  Fixture f(config);
  for (int round = 0; round < 5; ++round) {
    EXPECT_EQ(f.state_of(f.submit(2, {}, f.small.get())), JobState::kDone);
    EXPECT_EQ(f.state_of(f.submit(2, {}, f.other.get())), JobState::kDone);
  }
  EXPECT_GE(f.count(EventKind::kKeyEvict), 9u);
  EXPECT_LE(f.engine->peak_memory_bytes(), config.scheduler.memory_bytes);
}

// A circuit for whose work there is no memory.
class HungryCircuit final : public Circuit {
 public:
  explicit HungryCircuit(std::shared_ptr<SyntheticCircuit> circuit) : circuit_(std::move(circuit)) {}
  const std::string& name() const override { return name_; }
  Result<ProofShape> shape() const override { return circuit_->shape(); }
  uint64_t witness_bytes() const override { return circuit_->witness_bytes(); }
  Result<CircuitKey> load_key() override {
    if (stage == "key") throw std::bad_alloc();
    return circuit_->load_key();
  }
  Status check_input(const JobInput& input) const override {
    if (stage == "input") throw std::bad_alloc();
    return circuit_->check_input(input);
  }
  Result<PartitionWitness> synthesise(const JobInput& input, uint32_t partition,
                                      const SynthesisContext& context) const override {
    if (stage == "synthesis") throw std::bad_alloc();
    return circuit_->synthesise(input, partition, context);
  }

  std::string stage;  // the one that throws; changed while the engine is idle

 private:
  std::shared_ptr<SyntheticCircuit> circuit_;
  std::string name_ = "hungry";
};

TEST(Engine, WantOfMemoryFailsTheJobThatWantedIt) {
  for (bool tail_pool : {false, true}) {
    InlineExecutor executor;
    std::vector<Event> events;
    timeline::Recorder recorder(std::make_unique<timeline::KeptEvents>(events), timeline::monotonic_clock(),
                                false);
    SystemRandom random;
    auto circuit =
        std::make_shared<HungryCircuit>(std::make_shared<SyntheticCircuit>(SyntheticSpec{6, 0.8}, nullptr));
    TroubledDevice device(executor, tail_pool);
    EngineConfig config;
    config.scheduler.memory_bytes = 1u << 30;
    Engine engine(config, {&device}, {circuit}, recorder, random);
    auto prove = [&](uint64_t seed) {
      auto submitted = engine.submit("hungry", std::make_shared<SyntheticInput>(seed, 3), {});
      EXPECT_TRUE(submitted.has_value());
      return *engine.wait(submitted->job);
    };
    uint64_t seed = 0;
    for (const char* stage : {"key", "input", "synthesis", "device", "tail"}) {
      circuit->stage = stage;
      device.throws = circuit->stage == "device";
      device.tail_throws = circuit->stage == "tail";
      JobResult failed = prove(++seed * 100);
      EXPECT_EQ(failed.state, JobState::kFailed) << stage;
      ASSERT_TRUE(failed.error.has_value()) << stage;
      EXPECT_EQ(failed.error->code, ErrorCode::kResourceExhausted) << stage;
      EXPECT_NE(failed.error->message.find("out of memory"), std::string::npos) << failed.error->message;
      circuit->stage = "";
      device.throws = device.tail_throws = false;
      EXPECT_EQ(prove(++seed * 100).state, JobState::kDone) << stage;
      for (int i = 0; i < 200 && engine.memory_used(MemoryTag::kWitness) != 0; ++i)
        std::this_thread::sleep_for(5ms);  // deferred release
      EXPECT_EQ(engine.memory_used(MemoryTag::kWitness), 0u) << stage;
      EXPECT_EQ(engine.memory_used(MemoryTag::kScratch), 0u) << stage;
    }
  }
}

TEST(Engine, DrainEndsInBoundedTime) {
  Fixture f;
  f.troubled[0]->delay = 10ms;
  JobId id = f.submit(1000);
  auto begin = std::chrono::steady_clock::now();
  f.engine->drain(100ms);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
  EXPECT_EQ(f.state_of(id), JobState::kCancelled);
  EXPECT_FALSE(f.engine->submit(f.small->name(), std::make_shared<SyntheticInput>(1, 1), {}).has_value());
}

TEST(Engine, AbortGivesUpWaitingForADeviceThatHangs) {
  Fixture f;
  f.troubled[0]->delay = 1500ms;  // longer than a busy machine keeps this thread from draining
  JobId id = f.submit(3);
  while (f.troubled[0]->starts == 0) std::this_thread::sleep_for(1ms);
  EXPECT_FALSE(f.engine->drain(1ms, 20ms));
  // Whoever waits is told at once, and so is the timeline, once.
  EXPECT_EQ(f.state_of(id), JobState::kCancelled);
  EXPECT_EQ(f.count(EventKind::kJobCancelled), 1u);
  EXPECT_TRUE(f.engine->abort());
  EXPECT_EQ(f.state_of(id), JobState::kCancelled);
  EXPECT_EQ(f.count(EventKind::kJobCancelled), 1u);
  f.expect_clean();
}

TEST(Engine, ManyThreadsManyJobsTwoDevices) {
  EngineConfig config;
  config.scheduler.synthesis_workers = 3;
  config.finishers = 2;
  config.throttle_synthesis = true;
  Fixture f(config, 2);
  std::atomic<int> done{0};
  {
    std::vector<std::jthread> clients;
    for (int c = 0; c < 4; ++c)
      clients.emplace_back([&, c] {
        for (int i = 0; i < 6; ++i) {
          const Circuit& circuit = i % 2 ? static_cast<const Circuit&>(*f.small) : *f.other;
          auto submitted = f.engine->submit(
              circuit.name(), std::make_shared<SyntheticInput>(static_cast<uint64_t>(c * 1000 + i), 2),
              {.client = std::to_string(c), .priority = static_cast<Priority>(i % 4)});
          ASSERT_TRUE(submitted.has_value());
          auto result = f.engine->wait(submitted->job);
          ASSERT_TRUE(result.has_value());
          if (result->state == JobState::kDone) ++done;
        }
      });
  }
  EXPECT_EQ(done.load(), 24);
  f.expect_clean();
}

TEST(Throttle, CountsHoldersAndNeverWaitsWhenOff) {
  SynthesisThrottle off(false), on(true);
  SynthesisThrottle::Hold a(off);
  EXPECT_EQ(off.pause().count(), 0);
  auto first = std::make_unique<SynthesisThrottle::Hold>(on);
  auto second = std::make_unique<SynthesisThrottle::Hold>(on);
  EXPECT_GT(on.pause(5ms).count(), 0);
  first.reset();
  EXPECT_EQ(on.holders(), 1);
  std::jthread later([&] {
    std::this_thread::sleep_for(200ms);  // longer than this thread may be kept from reaching pause()
    second.reset();
  });
  EXPECT_GT(on.pause(5000ms).count(), 1'000'000);
}

TEST(SelfTest, PassesOnTheCpu) {
  InlineExecutor executor;
  CpuDevice device(executor);
  EXPECT_TRUE(self_test(device).has_value());
}

}  // namespace
}  // namespace cuzk::engine
