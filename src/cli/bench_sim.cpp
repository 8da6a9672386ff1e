#include <fstream>
#include <iterator>

#include "base/strict_json.hpp"
#include "cli/bench.hpp"
#include "engine/simulation.hpp"

namespace cuzk::cli {

namespace {

using engine::JobResult;
using timeline::EventKind;

// Stage times and sizes of a simulated device: docs/formats/simulated-device.md.
struct SimulatedDevice {
  engine::StageTimes times;
  engine::CircuitPlan plan;
  size_t devices = 1, finishers = 2;
  double handover_ms = 0.02;
  uint64_t seed = 1;
};

Result<engine::StageTime> stage_time(const nlohmann::json& json, const std::string& place) {
  if (json.is_number()) return engine::StageTime{json.get<double>(), 0};
  if (!json.is_object() || !json.contains("median_ms") || !json["median_ms"].is_number())
    return invalid(place + ": expected a number of milliseconds or {\"median_ms\": …, \"spread\": …}");
  engine::StageTime time{json["median_ms"].get<double>(), json.value("spread", 0.0)};
  if (!(time.median_ms >= 0) || !(time.spread >= 0 && time.spread < 5))
    return invalid(place + ": median_ms must not be negative, spread is from 0 to 5");
  return time;
}

Result<SimulatedDevice> read_simulated(const std::string& path) {
  std::ifstream file(path);
  if (!file)
    return fail(ErrorCode::kNotFound, path + ": cannot open the description of the simulated device");
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto parsed = parse_json<nlohmann::json>(text);
  if (!parsed) return tl::unexpected<Error>(parsed.error().at(path));
  const nlohmann::json& json = *parsed;
  if (!json.is_object()) return invalid(path + ": not a JSON object");
  SimulatedDevice out;
  const std::pair<const char*, engine::StageTime*> stages[] = {
      {"parse", &out.times.parse},     {"key_load", &out.times.key_load}, {"synthesis", &out.times.synthesis},
      {"prepare", &out.times.prepare}, {"tail", &out.times.tail},         {"check", &out.times.check}};
  for (const auto& [name, time] : stages)
    if (json.contains(name)) {
      CUZK_ASSIGN(*time, stage_time(json[name], path + ": '" + name + "'"));
    }
  if (!json.contains("device") || !json["device"].is_array() || json["device"].empty())
    return invalid(path + ": 'device' must be a list of {\"op\": name, \"median_ms\": …}");
  for (const auto& op : json["device"]) {
    CUZK_ASSIGN(auto time, stage_time(op, path + ": 'device'"));
    out.times.device.emplace_back(op.value("op", "work"), time);
  }
  try {
    out.plan = {"simulated", json.value("key_bytes", uint64_t{0}), json.value("witness_bytes", uint64_t{0}),
                json.value("scratch_bytes", uint64_t{0})};
    out.devices = json.value("devices", size_t{1});
    out.finishers = json.value("finishers", size_t{2});
    out.handover_ms = json.value("handover_ms", 0.02);
    out.seed = json.value("seed", uint64_t{1});
  } catch (const nlohmann::json::exception& e) {
    return invalid(path + ": " + e.what());
  }
  if (out.devices == 0 || out.devices > 1024 || out.finishers == 0)
    return invalid(path + ": devices is from 1 to 1024");
  return out;
}

class SimulatedTarget final : public BenchTarget {
 public:
  SimulatedTarget(const BenchOptions& options, const SimulatedDevice& device,
                  const engine::SimulationConfig& config, std::unique_ptr<BenchSink> sink)
      : options_(options), device_(device), simulation_(config, std::move(sink)) {
    simulation_.set_times(device.plan.circuit, device.times);
  }

  Result<Outcome> run(const BenchPoint& point) override {
    Outcome outcome;
    simulation_.bench_lane().record(
        EventKind::kBenchBegin,
        {.detail = "circuit=simulated;partitions=" + std::to_string(options_.partitions) +
                   ";c=" + std::to_string(point.count) + ";j=" + std::to_string(point.concurrency)});
    size_t submitted = 0;
    std::function<void()> submit_next = [&] {
      while (submitted < point.count) {
        ++submitted;
        engine::JobRequest request;
        request.plan = device_.plan;
        request.partitions = options_.partitions;
        request.priority = *engine::priority_from_name(options_.priority);
        auto accepted = simulation_.submit(request, [&](const engine::Job& job) {
          outcome.jobs.push_back({job.id, job.state, {}, job.error, job.accepted, job.ended});
          submit_next();
        });
        if (accepted) return;
        if (outcome.first_error.empty()) outcome.first_error = accepted.error().message;
      }
    };
    for (size_t i = 0; i < std::min(point.concurrency, point.count); ++i) submit_next();
    simulation_.run();
    simulation_.bench_lane().record(EventKind::kBenchEnd);
    simulation_.recorder().drain();
    return outcome;
  }
  uint64_t peak_memory_bytes() const override {
    return const_cast<engine::Simulation&>(simulation_).scheduler().memory().peak();
  }
  uint64_t memory_budget_bytes() const override {
    return const_cast<engine::Simulation&>(simulation_).scheduler().memory().total();
  }

 private:
  const BenchOptions& options_;
  SimulatedDevice device_;
  engine::Simulation simulation_;
};

}  // namespace

Result<std::unique_ptr<BenchTarget>> make_simulated_target(const BenchOptions& options,
                                                           const Settings& settings,
                                                           std::unique_ptr<BenchSink> sink) {
  CUZK_ASSIGN(auto device, read_simulated(options.device.substr(4)));
  engine::SimulationConfig config;
  config.scheduler = scheduler_config(settings);
  config.scheduler.devices = device.devices;
  config.finishers = device.finishers;
  config.handover_ms = device.handover_ms;
  config.seed = device.seed;
  return std::unique_ptr<BenchTarget>(new SimulatedTarget(options, device, config, std::move(sink)));
}

}  // namespace cuzk::cli
