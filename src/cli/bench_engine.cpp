#include <csignal>
#include <ctime>
#include <optional>
#include <thread>

#include "cli/bench.hpp"
#include "cli/devices.hpp"
#include "cli/file_circuit.hpp"
#include "cli/filecoin_keys.hpp"
#include "engine/filecoin/filecoin_circuit.hpp"
#include "engine/synthetic.hpp"
#include "filecoin/gen/generate.hpp"
#include "filecoin/sector.hpp"
#include "timeline/sampler.hpp"

namespace cuzk::cli {

namespace {

using engine::JobResult;
using timeline::EventKind;

// Together with the rest below the 10 s in which an interrupted benchmark ends.
constexpr auto kDrainPatience = std::chrono::seconds(4), kAbortPatience = std::chrono::seconds(3);

// An input of a Filecoin circuit that satisfies it; nothing for other circuits.
std::shared_ptr<const engine::JobInput> make_up_input(const std::string& circuit, Executor& executor) {
  const auto id = engine::parse_engine_circuit(circuit);
  if (!id) return nullptr;
  return std::make_shared<engine::FilecoinInput>(generate_input(*id, 1, executor), Bytes());
}

class EngineTarget final : public BenchTarget {
 public:
  EngineTarget(const BenchOptions& options, const Settings& settings,
               std::shared_ptr<engine::Circuit> circuit, std::unique_ptr<ThreadPool> executor,
               std::unique_ptr<ThreadPool> tail, std::unique_ptr<Device> device,
               std::unique_ptr<BenchSink> sink)
      : options_(options),
        circuit_(std::move(circuit)),
        executor_(std::move(executor)),
        made_up_(make_up_input(options.circuit, *executor_)),
        tail_(std::move(tail)),
        device_(std::move(device)),
        recorder_(settings.record ? std::move(sink) : nullptr, timeline::monotonic_clock(),
                  /*threaded=*/true),
        lane_(recorder_.lane("bench")) {
    engine::EngineConfig config;
    config.scheduler = scheduler_config(settings);
    config.finishers = settings.finishers;
    config.deferred_release = settings.deferred_release;
    config.throttle_synthesis = settings.throttle;
    // What the pool keeps while nobody has reserved it.
    config.scheduler.memory_bytes -= settings.buffer_pool;
    config.scheduler.critical_reserve_bytes =
        std::min(config.scheduler.critical_reserve_bytes, config.scheduler.memory_bytes);
    budget_ = config.scheduler.memory_bytes;
    engine_ = std::make_unique<engine::Engine>(config, std::vector<Device*>{device_.get()},
                                               std::vector<std::shared_ptr<engine::Circuit>>{circuit_},
                                               recorder_, random_);
    // Samples belong to a timeline that somebody keeps.
    if (settings.samples && !options.timeline.empty())
      sampler_.emplace(recorder_,
                       timeline::SamplerConfig{std::chrono::milliseconds(settings.sample_period_ms),
                                               settings.memory_probe,
                                               {device_->pci_bus_id()}});
  }

  Result<Outcome> run(const BenchPoint& point) override;
  uint64_t peak_memory_bytes() const override { return engine_->peak_memory_bytes(); }
  uint64_t memory_budget_bytes() const override { return budget_; }

 private:
  // What the clients of one run share.
  struct Clients {
    std::atomic<size_t> next{0}, running{0};
    Outcome outcome;
  };
  void client(const BenchPoint& point, Clients& shared);
  std::shared_ptr<const engine::JobInput> input(size_t number) const;
  void note(Outcome& outcome, const Error& error) {
    std::lock_guard lock(mutex_);
    if (outcome.first_error.empty()) outcome.first_error = error.message;
  }

