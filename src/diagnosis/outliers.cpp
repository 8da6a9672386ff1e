// Partitions and jobs that differ from the others by what they are, not by when they ran.
#include <algorithm>
#include <cmath>
#include <map>

#include "diagnosis/load.hpp"

namespace cuzk::diagnosis {

namespace {

constexpr size_t kLeastJobs = 4, kLeastPartitions = 3;
constexpr double kLeastRatio = 1.15;     // of a partition index
constexpr double kLeastJobRatio = 1.25;  // of a job
constexpr double kLeastZ = 6;

// A metric's values by job and partition index; of attempts the last.
using Table = std::map<uint32_t, std::map<int32_t, double>>;

// One partition: when, whose, and the logarithm of its length over what is usual for its index.
struct Dated {
  int64_t time;
  uint32_t job;
  double level;
};

// Whether the job is slow among those that run at the same time, and not only in a slow stretch.
bool stands_out(const std::vector<Dated>& all, uint32_t job, double level) {
  int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const Dated& d : all)
    if (d.job == job) {
      begin = std::min(begin, d.time);
      end = std::max(end, d.time);
    }
  const int64_t around = (end - begin) / 2 + 1;
  std::vector<double> beside;
  for (const Dated& d : all)
    if (d.job != job && d.time >= begin - around && d.time <= end + around) beside.push_back(d.level);
  return beside.size() >= 3 && level - quantile(beside, 0.9) >= std::log(kLeastJobRatio);
}

Table table_of(const Metric& metric, const std::vector<const RunModel*>& runs) {
  Table out;
  for (const RunModel* run : runs)
    for (const Partition& p : run->partitions)
      if (const double value = metric.value(p); value > 0) out[p.job][p.index] = value;
  return out;
}

double median_of(const std::map<int32_t, double>& values) {
  std::vector<double> list;
  for (const auto& [index, value] : values) list.push_back(value);
  return median(std::move(list));
}

// What the device does, or all that the log has of it; and synthesis.
std::vector<const Metric*> metrics_of(const std::vector<const RunModel*>& runs) {
  std::vector<const Metric*> out;
  const bool foreign =
      std::any_of(runs.begin(), runs.end(), [](const RunModel* r) { return r->upper_bound; });
  out.push_back(&metric(foreign ? "worker_span" : "device_held"));
  out.push_back(&metric("synthesis"));
  return out;
}

}  // namespace

std::vector<SlowIndex> slow_indices(const std::vector<const RunModel*>& runs) {
  std::vector<SlowIndex> out;
  for (const Metric* m : metrics_of(runs)) {
    std::map<int32_t, std::vector<double>> log_ratios;
    std::map<int32_t, std::vector<double>> excess;
    size_t jobs = 0;
    for (const auto& [job, values] : table_of(*m, runs)) {
      if (values.size() < kLeastPartitions) continue;
      ++jobs;
      const double middle = median_of(values);
      for (const auto& [index, value] : values) {
        log_ratios[index].push_back(std::log(value / middle));
        excess[index].push_back(value - middle);
      }
    }
    for (const auto& [index, ratios] : log_ratios) {
      // In every job but few, or it is not the index.
      if (ratios.size() < kLeastJobs || ratios.size() * 2 < jobs) continue;
      const Difference d = mean_interval(ratios);
      const auto slow =
          std::count_if(ratios.begin(), ratios.end(), [](double r) { return r > std::log(kLeastRatio) / 2; });
      if (std::exp(d.value) < kLeastRatio || d.ci95.lo < std::log(kLeastRatio) / 2 ||
          static_cast<size_t>(slow) * 5 < ratios.size() * 4)
        continue;
      out.push_back({m->name,
                     index,
                     ratios.size(),
                     std::exp(d.value),
                     {std::exp(d.ci95.lo), std::exp(d.ci95.hi)},
                     median(excess[index])});
    }
  }
  return out;
}

std::vector<SlowJob> slow_jobs(const std::vector<const RunModel*>& runs) {
  std::vector<SlowJob> out;
  for (const Metric* m : metrics_of(runs)) {
    const Table table = table_of(*m, runs);
    // Partitions are compared with their index in other jobs, so that a job that lacks one is not fast.
    std::map<int32_t, std::vector<double>> by_index;
    for (const auto& [job, values] : table)
      for (const auto& [index, value] : values) by_index[index].push_back(value);
    std::map<int32_t, double> usual;
    for (auto& [index, values] : by_index) usual[index] = median(values);
    std::vector<double> levels;
    std::vector<std::pair<uint32_t, double>> of_job;
    for (const auto& [job, values] : table) {
      std::vector<double> ratios;
      for (const auto& [index, value] : values) ratios.push_back(std::log(value / usual[index]));
      levels.push_back(median(ratios));
      of_job.emplace_back(job, levels.back());
    }
    if (levels.size() < kLeastJobs + 1) continue;
    const double middle = median(levels), sigma = std::max(mad_sigma(levels), 0.005);
    std::vector<Dated> dated;
    for (const RunModel* run : runs)
      for (const Partition& p : run->partitions)
        if (const double value = m->value(p); value > 0)
          dated.push_back({m->stretch(p).end_ns, p.job, std::log(value / usual[p.index])});
    // Many slow jobs are a state of the machine, not of a job.
    const size_t most = std::max<size_t>(1, levels.size() / 10);
    std::vector<SlowJob> found;
    for (auto [job, level] : of_job) {
      if (found.size() > most) break;
      const double z = (level - middle) / sigma;
      if (z < kLeastZ || level - middle < std::log(kLeastJobRatio) || !stands_out(dated, job, level))
        continue;
      SlowJob slow{m->name, job, std::exp(level - middle), z, 0};
      for (const auto& [index, value] : table.at(job)) slow.excess_ms += value - usual[index];
      found.push_back(slow);
    }
    if (found.size() <= most) out.insert(out.end(), found.begin(), found.end());
  }
  return out;
}

}  // namespace cuzk::diagnosis
