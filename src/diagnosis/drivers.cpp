#include "diagnosis/drivers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "diagnosis/statistics.hpp"
#include "timeline/event.hpp"

namespace cuzk::diagnosis {

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr size_t kSmooth = 5;
constexpr size_t kLeastObservations = 16;
constexpr double kTlbRest = 500;  // shootdowns a second that nobody notices

std::vector<double> smoothed(const std::vector<double>& values) {
  if (values.size() < kSmooth) return values;
  std::vector<double> out;
  for (size_t i = 0; i + kSmooth <= values.size(); ++i)
    out.push_back(median({values.begin() + static_cast<std::ptrdiff_t>(i),
                          values.begin() + static_cast<std::ptrdiff_t>(i + kSmooth)}));
  return out;
}

// Samples that lie where no job of any run is in flight.
std::vector<double> idle_values(const Facts& facts, const Series& series) {
  std::vector<double> out;
  for (size_t i = 0; i < series.times.size(); ++i) {
    const bool busy = std::any_of(facts.models.begin(), facts.models.end(), [&](const RunModel& m) {
      return series.times[i] >= m.bounds.begin_ns && series.times[i] <= m.bounds.end_ns + 500'000'000;
    });
    if (!busy) out.push_back(series.values[i]);
  }
  return out;
}

const Metric& metric_of(Stage stage) {
  switch (stage) {
    case Stage::kSynthesis:
      return metric("synthesis");
    case Stage::kPrepare:
      return metric("prepare");
    case Stage::kTransfer:
      return metric("device_transfer");
    case Stage::kCompute:
      return metric("device_compute");
    case Stage::kFinish:
      return metric("finish");
  }
  return metric("synthesis");
}

bool may_slow(DriverKind driver, Stage stage, bool device_is_host) {
  if (driver == DriverKind::kClock) return stage == Stage::kCompute && !device_is_host;
  if (stage == Stage::kCompute) return device_is_host;
  if (stage == Stage::kTransfer) return driver == DriverKind::kMemory || device_is_host;
  return true;
}

// What makes partitions comparable: the circuit and the index.
std::string group_of(const RunModel& run, const Partition& p,
                     const std::map<uint32_t, const JobRecord*>& jobs) {
  std::string out(timeline::detail_value(run.bounds.parameters, "circuit").value_or(""));
  auto job = jobs.find(p.job);
  if (job != jobs.end()) out += '/' + job->second->kind;
  return out + '/' + std::to_string(p.index);
}

}  // namespace

const char* stage_name(Stage stage) {
  constexpr const char* kNames[] = {"synthesis", "preparation", "transfers", "the device's computing",
                                    "finishing"};
  return kNames[static_cast<size_t>(stage)];
}

Level level_of(const Facts& facts, const Series* series) {
  Level out;
  if (series == nullptr) return out;
  std::vector<double> inside, all;
  for (const RunFacts& run : facts.runs) {
    const std::vector<double> of_run =
        smoothed(series->within(run.model->bounds.begin_ns, run.model->bounds.end_ns));
    inside.insert(inside.end(), of_run.begin(), of_run.end());
  }
  for (const RunModel& model : facts.models) {
    const std::vector<double> of_run = smoothed(series->within(model.bounds.begin_ns, model.bounds.end_ns));
    all.insert(all.end(), of_run.begin(), of_run.end());
  }
  if (inside.empty()) return out;
  out.measured = true;
  out.samples = inside.size();
  out.typical = median(inside);
  out.high = quantile(inside, 0.9);
  out.rest = quantile(all, 0.1);
  if (const std::vector<double> idle = idle_values(facts, *series); idle.size() >= 3) {
    // Whatever lies lower: what is idle here may be busy with other programs.
    const double quiet = median(idle);
    if (quiet > 0 && quiet < out.rest) {
      out.rest = quiet;
      out.rest_is_idle = true;
    }
  }
  return out;
}