  const BenchOptions& options_;
  std::shared_ptr<engine::Circuit> circuit_;
  std::unique_ptr<ThreadPool> executor_;
  std::shared_ptr<const engine::JobInput> made_up_;  // of a Filecoin circuit: the same for every job
  std::unique_ptr<ThreadPool> tail_;
  std::unique_ptr<Device> device_;
  SystemRandom random_;
  timeline::Recorder recorder_;
  timeline::Recorder::Lane& lane_;
  std::unique_ptr<engine::Engine> engine_;
  std::optional<timeline::Sampler> sampler_;
  uint64_t budget_ = 0;
  std::mutex mutex_;
  std::atomic<bool> stop_{false};
};

std::shared_ptr<const engine::JobInput> EngineTarget::input(size_t number) const {
  if (options_.circuit.starts_with("synthetic:"))
    return std::make_shared<engine::SyntheticInput>(1 + number * options_.partitions, options_.partitions);
  if (made_up_) return made_up_;
  return std::make_shared<FileInput>(options_.partitions);
}

// Keeps one job in flight until all are submitted. A job that fails is noted, the others go on.
void EngineTarget::client(const BenchPoint& point, Clients& shared) {
  Outcome& outcome = shared.outcome;
  for (size_t number; !stop_ && (number = shared.next.fetch_add(1)) < point.count;) {
    auto submitted = engine_->submit(circuit_->name(), input(number),
                                     {.priority = *engine::priority_from_name(options_.priority)});
    if (!submitted) {
      note(outcome, submitted.error());
      continue;
    }
    auto result = engine_->wait(submitted->job);
    if (!result) {
      note(outcome, result.error());
      continue;
    }
    if (result->error) note(outcome, *result->error);
    result->proofs.clear();  // checked by the engine; a benchmark keeps none
    std::lock_guard lock(mutex_);
    outcome.jobs.push_back(std::move(*result));
  }
}

Result<BenchTarget::Outcome> EngineTarget::run(const BenchPoint& point) {
  lane_.record(
      EventKind::kBenchBegin,
      {.detail = "circuit=" + options_.circuit + ";partitions=" + std::to_string(options_.partitions) +
                 ";c=" + std::to_string(point.count) + ";j=" + std::to_string(point.concurrency) +
                 ";device=" + options_.device + ";cpus=" + std::to_string(usable_cpus())});
  Clients shared;
  std::vector<std::jthread> clients;
  shared.running = std::min(point.concurrency, point.count);
  for (size_t i = 0, n = shared.running; i < n; ++i)
    clients.emplace_back([this, &point, &shared] {
      client(point, shared);
      --shared.running;
    });
  while (shared.running > 0) {
    if (!wait_for_interrupt(std::chrono::milliseconds(20))) continue;
    shared.outcome.interrupted = stop_ = true;
    engine_->drain(kDrainPatience, kAbortPatience);  // after it, no client waits for a job any more
  }
  clients.clear();
  lane_.record(EventKind::kBenchEnd);
  recorder_.drain();
  return std::move(shared.outcome);
}

Result<std::shared_ptr<engine::Circuit>> open_filecoin_circuit(const CircuitId& id, const KeyChoice& key,
                                                               Executor& executor) {
  if (key.folder.empty())
    return invalid("--circuit " + id.name() + " needs --params DIR (and " + kKeyFolderVariable +
                   " is not set): a folder of keys");
  CUZK_ASSIGN(Manifest manifest, choose_manifest(key.manifest));
  auto circuit =
      engine::FilecoinCircuit::open(id, {key.folder, std::move(manifest), key.network_only}, executor);
  if (!circuit) return tl::unexpected(say_whence(key, std::move(circuit.error())));
  return std::move(*circuit);
}

Result<std::shared_ptr<engine::Circuit>> open_circuit(const BenchOptions& options, Executor& executor) {
  if (options.key.has_rules() && !engine::parse_engine_circuit(options.circuit))
    return invalid(
        "--manifest and --network-keys: only keys of Filecoin's circuits are chosen by them, and " +
        options.circuit + " is none");
  if (options.circuit.starts_with("synthetic:")) {
    CUZK_ASSIGN(auto spec, engine::parse_synthetic(options.circuit));
    return std::make_shared<engine::SyntheticCircuit>(spec, &executor);
  }
  if (options.circuit.starts_with("r1cs:")) {
    if (options.key.folder.empty() || options.witnesses.empty())
      return invalid("--circuit " + options.circuit +
                     " needs --params FILE and --witness FILE (once or more)");
    CUZK_ASSIGN(
        auto circuit,
        FileCircuit::open({options.circuit.substr(5), options.key.folder, options.witnesses}, executor));
    return circuit;
  }
  if (const auto id = engine::parse_engine_circuit(options.circuit))
    return open_filecoin_circuit(*id, options.key, executor);
  return invalid("--circuit " + options.circuit +
                 ": expected r1cs:FILE, synthetic:LOG2SIZE[:bits=SHARE][:work=TIMES] or one of Filecoin's, "
                 "as porep-32g");
}

}  // namespace

bool wait_for_interrupt(std::chrono::milliseconds time) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  timespec limit{time.count() / 1000, (time.count() % 1000) * 1'000'000};
  return sigtimedwait(&set, nullptr, &limit) > 0;
}

engine::SchedulerConfig scheduler_config(const Settings& settings) {
  engine::SchedulerConfig config;
  config.synthesis_workers = settings.synthesis_workers != 0 ? settings.synthesis_workers : usable_cpus();
  config.workers_per_device = settings.gpu_workers_per_device;
  config.reserved_lane = settings.reserved_lane;
  config.memory_bytes =
      settings.memory_budget != 0 ? settings.memory_budget : engine::automatic_budget_bytes();
  config.critical_reserve_bytes = std::min(settings.critical_reserve, config.memory_bytes);
  config.max_ready_partitions = settings.max_ready_partitions;
  config.max_attempts = static_cast<uint32_t>(settings.max_attempts);
  config.retry_pause = static_cast<engine::TimeNs>(settings.retry_pause_ms) * 1'000'000;
  config.quarantine_after = static_cast<uint32_t>(settings.quarantine_after);
  config.quarantine_pause = static_cast<engine::TimeNs>(settings.quarantine_pause_ms) * 1'000'000;
  return config;
}

Result<std::unique_ptr<BenchTarget>> make_engine_target(const BenchOptions& options, const Settings& settings,
                                                        std::unique_ptr<BenchSink> sink, size_t threads) {
  auto executor =
      std::make_unique<ThreadPool>(settings.device_threads != 0 ? settings.device_threads : threads);
  std::unique_ptr<ThreadPool> tail;
  if (settings.tail_threads != 0) tail = std::make_unique<ThreadPool>(settings.tail_threads);
  const uint64_t budget = scheduler_config(settings).memory_bytes;
  if (settings.buffer_pool >= budget)
    return invalid("memory.buffer_pool (" + std::to_string(settings.buffer_pool) +
                   " bytes) leaves nothing of the memory budget (" + std::to_string(budget) + " bytes)");
  const CpuDeviceOptions cpu{tail.get(), {settings.huge_pages, settings.buffer_pool}};
  CUZK_ASSIGN(auto device, open_device(options.device, *executor, CpuDevice::Residency::kDecoded, cpu));
  CUZK_ASSIGN(auto circuit, open_circuit(options, *executor));
  return std::unique_ptr<BenchTarget>(new EngineTarget(options, settings, std::move(circuit),
                                                       std::move(executor), std::move(tail),
                                                       std::move(device), std::move(sink)));
}

}  // namespace cuzk::cli
