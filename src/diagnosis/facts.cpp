#include "diagnosis/facts.hpp"

#include <algorithm>

namespace cuzk::diagnosis {

size_t Facts::proofs() const {
  size_t sum = 0;
  for (const RunFacts& run : runs) sum += run.model->proofs_complete();
  return sum;
}

size_t Facts::devices() const {
  size_t most = 1;
  for (const RunFacts& run : runs) most = std::max(most, run.model->devices());
  return most;
}

double Facts::s_per_proof() const {
  double wall = 0;
  for (const RunFacts& run : runs) wall += run.model->wall_s();
  const size_t n = proofs();
  return n == 0 ? 0 : wall / static_cast<double>(n);
}

double Facts::lost(GapCause cause) const {
  double seconds = 0;
  const size_t n = proofs();
  for (const RunFacts& run : runs)
    seconds +=
        run.gaps.total_ms(cause) * 1e-3 / static_cast<double>(std::max<size_t>(run.model->devices(), 1));
  return n == 0 ? 0 : seconds / static_cast<double>(n);
}

size_t Facts::count(GapCause cause) const {
  size_t sum = 0;
  for (const RunFacts& run : runs)
    if (const CauseFigures* f = run.gaps.find(cause)) sum += f->count;
  return sum;
}

const LoadFit* Facts::fit(std::string_view name) const {
  for (const LoadFit& f : load)
    if (f.metric == name) return &f;
  return nullptr;
}

std::vector<const RunModel*> Facts::selected() const {
  std::vector<const RunModel*> out;
  for (const RunFacts& run : runs) out.push_back(run.model);
  return out;
}

bool Facts::upper_bound() const {
  return std::any_of(runs.begin(), runs.end(), [](const RunFacts& r) { return r.model->upper_bound; });
}

size_t Facts::synthesisers() const {
  size_t most = 1;
  for (const RunFacts& run : runs) {
    const size_t named = run.model->synthesisers.size();
    most =
        std::max(most, named > 0 ? named : static_cast<size_t>(std::max(run.model->synthesising.most(), 1)));
  }
  return most;
}

}  // namespace cuzk::diagnosis
