// Everything that was measured, in the form in which the hypotheses ask for it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "diagnosis/gaps.hpp"
#include "diagnosis/load.hpp"
#include "diagnosis/model.hpp"
#include "diagnosis/samples.hpp"
#include "diagnosis/utilisation.hpp"

namespace cuzk::diagnosis {

struct RunFacts {
  const RunModel* model;
  Gaps gaps;
  Utilisation utilisation;
  std::vector<Stationarity> stationarity;
};

struct Facts {
  const timeline::Timeline& timeline;
  const Samples samples;
  std::vector<RunModel> models;  // all runs of the log
  std::vector<RunFacts> runs;    // those that were asked for
  std::vector<LoadFit> load;     // over those
  SlowdownParts slowdown;
  std::vector<SlowIndex> slow_indices;
  std::vector<SlowJob> slow_jobs;

  size_t proofs() const;
  size_t devices() const;  // the most of any run
  double s_per_proof() const;
  // Of all runs that were asked for: seconds a proof and device lost to a cause.
  double lost(GapCause cause) const;
  size_t count(GapCause cause) const;
  const LoadFit* fit(std::string_view metric) const;
  std::vector<const RunModel*> selected() const;
  bool upper_bound() const;
  size_t synthesisers() const;  // workers, or the most partitions at the same time
};

}  // namespace cuzk::diagnosis
