#include "diagnosis/load.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace cuzk::diagnosis {

namespace {

double ms(int64_t ns) {
  return ns < 0 ? -1 : static_cast<double>(ns) * 1e-6;
}

Stretch region(const Partition& p) {
  return {p.region_begin, p.region_end};
}

struct Observation {
  double value, load;
  int64_t time;
};

// by_run: the load is the size of the run, whatever is in flight at the time.
std::vector<Observation> observe(const Metric& metric, const std::vector<const RunModel*>& runs,
                                 bool by_run = false) {
  std::vector<Observation> out;
  for (const RunModel* run : runs)
    for (const Partition& p : run->partitions) {
      const double value = metric.value(p);
      const Stretch s = metric.stretch(p);
      if (value < 0 || s.begin_ns == kNever || s.end_ns == kNever) continue;
      const double load =
          by_run ? static_cast<double>(run->jobs.size()) : run->in_flight.average(s.begin_ns, s.end_ns);
      out.push_back({value, load, s.end_ns});
    }
  std::stable_sort(out.begin(), out.end(),
                   [](const Observation& a, const Observation& b) { return a.time < b.time; });
  return out;
}

constexpr size_t kLeastCount = 12;

size_t blocks_for(size_t n) {
  return std::clamp<size_t>(static_cast<size_t>(std::sqrt(static_cast<double>(n))) * 2, 6, 60);
}

std::vector<LoadPoint> bins(const std::vector<Observation>& list, double least, double most) {
  constexpr size_t kBins = 12;
  std::vector<LoadPoint> all(kBins), out;
  const double width = std::max((most - least) / kBins, 1e-9);
  for (const Observation& o : list) {
    LoadPoint& bin = all[std::min(static_cast<size_t>((o.load - least) / width), kBins - 1)];
    bin.load += o.load;
    bin.mean += o.value;
    ++bin.count;
  }
  for (LoadPoint& bin : all) {
    if (bin.count == 0) continue;
    bin.load /= static_cast<double>(bin.count);
    bin.mean /= static_cast<double>(bin.count);
    out.push_back(bin);
  }
  return out;
}

// A foreign log names a job when its first synthesis begins: of fifteen proofs in flight it shows two.
bool load_is_hidden(const std::vector<const RunModel*>& runs) {
  std::set<size_t> sizes;
  int most = 0;
  for (const RunModel* run : runs) {
    if (!run->upper_bound) return false;
    sizes.insert(run->jobs.size());
    most = std::max(most, run->in_flight.most());
  }
  return sizes.size() >= 3 && most * 2 <= static_cast<int>(*sizes.rbegin());
}

LoadFit fit(const Metric& metric, const std::vector<const RunModel*>& runs) {
  LoadFit out;
  out.metric = metric.name;
  const bool by_run = load_is_hidden(runs);
  if (by_run) out.against = "proofs_in_run";
  const std::vector<Observation> list = observe(metric, runs, by_run);
  out.count = list.size();
  if (list.empty()) return out;
  std::vector<double> y, load;
  std::vector<int64_t> times;
  for (const Observation& o : list) {
    y.push_back(o.value);
    load.push_back(o.load);
    times.push_back(o.time);
  }
  out.least_load = quantile(load, 0.02);
  out.most_load = quantile(load, 0.98);
  out.points = bins(list, out.least_load, out.most_load);
  if (list.size() < kLeastCount || out.most_load - out.least_load < 0.5) return out;
  const Regression r = regress(y, {load}, time_blocks(times, blocks_for(list.size())));
  if (!r.known) return out;
  out.known = true;
  out.intercept = r.intercept;
  out.slope_per_job = r.slopes[0].value;
  out.ci95 = r.slopes[0].ci95;
  out.at_least = out.intercept + out.slope_per_job * out.least_load;
  out.at_most = out.intercept + out.slope_per_job * out.most_load;
  return out;
}

}  // namespace

