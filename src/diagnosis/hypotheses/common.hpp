// What several hypotheses say in the same words.
#pragma once

#include <string>
#include <vector>

#include "diagnosis/hypothesis.hpp"
#include "diagnosis/text.hpp"

namespace cuzk::diagnosis {

// "synthesis takes 1.42 times as long where it is high (99 %: at least 1.2)" for each response.
inline void describe_responses(Hypothesis& out, const std::vector<Response>& responses) {
  for (const Response& r : responses) {
    if (r.significant()) {
      out.evidence.push_back(
          format("%s takes %.2f times as long where it is high; the relation holds at 99 %%",
                 stage_name(r.stage), r.slowdown));
    } else {
      out.against.push_back(format("%s does not follow it (slope %.2f, standard error %.2f)",
                                   stage_name(r.stage), r.slope, r.error));
    }
  }
}

inline bool any_significant(const std::vector<Response>& responses) {
  for (const Response& r : responses)
    if (r.significant()) return true;
  return false;
}

// Stages that take longer with more proofs in flight: a sign, not a cause.
inline bool note_load(const Facts& facts, Hypothesis& out, std::initializer_list<const char*> metrics) {
  bool any = false;
  for (const char* name : metrics) {
    const LoadFit* fit = facts.fit(name);
    if (fit == nullptr || !fit->rises() || fit->at_most < 1.05 * fit->at_least) continue;
    any = true;
    out.evidence.push_back(format("%s rises from %.0f ms to %.0f ms between %.1f and %.1f proofs in flight",
                                  name, fit->at_least, fit->at_most, fit->least_load, fit->most_load));
  }
  return any;
}

// Stages that a run's second half takes longer for: a sign, not a cause.
inline bool note_drift(const Facts& facts, Hypothesis& out, std::string_view metric) {
  bool any = false;
  for (size_t i = 0; i < facts.runs.size(); ++i)
    for (const Stationarity& s : facts.runs[i].stationarity)
      if (s.metric == metric && s.change.known && s.change.ci95.lo > 0 &&
          s.second_half > 1.03 * s.first_half) {
        any = true;
        out.evidence.push_back(
            format("run %zu: %s rises from %.0f ms in the first half to %.0f ms in the second", i + 1,
                   s.metric.c_str(), s.first_half, s.second_half));
      }
  return any;
}

inline bool matters(const Facts& facts, double s_per_proof) {
  return s_per_proof >= kLeastShare * facts.s_per_proof() && s_per_proof > 0;
}

}  // namespace cuzk::diagnosis