Drivers::Drivers(const Facts& facts) : facts_(facts) {
  levels_[static_cast<size_t>(DriverKind::kMemory)] = level_of(facts, facts.samples.host("probe_ns"));
  const Series* stretch = facts.samples.host("cpu_stretch");
  levels_[static_cast<size_t>(DriverKind::kCpu)] =
      level_of(facts, stretch != nullptr ? stretch : facts.samples.host("run_queue"));
  levels_[static_cast<size_t>(DriverKind::kTlb)] =
      level_of(facts, facts.samples.host("tlb_shootdowns_per_s"));
  Level& clock = levels_[static_cast<size_t>(DriverKind::kClock)];
  for (const auto& [device, series] : facts.samples.devices())
    if (!clock.measured) clock = level_of(facts, facts.samples.device(device, "clock_sm_mhz"));
  device_is_host_ = !facts.samples.any_device();
  for (size_t s = 0; s < kStages; ++s) fit_stage(static_cast<Stage>(s));
}

double Drivers::value(DriverKind kind, const Stretch& stretch, int32_t device) const {
  const Samples& samples = facts_.samples;
  switch (kind) {
    case DriverKind::kMemory: {
      const Series* probe = samples.host("probe_ns");
      if (probe == nullptr) return kNan;
      return std::log(std::max(probe->average(stretch.begin_ns, stretch.end_ns), 1e-3) /
                      std::max(level(kind).rest, 1e-3));
    }
    case DriverKind::kCpu: {
      if (const Series* own = samples.host("cpu_stretch"))
        return std::log(std::max(1.0, own->average(stretch.begin_ns, stretch.end_ns)));
      const Series *queue = samples.host("run_queue"), *cpus = samples.host("cpus");
      if (queue == nullptr || cpus == nullptr) return kNan;
      // The sampler counts itself.
      const double threads = queue->average(stretch.begin_ns, stretch.end_ns) - 1;
      return std::log(
          std::max(1.0, threads / std::max(1.0, cpus->average(stretch.begin_ns, stretch.end_ns))));
    }
    case DriverKind::kTlb: {
      const Series* rate = samples.host("tlb_shootdowns_per_s");
      if (rate == nullptr) return kNan;
      const double rest = std::max(level(kind).rest, kTlbRest);
      return std::log(std::max(1.0, rate->average(stretch.begin_ns, stretch.end_ns) / rest));
    }
    case DriverKind::kClock: {
      const Series* clock = samples.device(device, "clock_sm_mhz");
      if (clock == nullptr) return kNan;
      const Series* most = samples.device(device, "clock_sm_max_mhz");
      const double best =
          most != nullptr ? most->average(stretch.begin_ns, stretch.end_ns) : quantile(clock->values, 0.95);
      return std::log(std::max(1.0, best / std::max(1.0, clock->average(stretch.begin_ns, stretch.end_ns))));
    }
  }
  return kNan;
}

