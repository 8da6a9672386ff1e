#include "diagnosis/analysis.hpp"

#include <algorithm>

#include "diagnosis/text.hpp"

namespace cuzk::diagnosis {

namespace {

void note(Analysis& out) {
  const Facts& facts = *out.facts;
  if (facts.upper_bound())
    out.notes.push_back(
        "This log has worker spans only: a worker that waits for the device, and what it does on the CPU, "
        "count as "
        "device time. Device use is an upper bound, idle time a lower bound.");
  for (size_t i = 0; i < facts.runs.size(); ++i) {
    const RunModel& run = *facts.runs[i].model;
    const size_t number = out.selected[i] + 1;
    if (!run.bounds.contaminated.empty())
      out.notes.push_back(format("Run %zu: %zu jobs lie partly outside of it; their events are left out.",
                                 number, run.bounds.contaminated.size()));
    if (run.bounds.unfinished)
      out.notes.push_back(format("Run %zu has no BENCH_END: it was cut off, or it still goes on.", number));
    if (run.dropped_events > 0)
      out.notes.push_back(
          format("Run %zu: the recorder lost %llu events; sums are too small by what they held.", number,
                 static_cast<unsigned long long>(run.dropped_events)));
    size_t incomplete = 0;
    for (const JobRecord& job : run.jobs) incomplete += !job.complete();
    if (incomplete > 0)
      out.notes.push_back(
          format("Run %zu: %zu of %zu jobs are not complete.", number, incomplete, run.jobs.size()));
  }
  if (!facts.samples.any_host())
    out.notes.push_back(
        "The log has no samples of the host or the devices: what slows stages was not measured.");
}

}  // namespace

Result<Analysis> analyse(timeline::Timeline timeline, std::string name, const AnalysisOptions& options) {
  if (timeline.entries.empty()) return invalid(name + ": no events");
  Analysis out;
  out.name = std::move(name);
  out.options = options;
  out.timeline = std::make_unique<timeline::Timeline>(std::move(timeline));
  out.cleaning = clean(*out.timeline);
  out.runs = find_runs(*out.timeline, options.split_gap_ns);
  auto selected = select_runs(out.runs.runs.size(), options.run);
  if (!selected) return tl::unexpected<Error>(selected.error().at(out.name));
  out.selected = std::move(*selected);
  // Runs that were not asked for still tell what the machine does at rest; many of them would only cost time.
  constexpr size_t kMostRuns = 2000;
  if (out.selected.size() > kMostRuns) {
    out.notes.push_back(
        format("%zu runs; the last %zu are analysed. --run chooses.", out.runs.runs.size(), kMostRuns));
    out.selected.erase(out.selected.begin(), out.selected.end() - static_cast<std::ptrdiff_t>(kMostRuns));
  }
  const auto expected = expected_partitions(*out.timeline);
  out.facts.reset(new Facts{*out.timeline, Samples(*out.timeline), {}, {}, {}, {}, {}, {}});
  Facts& facts = *out.facts;
  std::vector<size_t> at;
  const bool all = out.runs.runs.size() <= kMostRuns;
  for (size_t i = 0; i < out.runs.runs.size(); ++i) {
    const bool wanted = std::binary_search(out.selected.begin(), out.selected.end(), i);
    if (!wanted && !all) continue;
    if (wanted) at.push_back(facts.models.size());
    facts.models.push_back(build_model(*out.timeline, out.runs.runs[i], expected));
  }
  for (size_t i : at) {
    const RunModel& model = facts.models[i];
    facts.runs.push_back({&model, find_gaps(*out.timeline, model), utilisation(model), stationarity(model)});
  }
  facts.load = load_fits(facts.selected());
  facts.slowdown = slowdown_parts(facts.load);
  facts.slow_indices = slow_indices(facts.selected());
  facts.slow_jobs = slow_jobs(facts.selected());
  out.hypotheses = rank_hypotheses(facts);
  advise(facts, out.hypotheses, options.replay);
  note(out);
  return out;
}

}  // namespace cuzk::diagnosis
