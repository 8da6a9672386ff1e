// The pipeline itself: what devices wait for.
#include <algorithm>

#include "diagnosis/hypotheses/common.hpp"

namespace cuzk::diagnosis {

namespace {

constexpr double kLeastHandover = 0.02, kLeastStarvation = 0.03;

// Enough to judge by: a handful of proofs says little.
bool enough(const Facts& facts) {
  return facts.proofs() >= 2 && facts.s_per_proof() > 0;
}

// Supported, possible or rejected by the share of the time a proof takes.
void by_share(const Facts& facts, Hypothesis& out, double lost, double least, const std::string& level) {
  const double share = facts.s_per_proof() > 0 ? lost / facts.s_per_proof() : 0;
  const std::string text = level + format(" (%.1f %% of the time a proof takes)", 100 * share);
  out.effect_s_per_proof = lost;
  if (share >= least && enough(facts)) {
    out.verdict = Verdict::kSupported;
    out.evidence.push_back(text);
  } else if (share >= least / 2) {
    out.verdict = Verdict::kPossible;
    out.evidence.push_back(text);
  } else {
    // Worker spans hide idle devices: that they show none proves nothing.
    out.verdict = facts.upper_bound() ? Verdict::kUnmeasured : Verdict::kRejected;
    out.against.push_back(text);
  }
  if (!enough(facts)) out.missing.push_back("more proofs: fewer than two were completed");
}

bool has_regions(const Facts& facts) {
  return std::any_of(facts.runs.begin(), facts.runs.end(), [](const RunFacts& run) {
    return std::any_of(run.model->regions.begin(), run.model->regions.end(),
                       [](const auto& r) { return r.size() > 1; });
  });
}

constexpr const char* kWorkerSpans =
    "this log has worker spans only: a worker that waits for the device counts as using it, so what is lost "
    "is "
    "at least this";

}  // namespace

Hypothesis handover(const Facts& facts) {
  Hypothesis out{.cause = Cause::kHandover};
  if (!has_regions(facts)) {
    out.missing.push_back("device regions: LOCK_RELEASED or GPU_END events");
    return out;
  }
  const double within = facts.lost(GapCause::kHandover), change = facts.lost(GapCause::kJobChange);
  const size_t count = facts.count(GapCause::kHandover) + facts.count(GapCause::kJobChange);
  by_share(facts, out, within + change, kLeastHandover,
           format("devices idle while a synthesised partition waits: %.3f s a proof within a job, %.3f s "
                  "between jobs, "
                  "%zu times",
                  within, change, count));
  if (facts.upper_bound()) {
    out.missing.push_back(kWorkerSpans);
    if (!facts.timeline.timings.empty()) {
      double wait = 0, kernels = 0;
      for (const auto& t : facts.timeline.timings) {
        const std::string_view key = facts.timeline.timing_keys.name(t.key);
        if (key == "mutex_wait_ms") wait += t.ms;
        if (key == "gpu_total_ms") kernels += t.ms;
      }
      out.evidence.push_back(
          format("CUZK_TIMING lines: workers waited %.1f s for the interlock and kernels ran %.1f s "
                 "in all",
                 wait * 1e-3, kernels * 1e-3));
    }
  }
  return out;
}

Hypothesis synthesis_starvation(const Facts& facts) {
  Hypothesis out{.cause = Cause::kSynthesisStarvation};
  const bool synthesis = std::any_of(facts.runs.begin(), facts.runs.end(),
                                     [](const RunFacts& run) { return run.model->synthesising.most() > 0; });
  if (!has_regions(facts) || !synthesis) {
    out.missing.push_back("SYNTH_START and SYNTH_END events, and device regions");
    return out;
  }
  const double lost = facts.lost(GapCause::kStarvation);
  by_share(facts, out, lost, kLeastStarvation,
           format("devices idle with nothing synthesised: %.3f s a proof, %zu times; %zu synthesis workers",
                  lost, facts.count(GapCause::kStarvation), facts.synthesisers()));
  if (facts.upper_bound()) out.missing.push_back(kWorkerSpans);
  return out;
}

Hypothesis memory_budget(const Facts& facts) {
  Hypothesis out{.cause = Cause::kMemoryBudget};
  size_t waits = 0;
  int64_t waited = 0;
  for (const RunFacts& run : facts.runs) {
    waits += run.model->memory_waits.size();
    for (const Stretch& s : run.model->memory_waits) waited += s.end_ns - s.begin_ns;
  }
  if (facts.upper_bound()) {
    out.missing.push_back("waits for the memory budget: this log does not have them");
    return out;
  }
  const double lost = facts.lost(GapCause::kMemoryBudget);
  by_share(facts, out, lost, kLeastHandover,
           format("devices idle while the next partition waits for memory: %.3f s a proof, %zu times", lost,
                  facts.count(GapCause::kMemoryBudget)));
  if (waits > 0)
    out.evidence.push_back(
        format("%zu waits for the memory budget, %.1f s in all", waits, static_cast<double>(waited) * 1e-9));
  return out;
}

}  // namespace cuzk::diagnosis