void Drivers::fit_stage(Stage stage) {
  const Metric& m = metric_of(stage);
  std::vector<DriverKind> kinds;
  for (size_t k = 0; k < kDrivers; ++k)
    if (levels_[k].measured && may_slow(static_cast<DriverKind>(k), stage, device_is_host_))
      kinds.push_back(static_cast<DriverKind>(k));
  if (kinds.empty()) return;
  struct Row {
    double log_length, length;
    std::string group;
    std::vector<double> x;
    int64_t time;
    bool selected;
  };
  // Many partitions say no more than the samples do: at most this many, evenly.
  constexpr size_t kMostRows = 20000;
  size_t total = 0;
  for (const RunModel& run : facts_.models) total += run.partitions.size();
  const size_t stride = total / kMostRows + 1;
  std::vector<Row> rows;
  size_t number = 0;
  for (const RunModel& run : facts_.models) {
    std::map<uint32_t, const JobRecord*> jobs;
    for (const JobRecord& job : run.jobs) jobs[job.job] = &job;
    const bool selected = std::any_of(facts_.runs.begin(), facts_.runs.end(),
                                      [&](const RunFacts& r) { return r.model == &run; });
    for (const Partition& p : run.partitions) {
      if (number++ % stride != 0) continue;
      const double length = m.value(p);
      const Stretch s = m.stretch(p);
      if (!(length > 0) || s.begin_ns == kNever || s.end_ns == kNever) continue;
      Row row{std::log(length), length, group_of(run, p, jobs), {}, s.end_ns, selected};
      for (DriverKind kind : kinds) row.x.push_back(value(kind, s, p.device));
      if (std::none_of(row.x.begin(), row.x.end(), [](double v) { return std::isnan(v); }))
        rows.push_back(std::move(row));
    }
  }
  if (rows.size() < kLeastObservations) return;
  std::map<std::string, std::vector<double>> by_group;
  for (const Row& row : rows) by_group[row.group].push_back(row.log_length);
  std::map<std::string, double> usual;
  for (auto& [group, values] : by_group) usual[group] = median(std::move(values));
  std::vector<double> y;
  std::vector<int64_t> times;
  for (const Row& row : rows) {
    y.push_back(row.log_length - usual[row.group]);
    times.push_back(row.time);
  }
  // One partition that hung must not decide.
  const double middle = median(y), reach = 4 * std::max(mad_sigma(y), 1e-3);
  for (double& v : y) v = std::clamp(v, middle - reach, middle + reach);
  std::vector<std::vector<double>> columns;
  std::vector<DriverKind> used;
  for (size_t k = 0; k < kinds.size(); ++k) {
    std::vector<double> column;
    for (const Row& row : rows) column.push_back(row.x[k]);
    if (std::sqrt(variance(column)) < 0.01) continue;  // always the same: nothing to learn
    columns.push_back(std::move(column));
    used.push_back(kinds[k]);
  }
  if (columns.empty()) return;
  const size_t blocks = std::clamp<size_t>(rows.size() / 4, 8, 60);
  const Regression r = regress(y, columns, time_blocks(times, blocks));
  if (!r.known) return;
  const double t99 = student_quantile(0.995, static_cast<double>(blocks - 1));
  const double proofs = static_cast<double>(std::max<size_t>(facts_.proofs(), 1));
  for (size_t k = 0; k < used.size(); ++k) {
    Response out;
    out.stage = stage;
    out.known = true;
    out.slope = r.slopes[k].value;
    out.error = r.slopes[k].error;
    out.lo99 = out.slope - t99 * out.error;
    std::vector<double> xs;
    for (size_t i = 0; i < rows.size(); ++i) {
      if (!rows[i].selected) continue;
      const double x = std::max(columns[k][i], 0.0);
      xs.push_back(x);
      const double seconds = rows[i].length * 1e-3 * static_cast<double>(stride) / proofs;
      out.excess_s += seconds * (1 - std::exp(-std::max(out.slope, 0.0) * x));
      out.excess_lo_s += seconds * (1 - std::exp(-std::max(out.lo99, 0.0) * x));
    }
    if (!xs.empty()) out.slowdown = std::exp(out.slope * quantile(xs, 0.9));
    responses_[static_cast<size_t>(used[k])][static_cast<size_t>(stage)] = out;
  }
}

std::vector<Response> Drivers::responses(DriverKind kind) const {
  std::vector<Response> out;
  for (const Response& r : responses_[static_cast<size_t>(kind)])
    if (r.known) out.push_back(r);
  return out;
}

std::pair<double, double> Drivers::cost(DriverKind kind) const {
  const double devices = static_cast<double>(facts_.devices());
  size_t finishers = 1, device_workers = 1;
  for (const RunFacts& run : facts_.runs) {
    finishers = std::max(finishers, run.model->finishers.size());
    device_workers = std::max(device_workers, run.model->device_workers.size());
  }
  const double starved = facts_.lost(GapCause::kStarvation) + facts_.lost(GapCause::kLeadIn) +
                         facts_.lost(GapCause::kMemoryBudget) + facts_.lost(GapCause::kDrain);
  const double handed = facts_.lost(GapCause::kHandover) + facts_.lost(GapCause::kJobChange);
  double direct[2] = {0, 0}, feeding[2] = {0, 0}, preparing[2] = {0, 0};
  for (const Response& r : responses(kind)) {
    if (!r.significant()) continue;
    const double excess[2] = {r.excess_s, r.excess_lo_s};
    for (int i = 0; i < 2; ++i) {
      if (r.stage == Stage::kTransfer || r.stage == Stage::kCompute) direct[i] += excess[i] / devices;
      if (r.stage == Stage::kSynthesis) feeding[i] += excess[i] / static_cast<double>(facts_.synthesisers());
      if (r.stage == Stage::kFinish) feeding[i] += excess[i] / static_cast<double>(finishers);
      if (r.stage == Stage::kPrepare) preparing[i] += excess[i] / static_cast<double>(device_workers);
    }
  }
  double out[2];
  for (int i = 0; i < 2; ++i)
    out[i] = direct[i] + std::min(feeding[i], starved) + std::min(preparing[i], handed + starved);
  return {out[0], out[1]};
}

}  // namespace cuzk::diagnosis
