// The whole analysis: a timeline in, everything that `cuzk diagnose` says out.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/clean.hpp"
#include "diagnosis/hypothesis.hpp"
#include "diagnosis/replay.hpp"

namespace cuzk::diagnosis {

struct AnalysisOptions {
  std::string run = "all";
  std::optional<int64_t> split_gap_ns;
  int64_t mark_gap_ns = 1'000'000'000;  // gaps over it are marked <<<
  bool replay = true;                   // predictions for what to change
};

struct Analysis {
  std::string name;
  AnalysisOptions options;
  std::unique_ptr<timeline::Timeline> timeline;
  Cleaning cleaning;
  Runs runs;
  std::vector<size_t> selected;  // numbers of runs.runs
  std::unique_ptr<Facts> facts;
  std::vector<Hypothesis> hypotheses;
  std::vector<std::string> notes;  // what a reader must know before any figure
};

// Errors: kInvalidInput for a run that there is not, or a timeline without events.
Result<Analysis> analyse(timeline::Timeline timeline, std::string name, const AnalysisOptions& options);

// Fills in what to change, with the replay's predictions.
void advise(const Facts& facts, std::vector<Hypothesis>& hypotheses, bool replay);

std::string to_text(const Analysis& analysis);
std::string to_json(const Analysis& analysis);
std::string to_html(const Analysis& analysis);

}  // namespace cuzk::diagnosis