const std::vector<Metric>& metrics() {
  static const std::vector<Metric> list = {
      {"synthesis", [](const Partition& p) { return ms(p.synth_ns); },
       [](const Partition& p) { return Stretch{p.synth_begin, p.synth_end}; }},
      {"prepare", [](const Partition& p) { return ms(p.prepare_ns); },
       [](const Partition& p) { return Stretch{p.picked_up, p.asked}; }},
      {"lock_wait", [](const Partition& p) { return ms(p.wait_ns); },
       [](const Partition& p) { return Stretch{p.asked, p.region_begin}; }},
      {"device_held",
       [](const Partition& p) { return p.wait_ns < 0 && p.compute_ns < 0 ? -1 : ms(p.held_ns); }, region},
      {"device_compute", [](const Partition& p) { return ms(p.compute_ns); }, region},
      {"device_transfer", [](const Partition& p) { return ms(p.transfer_ns); }, region},
      {"worker_span", [](const Partition& p) { return ms(p.worker_ns); },
       [](const Partition& p) { return Stretch{p.asked, p.worker_end}; }},
      {"finish", [](const Partition& p) { return ms(p.finish_ns); },
       [](const Partition& p) {
         return Stretch{p.finished == kNever || p.finish_ns < 0 ? kNever : p.finished - p.finish_ns,
                        p.finished};
       }},
  };
  return list;
}

const Metric& metric(std::string_view name) {
  for (const Metric& m : metrics())
    if (m.name == name) return m;
  return metrics().front();
}

std::vector<LoadFit> load_fits(const std::vector<const RunModel*>& runs) {
  std::vector<LoadFit> out;
  for (const Metric& m : metrics()) {
    LoadFit f = fit(m, runs);
    if (f.count > 0) out.push_back(std::move(f));
  }
  return out;
}

SlowdownParts slowdown_parts(const std::vector<LoadFit>& fits) {
  SlowdownParts out;
  auto slope = [&](std::string_view name) {
    for (const LoadFit& f : fits)
      if (f.metric == name && f.known) return f.slope_per_job;
    return 0.0;
  };
  auto known = [&](std::string_view name) {
    return std::any_of(fits.begin(), fits.end(),
                       [&](const LoadFit& f) { return f.metric == name && f.known; });
  };
  if (!known("device_held")) return out;
  const double wait = slope("lock_wait"), held = slope("device_held"), prepare = slope("prepare");
  const double total = wait + held + prepare;
  if (!(total > 0)) return out;
  out.known = true;
  out.waiting = wait / total;
  out.computing = slope("device_compute") / total;
  out.transferring = slope("device_transfer") / total;
  out.other = 1 - out.waiting - out.computing - out.transferring;
  return out;
}

std::vector<Stationarity> stationarity(const RunModel& run) {
  std::vector<Stationarity> out;
  for (const Metric& m : metrics()) {
    if (std::string_view(m.name) == "lock_wait") continue;  // what it waits for is in the others
    const std::vector<Observation> list = observe(m, {&run});
    if (list.size() < kLeastCount) continue;
    Stationarity s;
    s.metric = m.name;
    s.count = list.size();
    // Means of blocks in time: neighbours are alike, blocks less so.
    const size_t blocks = std::clamp<size_t>(list.size() / 6, 6, 60);
    std::vector<double> means(blocks, 0.0), minutes(blocks, 0.0), counts(blocks, 0.0);
    for (size_t i = 0; i < list.size(); ++i) {
      const size_t b = i * blocks / list.size();
      means[b] += list[i].value;
      minutes[b] += static_cast<double>(list[i].time - run.bounds.begin_ns) / 60e9;
      counts[b] += 1;
    }
    for (size_t b = 0; b < blocks; ++b) {
      means[b] /= counts[b];
      minutes[b] /= counts[b];
    }
    const std::span<const double> all(means);
    const auto first = all.first(blocks / 2), second = all.subspan(blocks / 2);
    s.first_half = mean(first);
    s.second_half = mean(second);
    s.change = welch(first, second);
    std::vector<uint32_t> own(blocks);
    for (uint32_t b = 0; b < blocks; ++b) own[b] = b;
    if (const Regression r = regress(means, {minutes}, own); r.known) {
      s.drift_known = true;
      s.drift_per_minute = r.slopes[0].value;
      s.drift_ci95 = r.slopes[0].ci95;
    }
    for (size_t at : change_points(means)) s.change_points_ms.push_back(minutes[at] * 60e3);
    out.push_back(std::move(s));
  }
  return out;
}

}  // namespace cuzk::diagnosis
