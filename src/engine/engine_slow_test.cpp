// An engine that runs for long: nothing grows. And what needs circuits of some size.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "device/cpu/cpu_device.hpp"
#include "engine/engine.hpp"
#include "engine/synthetic.hpp"
#include "groth16/prove.hpp"
#include "timeline/csv.hpp"
#include "timeline/reader.hpp"

namespace cuzk::engine {
namespace {

namespace fs = std::filesystem;

struct Footprint {
  size_t resident_bytes, threads, files;
};

size_t entries(const char* folder) {
  return static_cast<size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

Footprint footprint() {
  std::ifstream statm("/proc/self/statm");
  size_t total = 0, resident = 0;
  statm >> total >> resident;
  return {resident * static_cast<size_t>(sysconf(_SC_PAGESIZE)), entries("/proc/self/task"),
          entries("/proc/self/fd")};
}

// The bytes of each key and of one partition, from the device's own plans.
uint64_t key_bytes(const CpuDevice& device, const Circuit& circuit) {
  return device.plan_key(*circuit.shape()).host_bytes;
}
uint64_t partition_bytes(const CpuDevice& device, const Circuit& circuit) {
  return device.plan_proof(*circuit.shape()).host_bytes + circuit.witness_bytes();
}

// 200 proofs from four threads; the budget holds one key at a time, so keys go and come all the while.
TEST(EngineSoak, TwoHundredProofsFromFourThreads) {
  constexpr size_t kThreads = 4, kJobs = 50, kWarmUp = 50;
  ThreadPool executor(2);
  CpuDevice device(executor, CpuDevice::Residency::kDecoded, {.buffers = {.keep_bytes = 8 << 20}});
  auto first = std::make_shared<SyntheticCircuit>(SyntheticSpec{8, 0.8}, &executor);
  auto second = std::make_shared<SyntheticCircuit>(SyntheticSpec{9, 0.5}, &executor);
  EngineConfig config;
  config.scheduler.synthesis_workers = 2;
  config.scheduler.memory_bytes =
      key_bytes(device, *second) + key_bytes(device, *first) / 2 + 2 * partition_bytes(device, *second);
  config.finishers = 2;
  SystemRandom random;
  const std::string path = (fs::temp_directory_path() / "cuzk_soak_test.csv").string();
  std::vector<Footprint> history;
  {
    auto sink = timeline::open_csv(path, timeline::make_header("test", ""));
    ASSERT_TRUE(sink.has_value());
    timeline::Recorder recorder(std::move(*sink), timeline::monotonic_clock(), /*threaded=*/true);
    Engine engine(config, {&device}, {first, second}, recorder, random);
    std::mutex mutex;
    std::atomic<size_t> proofs{0};
    std::vector<std::jthread> clients;
    for (size_t c = 0; c < kThreads; ++c)
      clients.emplace_back([&, c] {
        for (size_t i = 0; i < kJobs; ++i) {
          const Circuit& circuit = (i / 5 + c) % 2 != 0 ? *first : *second;
          auto submitted = engine.submit(
              circuit.name(), std::make_shared<SyntheticInput>(1 + c * 1000 + i, 1),
              {.request_id = std::to_string(c) + "/" + std::to_string(i), .client = std::to_string(c)});
          ASSERT_TRUE(submitted.has_value()) << submitted.error().message;
          auto result = engine.wait(submitted->job);
          ASSERT_TRUE(result.has_value());
          ASSERT_EQ(result->state, JobState::kDone) << result->error->message;
          proofs += result->proofs.size();
          std::lock_guard lock(mutex);
          history.push_back(footprint());
        }
      });
    clients.clear();
    EXPECT_EQ(proofs, kThreads * kJobs);
    EXPECT_LE(engine.peak_memory_bytes(), config.scheduler.memory_bytes);
  }
  auto timeline = timeline::read_timeline(path);
  ASSERT_TRUE(timeline.has_value());
  size_t evictions = 0;
  for (const auto& e : timeline->entries) evictions += e.kind == timeline::EventKind::kKeyEvict;
  EXPECT_GE(evictions, 5u);
  fs::remove(path);

  ASSERT_EQ(history.size(), kThreads * kJobs);
  auto most = [&](size_t from, size_t to, size_t Footprint::* what) {
    size_t out = 0;
    for (size_t i = from; i < to; ++i) out = std::max(out, history[i].*what);
    return out;
  };
  // Clients end one by one: threads may become fewer.
  EXPECT_LE(most(kWarmUp, 200, &Footprint::threads), most(0, kWarmUp, &Footprint::threads));
  EXPECT_LE(most(kWarmUp, 200, &Footprint::files), most(0, kWarmUp, &Footprint::files));
  EXPECT_LE(most(kWarmUp, 200, &Footprint::resident_bytes),
            most(0, kWarmUp, &Footprint::resident_bytes) + (size_t{4} << 20));
  std::printf("resident after 50, 100, 150, 200 proofs: %zu %zu %zu %zu KiB; %zu evictions\n",
              history[49].resident_bytes >> 10, history[99].resident_bytes >> 10,
              history[149].resident_bytes >> 10, history[199].resident_bytes >> 10, evictions);
}

// The tail on threads of its own, vectors from a pool: the same proofs, and the witness stays until the tail
// ends.
TEST(CpuDeviceOptions, TailPoolAndBufferPool) {
  ThreadPool tail(2);
  InlineExecutor executor;
  CpuDevice device(executor, CpuDevice::Residency::kDecoded,
                   {.tail = &tail, .buffers = {.huge_pages = true, .keep_bytes = 64 << 20}});
  CpuDevice plain(executor, CpuDevice::Residency::kDecoded);
  SyntheticCircuit circuit({15, 0.9}, &tail);  // vectors of a megabyte
  EXPECT_GT(device.plan_proof(*circuit.shape()).host_bytes, plain.plan_proof(*circuit.shape()).host_bytes);
  auto key = circuit.load_key();
  ASSERT_TRUE(key.has_value());
  auto resident = ResidentKey::load(device, key->key, key->circuit);
  ASSERT_TRUE(resident.has_value());
  PartitionWitness witness = circuit.witness(7);
  TestRandom random(1);
  for (int i = 0; i < 2; ++i) {
    auto pending = start(device, *resident, witness.view(), Blinding::random(random));
    ASSERT_TRUE(pending.has_value()) << pending.error().message;
    EXPECT_TRUE(pending->sums->reads_witness());
    auto proof = finish(std::move(*pending));
    EXPECT_TRUE(proof.has_value()) << proof.error().message;
  }
  EXPECT_EQ(device.buffers().counts().mapped, 3u);  // a, b and h; the witness in full is just below the least
  EXPECT_EQ(device.buffers().counts().reused, 3u);
  EXPECT_EQ(device.buffers().counts().unmapped, 0u);
}

}  // namespace
}  // namespace cuzk::engine
