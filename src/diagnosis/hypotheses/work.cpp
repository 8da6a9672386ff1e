// The work itself: partitions and jobs that need more than others.
#include <algorithm>
#include <cmath>

#include "diagnosis/hypotheses/common.hpp"

namespace cuzk::diagnosis {

namespace {

// What longer work costs: on the device all of it, in synthesis what the devices idle for.
double cost(const Facts& facts, const std::string& metric, double excess_s_per_proof) {
  if (metric != "synthesis") return excess_s_per_proof / static_cast<double>(facts.devices());
  return std::min(excess_s_per_proof / static_cast<double>(facts.synthesisers()),
                  facts.lost(GapCause::kStarvation) + facts.lost(GapCause::kLeadIn));
}

size_t jobs_of(const Facts& facts) {
  size_t sum = 0;
  for (const RunFacts& run : facts.runs) sum += run.model->jobs.size();
  return sum;
}

}  // namespace

Hypothesis uneven_partitions(const Facts& facts) {
  Hypothesis out{.cause = Cause::kUnevenPartitions};
  if (jobs_of(facts) < 4) {
    out.missing.push_back("at least 4 jobs of several partitions");
    return out;
  }
  double effect = 0;
  for (const SlowIndex& slow : facts.slow_indices) {
    out.evidence.push_back(
        format("partition %d takes %.2f times as long as its job's median partition (%s; 95 %%: %.2f "
               "to %.2f), in %zu jobs: its work differs",
               slow.index, slow.ratio, slow.metric.c_str(), slow.ci95.lo, slow.ci95.hi, slow.jobs));
    effect += cost(facts, slow.metric, slow.excess_ms * 1e-3);
  }
  if (facts.slow_indices.empty()) {
    out.verdict = Verdict::kRejected;
    out.against.push_back("no partition index is slower than the others in most jobs");
    return out;
  }
  out.effect_s_per_proof = effect;
  out.verdict = matters(facts, effect) ? Verdict::kSupported : Verdict::kPossible;
  return out;
}

Hypothesis slow_job(const Facts& facts) {
  Hypothesis out{.cause = Cause::kSlowJob};
  if (jobs_of(facts) < 5) {
    out.missing.push_back("at least 5 jobs");
    return out;
  }
  double effect = 0;
  for (const SlowJob& slow : facts.slow_jobs) {
    out.evidence.push_back(
        format("%s takes %.2f times as long as the median job (%s), %.0f robust standard deviations "
               "from it; the jobs beside it do not",
               std::string(facts.timeline.jobs.name(slow.job)).c_str(), slow.ratio, slow.metric.c_str(),
               std::min(slow.z, 999.0)));
    effect += cost(facts, slow.metric,
                   slow.excess_ms * 1e-3 / static_cast<double>(std::max<size_t>(facts.proofs(), 1)));
  }
  if (facts.slow_jobs.empty()) {
    out.verdict = Verdict::kRejected;
    out.against.push_back("no job is far slower than the others");
    return out;
  }
  out.effect_s_per_proof = effect;
  out.verdict = matters(facts, effect) ? Verdict::kSupported : Verdict::kPossible;
  return out;
}

}  // namespace cuzk::diagnosis
