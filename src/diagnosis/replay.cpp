#include "diagnosis/replay.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <set>

#include "diagnosis/contention.hpp"
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

// Whether witnesses are given back after the tail, not after the device: of most tails that take any time.
bool witness_outlives_tail(const RunModel& model) {
  constexpr int64_t kLeastTail = 1'000'000;
  size_t before = 0, after = 0;
  for (const Partition& p : model.partitions) {
    if (p.tail_ns < kLeastTail || p.finished == kNever || p.released == kNever) continue;
    ++(p.released >= p.finished - p.finish_ns + p.tail_ns ? after : before);
  }
  return after > before;
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

}  // namespace

bool replay_knows(const std::string& key) {
  for (const char* known :
       {"synthesis.workers", "synthesis.max_ready_partitions", "gpus.gpu_workers_per_device", "cpu.finishers",
        "memory.budget", "gpus.reserved_lane", "cpu.device_threads", "cpu.tail_threads"})
    if (key == known) return true;
  return false;
}

engine::StageTime Replay::Work::time(double factor) const {
  engine::StageTime out;
  if (ms.empty()) return out;
  std::vector<double> scaled = ms;
  for (double& v : scaled) v *= factor;
  out.recorded = std::make_shared<const std::vector<double>>(std::move(scaled));
  out.demand = demand;
  return out;
}

// Threads that a stage computes with; 0: not known from the settings.
double Replay::threads_of(size_t work) const {
  const Settings& s = recorded_.settings;
  if (work == kTail) return static_cast<double>(std::max<uint64_t>(s.tail_threads, 1));
  if (work != kHeld) return 1;
  if (!recorded_.computes_on_cpus) return 0;
  return s.device_threads != 0 ? static_cast<double>(s.device_threads) : recorded_.cpus;
}

// Of every stage the recorded lengths, or those without contention.
void Replay::take_lengths(const RunModel& model, const std::map<uint32_t, size_t>& kind_of_job) {
  constexpr size_t kMostSpans = 100000;  // of a long run, its beginning
  std::vector<StageSpan> spans;
  std::vector<double> threads(kinds_.size() * kWorks, 0.0);
  bool all_known = true;
  auto take = [&](size_t kind, size_t work, int64_t begin, int64_t length, int64_t cpu) {
    if (length < 0) return;
    kinds_[kind].works[work].ms.push_back(ms(length));
    all_known &= cpu >= 0 && begin != kNever;
    const size_t k = kind * kWorks + work;
    // Unless the settings tell: as many threads as it kept busy at its best.
    if (length > 0) threads[k] = std::max(threads[k], std::ceil(ms(cpu) / ms(length) - 0.1));
    if (all_known && spans.size() < kMostSpans) spans.push_back({begin, begin + length, cpu, k});
  };
  auto ago = [](int64_t end, int64_t length) { return end == kNever ? kNever : end - length; };
  for (const Partition& p : model.partitions) {
    if (p.failed) continue;
    const size_t kind = kind_of_job.at(p.job);
    take(kind, kSynthesis, ago(p.synth_end, p.synth_ns), p.synth_ns, p.synth_cpu_ns);
    take(kind, kHeld, p.region_begin, p.held_ns, p.held_cpu_ns);
    const int64_t finish_begin = ago(p.finished, p.finish_ns), tail = std::max<int64_t>(p.tail_ns, 0);
    take(kind, kTail, finish_begin, p.tail_ns, p.tail_cpu_ns);
    if (p.finish_ns < 0) continue;
    take(kind, kCheck, finish_begin == kNever ? kNever : finish_begin + tail, p.finish_ns - tail,
         p.check_cpu_ns);
  }
  if (!all_known || recorded_.cpus == 0) {
    recorded_.cpus = 0;
    return;
  }
  for (size_t k = 0; k < threads.size(); ++k) {
    if (const double known = threads_of(k % kWorks); known > 0) threads[k] = known;
    threads[k] = std::max(threads[k], 1.0);
  }
  const Uncontended alone = uncontended(recorded_.cpus, spans, threads);
  for (size_t k = 0; k < threads.size(); ++k) {
    Work& work = kinds_[k / kWorks].works[k % kWorks];
    work.ms.clear();
    work.demand = alone.demands[k];
  }
  for (size_t i = 0; i < spans.size(); ++i)
    kinds_[spans[i].kind / kWorks].works[spans[i].kind % kWorks].ms.push_back(alone.lengths_ns[i] * 1e-6);
}

// A stage's work spread over more or fewer threads, each as busy as before.
Status Replay::change_threads(const std::string& key, const Settings& settings,
                              std::vector<Kind>& kinds) const {
  const size_t work = key == "cpu.tail_threads" ? kTail : kHeld;
  const double before = threads_of(work);
  double after = static_cast<double>(work == kTail ? settings.tail_threads : settings.device_threads);
  if (recorded_.cpus == 0)
    return invalid("--set " + key + ": the log has no CPU times of stages, so a replay cannot show it");
  if (work == kHeld && !recorded_.computes_on_cpus)
    return invalid("--set " + key + ": the recorded device does not compute on the CPUs");
  if (work == kTail && (after == 0) != (recorded_.settings.tail_threads == 0))
    return invalid("--set " + key +
                   ": with a tail of its own or without is other work for the device; measure it (cuzk bench "
                   "ablate)");
  if (after == 0) after = work == kTail ? before : recorded_.cpus;
  for (Kind& kind : kinds) {
    Work& w = kind.works[work];
    for (double& v : w.ms) v *= before / after;
    w.demand = {w.demand.cpus * after / before, after};
  }
  return {};
}

