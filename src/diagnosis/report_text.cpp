// The report for a terminal: what limits throughput first, then what it rests on.
#include <algorithm>

#include "diagnosis/analysis.hpp"
#include "diagnosis/report.hpp"
#include "diagnosis/text.hpp"

namespace cuzk::diagnosis {

namespace {

double seconds(int64_t ns) {
  return static_cast<double>(ns) * 1e-9;
}

std::string percent(double share) {
  return share < 0 ? "not measured" : format("%.1f %%", 100 * share);
}

std::string list_of(const std::vector<int32_t>& numbers) {
  std::string out;
  for (size_t i = 0; i < numbers.size() && i < 20; ++i)
    out += (i == 0 ? "" : ",") + std::to_string(numbers[i]);
  return out + (numbers.size() > 20 ? ",…" : "");
}

std::string data_lines(const Analysis& a) {
  const auto& q = a.timeline->quality;
  std::string out = format(
      "data: %llu lines, %llu events; %llu ignored, %llu malformed, %llu out of order, %llu duplicated, %llu "
      "clock "
      "jumps\n",
      static_cast<unsigned long long>(q.lines), static_cast<unsigned long long>(q.events),
      static_cast<unsigned long long>(q.ignored), static_cast<unsigned long long>(q.malformed),
      static_cast<unsigned long long>(q.reordered), static_cast<unsigned long long>(a.cleaning.duplicated),
      static_cast<unsigned long long>(q.clock_jumps + a.cleaning.forward_jumps));
  for (const std::string& text : a.notes) out += "note: " + text + "\n";
  return out;
}

std::string hypothesis_lines(const Hypothesis& h, size_t rank) {
  std::string out = format("%2zu. %-21s %-10s", rank, cause_name(h.cause), verdict_name(h.verdict));
  if (h.effect_s_per_proof) out += format("  %.3f s/proof", *h.effect_s_per_proof);
  out += "\n";
  for (const auto& text : h.evidence) out += "      + " + text + "\n";
  for (const auto& text : h.against) out += "      - " + text + "\n";
  for (const auto& text : h.missing) out += "      ? " + text + "\n";
  for (const Advice& advice : h.advice) {
    out += "      > ";
    if (!advice.key.empty()) out += advice.key + " from " + advice.from + " to " + advice.to + ": ";
    out += advice.text;
    if (advice.predicted_s_per_proof)
      out += format(": replay %.3f s/proof, with the change %.3f", *advice.replayed_s_per_proof,
                    *advice.predicted_s_per_proof);
    out += "\n";
  }
  return out;
}

std::string job_lines(const timeline::Timeline& timeline, const RunModel& model) {
  std::string out;
  size_t shown = 0;
  for (const JobRecord& job : model.jobs) {
    if (job.complete() && job.duplicated.empty()) continue;
    if (++shown > 20) return out + "    …\n";
    out += format("    %s: %zu of %u partitions", std::string(timeline.jobs.name(job.job)).c_str(),
                  job.seen.size(), job.expected);
    if (!job.missing.empty()) out += "; missing " + list_of(job.missing);
    if (!job.unfinished.empty()) out += "; begun and not finished " + list_of(job.unfinished);
    if (!job.duplicated.empty()) out += "; twice in the log " + list_of(job.duplicated);
    if (job.failed) out += "; failed";
    if (job.cancelled) out += "; cancelled";
    out += "\n";
  }
  return out;
}

std::string gap_lines(const Analysis& a, const RunFacts& run) {
  std::string out = run.model->upper_bound ? "  idle between worker spans (at least)" : "  devices idle";
  out +=
      ", by what they waited for:\n    cause          count     sum s   mean ms    max ms    p95 ms  "
      "s/proof\n";
  for (const CauseFigures& f : run.gaps.by_cause)
    out += format("    %-13s %6zu %9.3f %9.1f %9.1f %9.1f %8.3f\n", gap_cause_name(f.cause), f.count,
                  f.total_ms * 1e-3, f.mean_ms, f.max_ms, f.p95_ms, f.s_per_proof);
  for (const IdleOf& idle : run.gaps.by_worker) {
    double total = 0, most = 0, count = 0;
    for (const CauseFigures& f : idle.causes) {
      total += f.total_ms;
      most = std::max(most, f.max_ms);
      count += static_cast<double>(f.count);
    }
    if (run.gaps.by_worker.size() <= 16)
      out += format("    %-12s idle %.0f times, %.3f s in all, average %.1f ms, longest %.1f ms\n",
                    idle.who.c_str(), count, total * 1e-3, count > 0 ? total / count : 0.0, most);
  }
  size_t marked = 0;
  for (const Gap& gap : run.gaps.of_devices) {
    if (gap.ns() <= a.options.mark_gap_ns) continue;
    if (++marked > 40) return out + "    …\n";
    out +=
        format("    %10.3f s  %9.1f ms  %-13s %s%s <<<\n", seconds(gap.begin_ns - run.model->bounds.begin_ns),
               static_cast<double>(gap.ns()) * 1e-6, gap_cause_name(gap.cause),
               gap.job == 0 ? "" : ("before " + std::string(a.timeline->jobs.name(gap.job))).c_str(),
               gap.partition < 0 ? "" : (" p" + std::to_string(gap.partition)).c_str());
  }
  return out;
}

std::string run_lines(const Analysis& a, size_t i) {
  const RunFacts& run = a.facts->runs[i];
  const RunModel& model = *run.model;
  std::string out = format("run %zu: %.3f s to %.3f s (%s, confidence %.2f)%s%s\n", a.selected[i] + 1,
                           seconds(model.bounds.begin_ns), seconds(model.bounds.end_ns),
                           split_name(model.bounds.split), model.bounds.confidence,
                           model.bounds.parameters.empty() ? "" : " ", model.bounds.parameters.c_str());
  out += format("  %zu of %zu proofs complete", model.proofs_complete(), model.jobs.size());
  if (model.proofs_complete() > 0) out += format(", %.3f s/proof", model.s_per_proof());
  out += format("; %zu partitions, %zu retries, %zu failures\n", model.partitions.size(), model.retries,
                model.failures);
  out += job_lines(*a.timeline, model);
  for (uint32_t job : model.bounds.contaminated)
    out += "    " + std::string(a.timeline->jobs.name(job)) + ": lies partly outside of the run, left out\n";
  const Utilisation& u = run.utilisation;
  out += "  device busy " + percent(u.device_busy) + ", interlock held " + percent(u.interlock_held) +
         ", worker occupied " + percent(u.worker_occupied);
  if (u.upper_bound)
    out += format(
        "\n  some worker had a partition %s of the time: an upper bound of device use, which worker spans "
        "overstate",
        percent(u.any_worker).c_str());
  out += "\n";
  for (const auto& [key, sum] : timings_of(*a.timeline, model))
    if (key == "mutex_wait_ms" || key == "gpu_total_ms" || key == "mutex_held_ms")
      out +=
          format("  CUZK_TIMING %s: %.3f s in %zu lines, %.1f %% of the run\n", key.c_str(),
                 sum.total_ms * 1e-3, sum.count, 100 * sum.total_ms * 1e-3 / std::max(model.wall_s(), 1e-9));
  out += gap_lines(a, run);
  for (const Stationarity& s : run.stationarity) {
    if (!s.change.known || (s.change.ci95.lo <= 0 && s.change.ci95.hi >= 0)) continue;
    out += format(
        "  not stationary: %s %.1f ms in the first half, %.1f ms in the second (95 %%: %+.1f to %+.1f)",
        s.metric.c_str(), s.first_half, s.second_half, s.change.ci95.lo, s.change.ci95.hi);
    if (!s.change_points_ms.empty()) {
      out += "; changes at";
      for (double at : s.change_points_ms) out += format(" %.0f s", at * 1e-3);
    }
    out += "\n";
  }
  return out;
}

std::string load_lines(const Facts& facts) {
  const bool by_run = !facts.load.empty() && facts.load.front().against == "proofs_in_run";
  std::string out =
      by_run ? "load: length of each stage against the proofs of its run (this log does not show how "
               "many are in flight)\n"
             : "load: length of each stage against the proofs in flight\n";
  for (const LoadFit& fit : facts.load) {
    if (!fit.known) {
      out += format("  %-16s %7zu partitions; the load varies too little, or they are too few, to fit\n",
                    fit.metric.c_str(), fit.count);
      continue;
    }
    out += format("  %-16s %+.3f ms a proof (95 %%: %+.3f to %+.3f); %.1f ms at %.1f, %.1f ms at %.1f\n",
                  fit.metric.c_str(), fit.slope_per_job, fit.ci95.lo, fit.ci95.hi, fit.at_least,
                  fit.least_load, fit.at_most, fit.most_load);
  }
  if (facts.slowdown.known)
    out += format(
        "  of the slowdown with load: waiting %.0f %%, computing %.0f %%, transferring %.0f %%, other %.0f "
        "%%\n",
        100 * facts.slowdown.waiting, 100 * facts.slowdown.computing, 100 * facts.slowdown.transferring,
        100 * facts.slowdown.other);
  return out;
}

}  // namespace

std::string to_text(const Analysis& a) {
  const Facts& facts = *a.facts;
  std::string out = a.name + "\n" + data_lines(a);
  if (a.runs.split_gap_ns > 0 && a.runs.runs.size() > 1)
    out += format("%zu runs, split where nothing was in flight for %.1f s\n", a.runs.runs.size(),
                  seconds(a.runs.split_gap_ns));
  out += "\nwhat limits throughput, likeliest first\n";
  const bool any = !a.hypotheses.empty() && a.hypotheses.front().verdict == Verdict::kSupported;
  if (!any) out += "  not enough evidence for any cause\n";
  for (size_t i = 0; i < a.hypotheses.size(); ++i) out += hypothesis_lines(a.hypotheses[i], i + 1);
  out += "\n";
  for (size_t i = 0; i < facts.runs.size(); ++i) out += run_lines(a, i) + "\n";
  return out + load_lines(facts);
}

}  // namespace cuzk::diagnosis
