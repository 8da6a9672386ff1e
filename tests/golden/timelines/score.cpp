#include "score.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

namespace cuzk::golden {

using diagnosis::Cause;
using diagnosis::Verdict;

diagnosis::Analysis analyse_text(const std::string& text, const std::string& name, bool replay) {
  std::istringstream in(text);
  auto timeline = timeline::read_timeline(in, name);
  if (!timeline) std::abort();
  diagnosis::AnalysisOptions options;
  options.replay = replay;
  auto analysis = diagnosis::analyse(std::move(*timeline), name, options);
  if (!analysis) std::abort();
  return std::move(*analysis);
}

namespace {

bool has(const std::vector<Cause>& list, Cause cause) {
  return std::find(list.begin(), list.end(), cause) != list.end();
}

// Devices starve because something slows synthesis, or because memory is short: true, and not another cause.
bool follows(const std::vector<Cause>& truth, Cause cause) {
  if (has(truth, cause)) return true;
  const bool feeding = has(truth, Cause::kMemoryBandwidth) || has(truth, Cause::kTlbShootdown) ||
                       has(truth, Cause::kCpuOversubscription) || has(truth, Cause::kMemoryBudget);
  return cause == Cause::kSynthesisStarvation && feeding;
}

}  // namespace

Tally score(const Case& c, bool loud) {
  const diagnosis::Analysis analysis = analyse_text(c.text, c.truth.kind);
  Tally out;
  out.cases = 1;
  const diagnosis::Hypothesis& first = analysis.hypotheses.front();
  const bool claimed = first.verdict == Verdict::kSupported;
  out.right = c.truth.causes.empty() ? !claimed : claimed && has(c.truth.causes, first.cause);
  for (const auto& h : analysis.hypotheses)
    if (h.verdict == Verdict::kSupported && !follows(c.truth.causes, h.cause)) {
      ++out.false_claims;
      if (loud) std::printf("  claims %s\n", diagnosis::cause_name(h.cause));
    }
  if (loud && out.right == 0) {
    std::printf("%s: first is %s (%s)\n", c.truth.kind.c_str(), diagnosis::cause_name(first.cause),
                diagnosis::verdict_name(first.verdict));
    for (const auto& h : analysis.hypotheses)
      if (has(c.truth.causes, h.cause) || &h == &first) {
        std::printf("  %s %s %.4f of %.3f\n", diagnosis::cause_name(h.cause),
                    diagnosis::verdict_name(h.verdict), h.effect_s_per_proof.value_or(-1),
                    analysis.facts->s_per_proof());
        for (const auto& text : h.evidence) std::printf("    + %s\n", text.c_str());
        for (const auto& text : h.against) std::printf("    - %s\n", text.c_str());
        for (const auto& text : h.missing) std::printf("    ? %s\n", text.c_str());
      }
  }
  if (!c.truth.lost_job.empty()) {
    bool named = false;
    for (const auto& run : analysis.facts->runs)
      for (const auto& job : run.model->jobs)
        named |= analysis.timeline->jobs.name(job.job) == c.truth.lost_job &&
                 job.missing == std::vector<int32_t>{c.truth.lost_partition};
    out.faults += !named;
  }
  for (const std::string& name : c.truth.contaminated) {
    bool named = false;
    for (const auto& run : analysis.facts->runs)
      for (uint32_t job : run.model->bounds.contaminated) named |= analysis.timeline->jobs.name(job) == name;
    out.faults += !named;
  }
  return out;
}

}  // namespace cuzk::golden
