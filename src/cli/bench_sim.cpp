#include "cli/bench.hpp"
#include "cli/simulated_device.hpp"

namespace cuzk::cli {

namespace {

using engine::JobResult;
using timeline::EventKind;

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
  CUZK_ASSIGN(auto device, read_simulated_device(options.device.substr(4)));
  engine::SimulationConfig config;
  config.scheduler = scheduler_config(settings);
  config.scheduler.devices = device.devices;
  config.finishers = device.finishers;
  config.handover_ms = device.handover_ms;
  config.seed = device.seed;
  return std::unique_ptr<BenchTarget>(new SimulatedTarget(options, device, config, std::move(sink)));
}

}  // namespace cuzk::cli
