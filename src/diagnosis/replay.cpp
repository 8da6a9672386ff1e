#include "diagnosis/replay.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <map>
#include <set>

#include "diagnosis/statistics.hpp"
#include "diagnosis/utilisation.hpp"
#include "engine/simulation.hpp"
#include "timeline/event.hpp"

namespace cuzk::diagnosis {

namespace {

constexpr uint64_t kUnlimited = uint64_t{1} << 60;
constexpr size_t kMostJobs = 400;  // enough for a steady state
constexpr size_t kMostPartitions = 20000;

double ms(int64_t ns) {
  return static_cast<double>(ns) * 1e-6;
}

std::optional<size_t> parameter(const RunModel& model, std::string_view key) {
  auto text = timeline::detail_value(model.bounds.parameters, key);
  size_t value = 0;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), value).ec != std::errc() ||
      value == 0)
    return std::nullopt;
  return value;
}

// The header's settings; those that this version does not know are passed over.
Settings header_settings(const std::string& config, std::set<std::string>& named) {
  Settings out;
  for (std::string_view rest = config; !rest.empty();) {
    const size_t end = std::min(rest.find(';'), rest.size());
    std::string pair(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
    std::erase(pair, '"');
    if (apply_assignment(out, pair)) named.insert(pair.substr(0, pair.find('=')));
  }
  return out;
}

// From the release of a device to the next worker that was waiting for it.
double recorded_handover(const RunModel& model) {
  std::vector<double> waits;
  for (const auto& regions : model.regions)
    for (size_t i = 1; i < regions.size(); ++i) {
      const Partition& next = model.partitions[regions[i].partition];
      if (next.asked != kNever && next.asked < regions[i - 1].end_ns)
        waits.push_back(ms(std::max<int64_t>(regions[i].begin_ns - regions[i - 1].end_ns, 0)));
    }
  return waits.size() < 3 ? 0.02 : median(waits);
}

size_t workers_per_device(const RunModel& model) {
  std::map<int32_t, std::set<uint32_t>> workers;
  for (const Partition& p : model.partitions)
    if (p.in_region()) workers[p.device].insert(p.worker);
  size_t most = 1;
  for (const auto& [device, names] : workers) most = std::max(most, names.size());
  return most;
}

// Sums what the replay's devices were held for.
class HeldSink final : public timeline::Sink {
 public:
  struct Sums {
    double held_ns = 0;
    int64_t first = INT64_MAX, last = INT64_MIN;
  };
  explicit HeldSink(Sums& sums) : sums_(sums) {}
  void write(const timeline::Event& event) override {
    if (event.kind != timeline::EventKind::kLockReleased) return;
    sums_.held_ns += static_cast<double>(event.duration_ns);
    sums_.first = std::min(sums_.first, event.begin_ns());
    sums_.last = std::max(sums_.last, event.time_ns);
  }

 private:
  Sums& sums_;
};

engine::StageTime recorded_time(const std::vector<double>& values, double factor) {
  engine::StageTime out;
  if (values.empty()) return out;
  std::vector<double> scaled = values;
  for (double& v : scaled) v *= factor;
  out.recorded = std::make_shared<const std::vector<double>>(std::move(scaled));
  return out;
}

}  // namespace

bool replay_knows(const std::string& key) {
  for (const char* known :
       {"synthesis.workers", "synthesis.max_ready_partitions", "gpus.gpu_workers_per_device", "cpu.finishers",
        "memory.budget", "gpus.reserved_lane"})
    if (key == known) return true;
  return false;
}

