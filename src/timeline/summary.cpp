#include "timeline/summary.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>

namespace cuzk::timeline {

namespace {

double ms(int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}
double seconds(int64_t ns) {
  return static_cast<double>(ns) / 1e9;
}

const std::pair<EventKind, const char*> kStages[] = {
    {EventKind::kJobParsed, "parse"},
    {EventKind::kKeyLoadEnd, "key load"},
    {EventKind::kMemoryWaitEnd, "memory wait"},
    {EventKind::kSynthEnd, "synthesis"},
    {EventKind::kPrepareEnd, "prepare"},
    {EventKind::kLockTaken, "lock wait"},
    {EventKind::kLockReleased, "device held"},
    {EventKind::kDeviceEnd, "worker occupied"},
    {EventKind::kTailEnd, "tail"},
    {EventKind::kCheckEnd, "finish and check"},
    {EventKind::kJobDone, "job"},
};

StageFigures figures(const char* stage, std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  StageFigures out{stage, values.size(), 0, 0, 0, values.back()};
  for (double v : values) out.mean_ms += v / static_cast<double>(values.size());
  auto quantile = [&](double q) {  // nearest rank
    size_t rank = static_cast<size_t>(q * static_cast<double>(values.size() - 1) + 0.5);
    return values[rank];
  };
  out.p50_ms = quantile(0.5);
  out.p95_ms = quantile(0.95);
  return out;
}

// Time covered by spans of a kind, each (device or worker) apart, summed.
struct Cover {
  std::map<std::string, std::vector<std::pair<int64_t, int64_t>>> spans;
  void add(const std::string& who, const Entry& e) { spans[who].emplace_back(e.begin_ns(), e.time_ns); }
  double share(int64_t begin, int64_t end) {
    if (spans.empty() || end <= begin) return -1;
    int64_t sum = 0;
    for (auto& [who, list] : spans) {
      std::sort(list.begin(), list.end());
      int64_t covered = begin;
      for (auto [from, to] : list) {
        from = std::max(from, covered);
        to = std::min(to, end);
        if (to > from) sum += to - from;
        covered = std::max(covered, to);
      }
    }
    return static_cast<double>(sum) / static_cast<double>(end - begin) / static_cast<double>(spans.size());
  }
};

}  // namespace

Summary summarise(const Timeline& timeline, const Run& run) {
  Summary out;
  out.wall_s = seconds(run.end_ns - run.begin_ns);
  std::map<EventKind, std::vector<double>> durations;
  std::vector<int64_t> done;
  int64_t last_accepted = run.begin_ns, first_region = INT64_MAX, last_region = INT64_MIN;
  Cover busy, held, occupied;
  for (size_t i = run.first; i < run.last; ++i) {
    const Entry& e = timeline.entries[i];
    if (e.duration_ns >= 0) durations[e.kind].push_back(ms(e.duration_ns));
    std::string device = std::to_string(e.device), worker(timeline.worker(e));
    switch (e.kind) {
      case EventKind::kJobAccepted:
        last_accepted = e.time_ns;
        break;
      case EventKind::kJobDone:
        done.push_back(e.time_ns);
        break;
      case EventKind::kJobFailed:
        ++out.jobs_failed;
        break;
      case EventKind::kJobCancelled:
        ++out.jobs_cancelled;
        break;
      case EventKind::kCheckEnd:
        ++out.partitions_done;
        break;
      case EventKind::kPartitionRetry:
        ++out.retries;
        break;
      case EventKind::kDeviceBusy:
        busy.add(device, e);
        break;
      case EventKind::kLockReleased:
        held.add(device, e);
        break;
      case EventKind::kDeviceEnd:
        occupied.add(worker, e);
        break;
      default:
        break;
    }
    if (e.kind == EventKind::kDeviceEnd || e.kind == EventKind::kLockReleased) {
      first_region = std::min(first_region, e.begin_ns());
      last_region = std::max(last_region, e.time_ns);
    }
  }
  out.jobs_done = done.size();
  if (!done.empty()) {
    out.s_per_proof = out.wall_s / static_cast<double>(done.size());
    out.ramp_up_s = seconds(done.front() - run.begin_ns);
    out.drain_s = seconds(run.end_ns - last_accepted);
    if (done.size() > 2)
      out.steady_s_per_proof = seconds(done.back() - done.front()) / static_cast<double>(done.size() - 1);
  }
  for (const auto& [kind, name] : kStages)
    if (auto it = durations.find(kind); it != durations.end())
      out.stages.push_back(figures(name, it->second));
  out.utilisation = {busy.share(first_region, last_region), held.share(first_region, last_region),
                     occupied.share(first_region, last_region)};
  return out;
}

std::string to_text(const Summary& s) {
  char line[200];
  std::string out;
  auto add = [&](const char* format, auto... values) {
    std::snprintf(line, sizeof line, format, values...);
    out += line;
  };
  add("%zu proofs done, %zu failed, %zu cancelled, %zu retries in %.3f s\n", s.jobs_done, s.jobs_failed,
      s.jobs_cancelled, s.retries, s.wall_s);
  if (s.jobs_done > 0) {
    add("%.3f s/proof over all; ramp-up %.3f s, drain %.3f s", s.s_per_proof, s.ramp_up_s, s.drain_s);
    if (s.steady_s_per_proof > 0) add(", steady state %.3f s/proof", s.steady_s_per_proof);
    out += "\n";
  }
  auto share = [&](const char* name, double value) {
    if (value < 0) {
      add("  %-16s not measured\n", name);
    } else {
      add("  %-16s %5.1f %%\n", name, 100 * value);
    }
  };
  out += "utilisation, from the first device region to the last:\n";
  share("device busy", s.utilisation.device_busy);
  share("interlock held", s.utilisation.interlock_held);
  share("worker occupied", s.utilisation.worker_occupied);
  out += "stage               count      mean ms       p50       p95       max\n";
  for (const StageFigures& f : s.stages)
    add("%-17s %7zu %12.3f %9.3f %9.3f %9.3f\n", f.stage.c_str(), f.count, f.mean_ms, f.p50_ms, f.p95_ms,
        f.max_ms);
  return out;
}

}  // namespace cuzk::timeline
