#include "diagnosis/runs.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_set>

#include "diagnosis/statistics.hpp"
#include "diagnosis/step_function.hpp"
#include "timeline/waterfall.hpp"

namespace cuzk::diagnosis {

using timeline::Entry;
using timeline::EventKind;
using timeline::Timeline;

namespace {

constexpr int64_t kDefaultGapNs = 1'500'000'000;
constexpr int64_t kToleranceNs = 1'000'000;  // between the clocks of two threads' records

struct JobSpan {
  uint32_t job;
  int64_t begin_ns, end_ns;
};

// Giving memory back goes on after a job has ended.
bool keeps_in_flight(EventKind kind) {
  return kind != EventKind::kMemoryReleased && kind != EventKind::kReleaseEnd;
}

// Ascending in begin.
std::vector<JobSpan> job_spans(const Timeline& timeline) {
  std::vector<JobSpan> by_job(timeline.jobs.size(), {0, INT64_MAX, INT64_MIN});
  for (const Entry& e : timeline.entries) {
    if (e.job == timeline::NameTable::kNone || !keeps_in_flight(e.kind)) continue;
    JobSpan& span = by_job[e.job];
    span.job = e.job;
    span.begin_ns = std::min(span.begin_ns, e.begin_ns());
    span.end_ns = std::max(span.end_ns, e.time_ns);
  }
  std::erase_if(by_job, [](const JobSpan& s) { return s.begin_ns > s.end_ns; });
  std::sort(by_job.begin(), by_job.end(), [](const JobSpan& a, const JobSpan& b) {
    return std::tie(a.begin_ns, a.end_ns, a.job) < std::tie(b.begin_ns, b.end_ns, b.job);
  });
  return by_job;
}

struct Boundary {
  int64_t before_ns, after_ns;  // the last and the first event around it
  double confidence;
  bool quiet;
};

// Certain when it is quiet for much longer than what ends a run.
double confidence_of(int64_t quiet_ns, int64_t split_gap_ns) {
  return 1 - 0.5 * static_cast<double>(split_gap_ns) / static_cast<double>(std::max<int64_t>(quiet_ns, 1));
}

int64_t default_gap(const std::vector<JobSpan>& jobs) {
  std::vector<double> quiet;
  int64_t latest = jobs.empty() ? 0 : jobs.front().end_ns;
  for (size_t i = 1; i < jobs.size(); ++i) {
    quiet.push_back(static_cast<double>(std::max<int64_t>(jobs[i].begin_ns - latest, 0)));
    latest = std::max(latest, jobs[i].end_ns);
  }
  if (quiet.empty()) return kDefaultGapNs;
  return std::max(kDefaultGapNs, static_cast<int64_t>(3 * median(std::move(quiet))));
}

std::vector<Boundary> quiet_boundaries(const std::vector<JobSpan>& jobs, int64_t split_gap_ns) {
  std::vector<Boundary> out;
  int64_t latest = jobs.empty() ? 0 : jobs.front().end_ns;
  for (const JobSpan& job : jobs) {
    if (job.begin_ns - latest > split_gap_ns)
      out.push_back({latest, job.begin_ns, confidence_of(job.begin_ns - latest, split_gap_ns), true});
    latest = std::max(latest, job.end_ns);
  }
  return out;
}

// Work that has a length; between them nothing happens.
bool is_work(EventKind kind) {
  switch (kind) {
    case EventKind::kSynthEnd:
    case EventKind::kPrepareEnd:
    case EventKind::kLockTaken:
    case EventKind::kLockReleased:
    case EventKind::kDeviceEnd:
    case EventKind::kTailEnd:
    case EventKind::kCheckEnd:
    case EventKind::kJobParsed:
    case EventKind::kKeyLoadEnd:
    case EventKind::kMemoryWaitEnd:
      return true;
    default:
      return false;
  }
}

// Stretches without any work that few jobs straddle, with several jobs before and after: two runs and a job
// that belongs to neither. A retry's pause is no such stretch.
std::vector<Boundary> gap_boundaries(const Timeline& timeline, const std::vector<JobSpan>& jobs,
                                     int64_t split_gap_ns) {
  StepFunction work;
  std::unordered_set<uint32_t> retried;
  for (const Entry& e : timeline.entries) {
    if (is_work(e.kind) && e.duration_ns > 0) work.add(e.begin_ns(), e.time_ns);
    if (e.kind == EventKind::kPartitionFailed || e.kind == EventKind::kPartitionRetry) retried.insert(e.job);
  }
  work.finish();
  std::vector<Boundary> out;
  if (jobs.empty()) return out;
  std::vector<int64_t> ends;
  for (const JobSpan& job : jobs) ends.push_back(job.end_ns);
  std::sort(ends.begin(), ends.end());
  for (auto [from, to] : work.stretches(jobs.front().begin_ns, ends.back(), /*positive=*/false)) {
    if (to - from <= 2 * split_gap_ns) continue;
    // Jobs that end within it are before it, those that begin within it after it.
    const auto ended = std::lower_bound(ends.begin(), ends.end(), to - kToleranceNs);
    const auto next = std::upper_bound(jobs.begin(), jobs.end(), from + kToleranceNs,
                                       [](int64_t time, const JobSpan& job) { return time < job.begin_ns; });
    const size_t before = static_cast<size_t>(ended - ends.begin()),
                 after = static_cast<size_t>(jobs.end() - next);
    if (before + after >= jobs.size()) continue;  // quiet, or short jobs within it
    const size_t across = jobs.size() - before - after, fewer = std::min(before, after);
    if (fewer < 2 || across > std::max<size_t>(1, fewer / 10)) continue;
    const bool pause = std::any_of(jobs.begin(), next, [&](const JobSpan& job) {
      return job.end_ns >= to - kToleranceNs && retried.contains(job.job);
    });
    const int64_t last = std::max(from, *(ended - 1)), first = std::min(to, next->begin_ns);
    if (!pause && first - last > 2 * split_gap_ns)
      out.push_back({last, first, 0.8 * confidence_of(first - last, 2 * split_gap_ns), false});
  }
  return out;
}

// Runs are ascending and do not overlap.
void assign_jobs(const std::vector<JobSpan>& jobs, std::vector<RunBounds>& runs) {
  for (const JobSpan& job : jobs) {
    auto run =
        std::lower_bound(runs.begin(), runs.end(), job.begin_ns - kToleranceNs,
                         [](const RunBounds& candidate, int64_t time) { return candidate.end_ns < time; });
    for (; run != runs.end() && run->begin_ns <= job.end_ns + kToleranceNs; ++run) {
      const bool inside =
          job.begin_ns >= run->begin_ns - kToleranceNs && job.end_ns <= run->end_ns + kToleranceNs;
      // The next run's first job may begin in the moment in which this one ends.
      const int64_t common = std::min(job.end_ns, run->end_ns) - std::max(job.begin_ns, run->begin_ns);
      if (inside) {
        run->jobs.push_back(job.job);
      } else if (common > kToleranceNs) {
        run->contaminated.push_back(job.job);
      }
    }
  }
}

void assign_entries(const Timeline& timeline, std::vector<RunBounds>& runs) {
  const auto& entries = timeline.entries;
  auto before = [](const Entry& e, int64_t time) { return e.time_ns < time; };
  for (RunBounds& run : runs) {
    run.first = static_cast<size_t>(std::lower_bound(entries.begin(), entries.end(), run.begin_ns, before) -
                                    entries.begin());
    run.last = static_cast<size_t>(
        std::lower_bound(entries.begin(), entries.end(), run.end_ns + kToleranceNs + 1, before) -
        entries.begin());
  }
}

std::vector<RunBounds> marked_runs(const Timeline& timeline) {
  std::vector<RunBounds> out;
  bool any = false, ended = false;
  for (const Entry& e : timeline.entries) {
    if (e.kind == EventKind::kBenchBegin) {
      any = true;
      break;
    }
  }
  if (!any) return out;
  for (const auto& run : timeline::find_runs(timeline)) {
    RunBounds bounds;
    bounds.begin_ns = run.begin_ns;
    bounds.end_ns = run.end_ns;
    bounds.split = Split::kMarker;
    bounds.parameters = run.parameters;
    ended = false;
    for (size_t i = run.first; i < run.last && !ended; ++i)
      ended = timeline.entries[i].kind == EventKind::kBenchEnd;
    bounds.unfinished = !ended;
    bounds.confidence = ended ? 1 : 0.8;
    out.push_back(bounds);
  }
  return out;
}

}  // namespace

const char* split_name(Split split) {
  constexpr const char* kNames[] = {"marker", "quiet", "gap"};
  return kNames[static_cast<size_t>(split)];
}

Runs find_runs(const Timeline& timeline, std::optional<int64_t> split_gap_ns) {
  Runs out;
  const std::vector<JobSpan> jobs = job_spans(timeline);
  out.runs = marked_runs(timeline);
  if (out.runs.empty()) {
    out.split_gap_ns = split_gap_ns.value_or(default_gap(jobs));
    std::vector<Boundary> bounds = quiet_boundaries(jobs, out.split_gap_ns);
    // A stretch without work that a job straddles is not also quiet: the two kinds do not overlap.
    for (const Boundary& gap : gap_boundaries(timeline, jobs, out.split_gap_ns)) bounds.push_back(gap);
    std::sort(bounds.begin(), bounds.end(),
              [](const Boundary& a, const Boundary& b) { return a.before_ns < b.before_ns; });
    RunBounds run;
    run.begin_ns = jobs.empty() ? timeline.entries.front().begin_ns() : jobs.front().begin_ns;
    int64_t end = timeline.entries.back().time_ns;
    if (!jobs.empty()) {
      end = INT64_MIN;
      for (const JobSpan& job : jobs) end = std::max(end, job.end_ns);
    }
    for (const Boundary& bound : bounds) {
      run.end_ns = bound.before_ns;
      run.confidence = std::min(run.confidence, bound.confidence);
      if (!bound.quiet) run.split = Split::kGap;
      out.runs.push_back(run);
      run = {};
      run.begin_ns = bound.after_ns;
      run.confidence = bound.confidence;
      if (!bound.quiet) run.split = Split::kGap;
    }
    run.end_ns = std::max(end, run.begin_ns);
    out.runs.push_back(run);
  }
  assign_jobs(jobs, out.runs);
  assign_entries(timeline, out.runs);
  return out;
}

Result<std::vector<size_t>> select_runs(size_t runs, const std::string& which) {
  std::vector<size_t> out;
  if (which == "all") {
    for (size_t i = 0; i < runs; ++i) out.push_back(i);
    return out;
  }
  if (which == "last") return std::vector<size_t>{runs - 1};
  std::string_view rest = which;
  for (bool more = true; more;) {
    const size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    const std::string_view part = rest.substr(0, comma);
    if (more) rest.remove_prefix(comma + 1);
    size_t number = 0;
    auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), number);
    if (error != std::errc() || end != part.data() + part.size() || number == 0 || number > runs)
      return invalid("--run " + which + ": expected all, last or numbers from 1 to " + std::to_string(runs) +
                     " joined by commas");
    if (std::find(out.begin(), out.end(), number - 1) == out.end()) out.push_back(number - 1);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace cuzk::diagnosis
