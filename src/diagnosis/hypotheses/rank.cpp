#include <algorithm>

#include "diagnosis/hypothesis.hpp"
#include "diagnosis/text.hpp"

namespace cuzk::diagnosis {

const char* cause_name(Cause cause) {
  constexpr const char* kNames[] = {"memory_bandwidth",
                                    "tlb_shootdown",
                                    "cpu_oversubscription",
                                    "thermal",
                                    "power",
                                    "pcie_link",
                                    "vram",
                                    "handover",
                                    "synthesis_starvation",
                                    "memory_budget",
                                    "uneven_partitions",
                                    "slow_job"};
  return kNames[static_cast<size_t>(cause)];
}

const char* verdict_name(Verdict verdict) {
  constexpr const char* kNames[] = {"supported", "possible", "unmeasured", "rejected"};
  return kNames[static_cast<size_t>(verdict)];
}

namespace {

// A job that only ran while something measured slowed everything is not slow itself.
void doubt_slow_jobs(const Facts& facts, std::vector<Hypothesis>& all) {
  constexpr double kBeyondDoubt = 2;  // times the median job: more than contention makes of one
  const bool slowed = std::any_of(all.begin(), all.end(), [](const Hypothesis& h) {
    const bool outside = h.cause <= Cause::kVram;
    return outside && h.verdict == Verdict::kSupported;
  });
  const bool beyond = std::any_of(facts.slow_jobs.begin(), facts.slow_jobs.end(),
                                  [](const SlowJob& job) { return job.ratio >= kBeyondDoubt; });
  if (!slowed || beyond) return;
  for (Hypothesis& h : all)
    if (h.cause == Cause::kSlowJob && h.verdict == Verdict::kSupported) {
      h.verdict = Verdict::kPossible;
      h.against.push_back("something measured slows stages in this log: the job may only have run then");
    }
}

}  // namespace

std::vector<Hypothesis> rank_hypotheses(const Facts& facts) {
  const Drivers drivers(facts);
  std::vector<Hypothesis> out = {memory_bandwidth(facts, drivers),
                                 tlb_shootdown(facts, drivers),
                                 cpu_oversubscription(facts, drivers),
                                 thermal(facts, drivers),
                                 power(facts, drivers),
                                 pcie_link(facts),
                                 vram(facts),
                                 handover(facts),
                                 synthesis_starvation(facts),
                                 memory_budget(facts),
                                 uneven_partitions(facts),
                                 slow_job(facts)};
  doubt_slow_jobs(facts, out);
  // Devices starve because synthesis is slow: where something measured slows it, that comes first.
  double explained = 0;
  std::string by;
  for (const Hypothesis& h : out)
    if (h.verdict == Verdict::kSupported && h.explains_starvation_s > 0) {
      explained += h.explains_starvation_s;
      by += (by.empty() ? "" : ", ") + std::string(cause_name(h.cause));
    }
  auto rank = [&](const Hypothesis& h) {
    double effect = h.effect_s_per_proof.value_or(-1);
    if (h.cause == Cause::kSynthesisStarvation && explained > 0) effect = std::max(0.0, effect - explained);
    return effect;
  };
  for (Hypothesis& h : out)
    if (h.cause == Cause::kSynthesisStarvation && explained > 0 && h.verdict == Verdict::kSupported)
      h.evidence.push_back(
          format("%.3f s of it is explained by what slows synthesis: %s", explained, by.c_str()));
  std::stable_sort(out.begin(), out.end(), [&](const Hypothesis& a, const Hypothesis& b) {
    if (a.verdict != b.verdict) return a.verdict < b.verdict;
    return rank(a) > rank(b);
  });
  return out;
}

}  // namespace cuzk::diagnosis