Result<Replay> Replay::of(const timeline::Timeline& timeline, const RunModel& model) {
  Replay out;
  Recorded& r = out.recorded_;
  std::map<std::string, size_t> kind_at;
  std::map<uint32_t, size_t> kind_of_job;
  for (const JobRecord& job : model.jobs) {
    auto [it, fresh] = kind_at.try_emplace(job.kind, out.kinds_.size());
    if (fresh) out.kinds_.push_back({job.kind.empty() ? "recorded" : job.kind, {}, {}, {}, {}, {}, 0, 0});
    kind_of_job[job.job] = it->second;
    if (job.parse_ns >= 0) out.kinds_[it->second].parse.push_back(ms(job.parse_ns));
    if (job.complete() && job.expected > 0) out.jobs_.push_back({it->second, job.expected});
  }
  r.each_worker_a_device = model.upper_bound;
  double busy = 0, held = 0;
  std::vector<double> transfer(out.kinds_.size(), 0.0), compute(out.kinds_.size(), 0.0),
      all(out.kinds_.size(), 0.0);
  for (const Partition& p : model.partitions) {
    const size_t k = kind_of_job[p.job];
    Kind& kind = out.kinds_[k];
    if (p.failed) continue;
    if (p.synth_ns >= 0) kind.synthesis.push_back(ms(p.synth_ns));
    if (p.prepare_ns >= 0) kind.prepare.push_back(ms(p.prepare_ns));
    if (p.held_ns >= 0) kind.held.push_back(ms(p.held_ns));
    if (p.finish_ns >= 0) kind.finish.push_back(ms(p.finish_ns));
    const double t = ms(std::max<int64_t>(p.transfer_ns, 0)), c = ms(std::max<int64_t>(p.compute_ns, 0));
    transfer[k] += t;
    compute[k] += c;
    all[k] += ms(std::max<int64_t>(p.held_ns, 0));
    busy += t + c;
    held += ms(std::max<int64_t>(p.held_ns, 0));
  }
  bool regions = false;
  for (size_t k = 0; k < out.kinds_.size(); ++k) {
    regions |= !out.kinds_[k].held.empty();
    if (all[k] > 0) out.kinds_[k].transfer_of_held = std::min(1.0, transfer[k] / all[k]);
    if (all[k] > 0) out.kinds_[k].compute_of_held = std::min(1.0, compute[k] / all[k]);
  }
  if (!regions) return invalid("the run has no device regions to replay (LOCK_RELEASED or GPU_END events)");
  std::erase_if(out.jobs_, [&](const JobShape& job) { return out.kinds_[job.kind].held.empty(); });
  if (out.jobs_.empty()) return invalid("the run has no complete proof to replay");
  r.busy_of_held = busy > 0 && held > 0 ? std::min(1.0, busy / held) : 1;
  r.devices = r.each_worker_a_device ? std::max<size_t>(model.device_workers.size(), 1)
                                     : std::max<size_t>(model.devices(), 1);
  r.proofs = out.jobs_.size();
  r.concurrency = parameter(model, "j").value_or(static_cast<size_t>(std::max(model.in_flight.most(), 1)));
  r.handover_ms = r.each_worker_a_device ? 0 : recorded_handover(model);
  if (!model.key_loads.empty() && model.key_loads.front().begin_ns >= model.bounds.begin_ns)
    r.key_load_ms = ms(model.key_loads.front().end_ns - model.key_loads.front().begin_ns);

  std::set<std::string> named;
  r.settings = header_settings(timeline.header.config, named);
  if (!named.contains("synthesis.workers"))
    r.settings.synthesis_workers = std::max<size_t>(
        {model.synthesisers.size(), static_cast<size_t>(std::max(model.synthesising.most(), 0)), 1});
  if (!named.contains("gpus.gpu_workers_per_device"))
    r.settings.gpu_workers_per_device = r.each_worker_a_device ? 1 : workers_per_device(model);
  if (r.each_worker_a_device) r.settings.gpu_workers_per_device = 1;
  if (!named.contains("cpu.finishers"))
    r.settings.finishers = std::max<size_t>(model.finishers.size(), r.each_worker_a_device ? 64 : 1);
  out.key_bytes_ = model.key_bytes;
  out.witness_bytes_ = model.witness_bytes;
  out.scratch_bytes_ = model.scratch_bytes;
  if (!named.contains("memory.budget"))
    r.settings.memory_budget = model.memory_waits.empty() ? 0 : model.peak_bytes;
  return out;
}