Result<Replay> Replay::of(const timeline::Timeline& timeline, const RunModel& model) {
  Replay out;
  Recorded& r = out.recorded_;
  std::map<std::string, size_t> kind_at;
  std::map<uint32_t, size_t> kind_of_job;
  for (const JobRecord& job : model.jobs) {
    auto [it, fresh] = kind_at.try_emplace(job.kind, out.kinds_.size());
    if (fresh) out.kinds_.push_back({job.kind.empty() ? "recorded" : job.kind, {}, {}, {}, 0, 0});
    kind_of_job[job.job] = it->second;
    if (job.parse_ns >= 0) out.kinds_[it->second].parse.ms.push_back(ms(job.parse_ns));
    if (job.complete() && job.expected > 0) out.jobs_.push_back({it->second, job.expected});
  }
  r.each_worker_a_device = model.upper_bound;
  double busy = 0, held = 0;
  bool regions = false;
  std::vector<double> transfer(out.kinds_.size(), 0.0), compute(out.kinds_.size(), 0.0),
      all(out.kinds_.size(), 0.0);
  for (const Partition& p : model.partitions) {
    const size_t k = kind_of_job[p.job];
    if (p.failed) continue;
    if (p.prepare_ns >= 0) out.kinds_[k].prepare.ms.push_back(ms(p.prepare_ns));
    regions |= p.held_ns >= 0;
    const double t = ms(std::max<int64_t>(p.transfer_ns, 0)), c = ms(std::max<int64_t>(p.compute_ns, 0));
    transfer[k] += t;
    compute[k] += c;
    all[k] += ms(std::max<int64_t>(p.held_ns, 0));
    busy += t + c;
    held += ms(std::max<int64_t>(p.held_ns, 0));
  }
  for (size_t k = 0; k < out.kinds_.size(); ++k) {
    if (all[k] > 0) out.kinds_[k].transfer_of_held = std::min(1.0, transfer[k] / all[k]);
    if (all[k] > 0) out.kinds_[k].compute_of_held = std::min(1.0, compute[k] / all[k]);
  }
  if (!regions) return invalid("the run has no device regions to replay (LOCK_RELEASED or GPU_END events)");
  r.busy_of_held = busy > 0 && held > 0 ? std::min(1.0, busy / held) : 1;
  r.devices = r.each_worker_a_device ? std::max<size_t>(model.device_workers.size(), 1)
                                     : std::max<size_t>(model.devices(), 1);
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
  r.cpus = static_cast<double>(parameter(model, "cpus").value_or(0));
  r.computes_on_cpus = timeline::detail_value(model.bounds.parameters, "device") == "cpu";
  r.tail_reads_witness = witness_outlives_tail(model);
  out.take_lengths(model, kind_of_job);
  std::erase_if(out.jobs_, [&](const JobShape& job) { return out.kinds_[job.kind].works[kHeld].ms.empty(); });
  if (out.jobs_.empty()) return invalid("the run has no complete proof to replay");
  r.proofs = out.jobs_.size();
  out.key_bytes_ = model.key_bytes;
  out.witness_bytes_ = model.witness_bytes;
  out.scratch_bytes_ = model.scratch_bytes;
  if (!named.contains("memory.budget"))
    r.settings.memory_budget = model.memory_waits.empty() ? 0 : model.peak_bytes;
  return out;
}

Result<Prediction> Replay::predict(const Change& change) const {
  Settings settings = recorded_.settings;
  std::vector<Kind> kinds = kinds_;
  std::set<std::string> threads;
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
    if (key.ends_with("_threads")) threads.insert(key);
  }
  for (const std::string& key : threads) CUZK_TRY(change_threads(key, settings, kinds));
  engine::SimulationConfig config;
  engine::SchedulerConfig& s = config.scheduler;
  s.synthesis_workers = settings.synthesis_workers != 0
                            ? settings.synthesis_workers
                            : std::max<size_t>(static_cast<size_t>(recorded_.cpus), 1);
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
  config.cpus = recorded_.cpus;
  config.tail_reads_witness = recorded_.tail_reads_witness;

  HeldSink::Sums sums;
  engine::Simulation simulation(config, std::make_unique<HeldSink>(sums));
  auto factor = [&](Stage stage) { return change.factors[static_cast<size_t>(stage)]; };
  for (const Kind& kind : kinds) {
    engine::StageTimes times;
    times.parse = kind.parse.time(1);
    times.key_load = {recorded_.key_load_ms, 0};
    times.synthesis = kind.works[kSynthesis].time(factor(Stage::kSynthesis));
    times.prepare = kind.prepare.time(factor(Stage::kPrepare));
    times.tail = kind.works[kTail].time(factor(Stage::kFinish));
    times.check = kind.works[kCheck].time(factor(Stage::kFinish));
    const double held = 1 + kind.transfer_of_held * (factor(Stage::kTransfer) - 1) +
                        kind.compute_of_held * (factor(Stage::kCompute) - 1);
    times.device.emplace_back("work", kind.works[kHeld].time(held));
    simulation.set_times(kind.name, times);
  }
  const size_t wanted = change.proofs.value_or(recorded_.proofs);
  size_t proofs = std::min(wanted, kMostJobs), partitions = 0;
  for (size_t i = 0; i < proofs; ++i) {
    partitions += change.partitions.value_or(jobs_[i % jobs_.size()].partitions);
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
    request.partitions = static_cast<uint32_t>(change.partitions.value_or(shape.partitions));
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
