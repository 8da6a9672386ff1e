// docs/diagnosis.md describes the fields.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "diagnosis/analysis.hpp"
#include "diagnosis/report.hpp"

namespace cuzk::diagnosis {

using Json = nlohmann::ordered_json;

namespace {

double ms_of(int64_t ns) {
  return static_cast<double>(ns) * 1e-6;
}

Json share(double value) {
  return value < 0 ? Json(nullptr) : Json(value);
}

Json interval(const Interval& ci, bool known) {
  return known ? Json{ci.lo, ci.hi} : Json{nullptr, nullptr};
}

Json names_of(const timeline::Timeline& timeline, const std::vector<uint32_t>& jobs) {
  Json out = Json::array();
  for (uint32_t job : jobs) out.push_back(timeline.jobs.name(job));
  return out;
}

Json causes_json(const std::vector<CauseFigures>& causes) {
  Json out = Json::array();
  for (const CauseFigures& f : causes)
    out.push_back({{"cause", gap_cause_name(f.cause)},
                   {"count", f.count},
                   {"total_ms", f.total_ms},
                   {"mean_ms", f.mean_ms},
                   {"max_ms", f.max_ms},
                   {"p95_ms", f.p95_ms},
                   {"s_per_proof", f.s_per_proof}});
  return out;
}

Json idle_json(const std::vector<IdleOf>& list) {
  Json out = Json::array();
  for (const IdleOf& idle : list) out.push_back({{"who", idle.who}, {"causes", causes_json(idle.causes)}});
  return out;
}

// The longest ones, in order of time.
Json gaps_json(const timeline::Timeline& timeline, const RunModel& model, const std::vector<Gap>& gaps) {
  Json out = Json::array();
  for (const Gap& gap : longest_gaps(gaps))
    out.push_back({{"worker", gap.worker == 0 ? Json(nullptr) : Json(timeline.workers.name(gap.worker))},
                   {"device", gap.who},
                   {"begin_ms", ms_of(gap.begin_ns - model.bounds.begin_ns)},
                   {"ms", ms_of(gap.ns())},
                   {"cause", gap_cause_name(gap.cause)},
                   {"job", gap.job == 0 ? Json(nullptr) : Json(timeline.jobs.name(gap.job))},
                   {"partition", gap.partition < 0 ? Json(nullptr) : Json(gap.partition)}});
  return out;
}

Json jobs_json(const timeline::Timeline& timeline, const RunModel& model) {
  Json out = Json::array();
  for (const JobRecord& job : model.jobs) {
    Json entry = {{"job", timeline.jobs.name(job.job)},
                  {"partitions_seen", job.seen.size()},
                  {"partitions_expected", job.expected},
                  {"missing", job.missing}};
    if (!job.unfinished.empty()) entry["unfinished"] = job.unfinished;
    if (!job.duplicated.empty()) entry["duplicated"] = job.duplicated;
    if (!job.kind.empty()) entry["kind"] = job.kind;
    entry["state"] = job.failed       ? "failed"
                     : job.cancelled  ? "cancelled"
                     : job.complete() ? "complete"
                                      : "incomplete";
    out.push_back(std::move(entry));
  }
  return out;
}

Json utilisation_json(const Utilisation& u) {
  Json out = {{"device_busy", share(u.device_busy)},
              {"interlock_held", share(u.interlock_held)},
              {"worker_occupied", share(u.worker_occupied)},
              {"upper_bound", u.upper_bound},
              {"any_worker", share(u.any_worker)}};
  out["curve"] = {{"step_ms", u.curve.step_ms},
                  {"device_busy", u.curve.device_busy},
                  {"interlock_held", u.curve.interlock_held},
                  {"worker_occupied", u.curve.worker_occupied}};
  return out;
}

Json stationarity_json(const std::vector<Stationarity>& list) {
  Json out = Json::array();
  for (const Stationarity& s : list)
    out.push_back({{"metric", s.metric},
                   {"unit", "ms"},
                   {"count", s.count},
                   {"first_half", s.first_half},
                   {"second_half", s.second_half},
                   {"change", s.change.value},
                   {"change_ci95", interval(s.change.ci95, s.change.known)},
                   {"drift_per_minute", s.drift_known ? Json(s.drift_per_minute) : Json(nullptr)},
                   {"drift_ci95", interval(s.drift_ci95, s.drift_known)},
                   {"change_points_ms", s.change_points_ms}});
  return out;
}

Json run_json(const Analysis& analysis, size_t i) {
  const RunFacts& run = analysis.facts->runs[i];
  const RunModel& model = *run.model;
  const timeline::Timeline& timeline = *analysis.timeline;
  Json out;
  out["number"] = analysis.selected[i] + 1;
  out["begin_ms"] = ms_of(model.bounds.begin_ns);
  out["end_ms"] = ms_of(model.bounds.end_ns);
  out["split"] = split_name(model.bounds.split);
  out["confidence"] = model.bounds.confidence;
  if (!model.bounds.parameters.empty()) out["parameters"] = model.bounds.parameters;
  out["events"] = model.bounds.last - model.bounds.first;
  out["proofs_complete"] = model.proofs_complete();
  out["s_per_proof"] = model.proofs_complete() == 0 ? Json(nullptr) : Json(model.s_per_proof());
  out["jobs"] = jobs_json(timeline, model);
  out["contaminated_jobs"] = names_of(timeline, model.bounds.contaminated);
  out["utilisation"] = utilisation_json(run.utilisation);
  out["gap_causes"] = causes_json(run.gaps.by_cause);
  out["gaps"] = gaps_json(timeline, model, run.gaps.of_devices);
  out["gaps_in_all"] = run.gaps.of_devices.size();
  out["idle"] = {{"devices", idle_json(run.gaps.by_device)}, {"workers", idle_json(run.gaps.by_worker)}};
  out["stationarity"] = stationarity_json(run.stationarity);
  if (const Json timing =
          [&] {
            Json sums = Json::object();
            for (const auto& [key, total] : timings_of(timeline, model))
              sums[key] = {{"count", total.count}, {"total_ms", total.total_ms}};
            return sums;
          }();
      !timing.empty())
    out["cuzk_timing"] = timing;
  return out;
}

Json fit_json(const LoadFit& fit) {
  Json points = Json::array();
  for (const LoadPoint& p : fit.points)
    points.push_back({{"load", p.load}, {"mean", p.mean}, {"count", p.count}});
  return {{"metric", fit.metric},
          {"unit", fit.unit},
          {"against", fit.against},
          {"slope_per_job", fit.known ? Json(fit.slope_per_job) : Json(nullptr)},
          {"ci95", interval(fit.ci95, fit.known)},
          {"intercept", fit.known ? Json(fit.intercept) : Json(nullptr)},
          {"count", fit.count},
          {"loads", {fit.least_load, fit.most_load}},
          {"points", points}};
}

Json hypothesis_json(const Hypothesis& h) {
  Json advice = Json::array();
  for (const Advice& a : h.advice)
    advice.push_back(
        {{"key", a.key.empty() ? Json(nullptr) : Json(a.key)},
         {"from", a.from},
         {"to", a.to},
         {"text", a.text},
         {"predicted_s_per_proof", a.predicted_s_per_proof ? Json(*a.predicted_s_per_proof) : Json(nullptr)},
         {"replayed_s_per_proof", a.replayed_s_per_proof ? Json(*a.replayed_s_per_proof) : Json(nullptr)}});
  return {{"cause", cause_name(h.cause)},
          {"verdict", verdict_name(h.verdict)},
          {"effect_s_per_proof", h.effect_s_per_proof ? Json(*h.effect_s_per_proof) : Json(nullptr)},
          {"evidence", h.evidence},
          {"against", h.against},
          {"missing", h.missing},
          {"change", advice}};
}

}  // namespace

std::string to_json(const Analysis& analysis) {
  const Facts& facts = *analysis.facts;
  const auto& quality = analysis.timeline->quality;
  Json out;
  out["file"] = analysis.name;
  out["source"] = analysis.timeline->source == timeline::Source::kReferenceLog ? "reference_log" : "cuzk";
  out["config"] = analysis.timeline->header.config;
  out["runs_in_file"] = analysis.runs.runs.size();
  if (analysis.runs.split_gap_ns > 0) out["split_gap_ms"] = ms_of(analysis.runs.split_gap_ns);
  out["runs"] = Json::array();
  for (size_t i = 0; i < facts.runs.size(); ++i) out["runs"].push_back(run_json(analysis, i));
  const LoadFit* main = facts.fit(facts.upper_bound() ? "worker_span" : "device_held");
  out["load"] = fit_json(main != nullptr ? *main : facts.load.empty() ? LoadFit{} : facts.load.front());
  out["loads"] = Json::array();
  for (const LoadFit& fit : facts.load) out["loads"].push_back(fit_json(fit));
  out["slowdown"] = facts.slowdown.known ? Json{{"waiting", facts.slowdown.waiting},
                                                {"computing", facts.slowdown.computing},
                                                {"transferring", facts.slowdown.transferring},
                                                {"other", facts.slowdown.other}}
                                         : Json(nullptr);
  out["hypotheses"] = Json::array();
  for (const Hypothesis& h : analysis.hypotheses) out["hypotheses"].push_back(hypothesis_json(h));
  out["data"] = {{"lines", quality.lines},
                 {"events", quality.events},
                 {"ignored", quality.ignored},
                 {"malformed", quality.malformed},
                 {"reordered", quality.reordered},
                 {"duplicated", analysis.cleaning.duplicated},
                 {"clock_jumps", quality.clock_jumps + analysis.cleaning.forward_jumps}};
  out["notes"] = analysis.notes;
  return out.dump(2, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cuzk::diagnosis