Result<Prediction> Replay::predict(const Change& change) const {
  Settings settings = recorded_.settings;
  for (const std::string& assignment : change.assignments) {
    CUZK_TRY(apply_assignment(settings, assignment));
    const std::string key = assignment.substr(0, assignment.find('='));
    if (!replay_knows(key))
      return invalid("--set " + assignment +
                     ": a replay keeps the recorded stage times and cannot show what " + key +
                     " does; measure it (cuzk bench ablate)");
    if (recorded_.each_worker_a_device && key == "gpus.gpu_workers_per_device")
      return invalid("--set " + assignment +
                     ": this log has worker spans only, which say nothing of how workers share a device");
  }
  engine::SimulationConfig config;
  engine::SchedulerConfig& s = config.scheduler;
  s.synthesis_workers = std::max<size_t>(settings.synthesis_workers, 1);
  s.devices = change.devices.value_or(recorded_.devices);
  s.workers_per_device = settings.gpu_workers_per_device;
  s.reserved_lane = false;  // it takes critical work only; a replay has none
  s.memory_bytes = settings.memory_budget != 0 ? settings.memory_budget : kUnlimited;
  s.max_ready_partitions = settings.max_ready_partitions;
  s.max_remembered = 4;
  s.max_jobs = 1 << 20;
  config.finishers = settings.finishers;
  config.handover_ms = recorded_.handover_ms;
  config.seed = change.seed;

  HeldSink::Sums sums;
  engine::Simulation simulation(config, std::make_unique<HeldSink>(sums));
  for (const Kind& kind : kinds_) {
    engine::StageTimes times;
    times.parse = recorded_time(kind.parse, 1);
    times.key_load = {recorded_.key_load_ms, 0};
    times.synthesis = recorded_time(kind.synthesis, change.factors[static_cast<size_t>(Stage::kSynthesis)]);
    times.prepare = recorded_time(kind.prepare, change.factors[static_cast<size_t>(Stage::kPrepare)]);
    times.check = recorded_time(kind.finish, change.factors[static_cast<size_t>(Stage::kFinish)]);
    const double factor =
        1 + kind.transfer_of_held * (change.factors[static_cast<size_t>(Stage::kTransfer)] - 1) +
        kind.compute_of_held * (change.factors[static_cast<size_t>(Stage::kCompute)] - 1);
    times.device.emplace_back("work", recorded_time(kind.held, factor));
    simulation.set_times(kind.name, times);
  }
  const size_t wanted = change.proofs.value_or(recorded_.proofs);
  size_t proofs = std::min(wanted, kMostJobs), partitions = 0;
  for (size_t i = 0; i < proofs; ++i) {
    partitions += jobs_[i % jobs_.size()].partitions;
    if (partitions > kMostPartitions) proofs = i + 1;
  }
  const size_t concurrency = std::min(change.concurrency.value_or(recorded_.concurrency), proofs);
  size_t submitted = 0, done = 0;
  std::vector<engine::TimeNs> ends;
  std::optional<Error> refused;
  std::function<void()> submit_next = [&] {
    if (submitted >= proofs || refused) return;
    const JobShape& shape = jobs_[submitted++ % jobs_.size()];
    engine::JobRequest request;
    request.plan = {kinds_[shape.kind].name, key_bytes_, witness_bytes_, scratch_bytes_};
    request.partitions = shape.partitions;
    auto accepted = simulation.submit(request, [&](const engine::Job& job) {
      if (job.state == engine::JobState::kDone) {
        ++done;
        ends.push_back(simulation.now());
      }
      submit_next();
    });
    if (!accepted) refused = accepted.error();
  };
  for (size_t i = 0; i < concurrency; ++i) submit_next();
  simulation.run();
  if (refused) return tl::unexpected<Error>(*refused);
  if (ends.empty()) return invalid("the replay completed no proof");
  Prediction out;
  out.proofs = done;
  out.wall_s = static_cast<double>(ends.back()) * 1e-9;
  out.s_per_proof = out.wall_s / static_cast<double>(done);
  if (ends.size() > 2)
    out.steady_s_per_proof =
        static_cast<double>(ends.back() - ends.front()) * 1e-9 / static_cast<double>(ends.size() - 1);
  if (sums.last > sums.first) {
    out.held_share =
        sums.held_ns / (static_cast<double>(sums.last - sums.first) * static_cast<double>(s.devices));
    out.busy_share = out.held_share * recorded_.busy_of_held;
  }
  out.peak_bytes = simulation.scheduler().memory().peak();
  return out;
}

}  // namespace cuzk::diagnosis
