#include "diagnosis/contention.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace cuzk::diagnosis {

namespace {

struct Turn {
  int64_t time;
  bool begins;
  uint32_t span;
};

// In order of time; of one time, ends first.
std::vector<Turn> turns_of(const std::vector<StageSpan>& spans) {
  std::vector<Turn> out;
  for (uint32_t i = 0; i < spans.size(); ++i) {
    if (spans[i].end_ns <= spans[i].begin_ns) continue;
    out.push_back({spans[i].begin_ns, true, i});
    out.push_back({spans[i].end_ns, false, i});
  }
  std::sort(out.begin(), out.end(), [](const Turn& a, const Turn& b) {
    return std::tie(a.time, a.begins, a.span) < std::tie(b.time, b.begins, b.span);
  });
  return out;
}

// How far each span gets at the pace that the others leave it.
void progress(double cpus, const std::vector<StageSpan>& spans, const std::vector<Turn>& turns,
              const std::vector<engine::CpuDemand>& demands, std::vector<double>& lengths) {
  std::vector<double> count(demands.size(), 0.0), done(demands.size(), 0.0), paces(demands.size(), 1.0);
  std::vector<engine::CpuDemand> wanted(demands.size());
  int64_t now = turns.empty() ? 0 : turns.front().time;
  for (const Turn& turn : turns) {
    if (turn.time > now) {
      for (size_t k = 0; k < demands.size(); ++k)
        wanted[k] = {count[k] * demands[k].cpus, std::max(count[k] * demands[k].threads, 1e-9)};
      paces = engine::fair_paces(cpus, wanted);
      for (size_t k = 0; k < demands.size(); ++k) done[k] += static_cast<double>(turn.time - now) * paces[k];
      now = turn.time;
    }
    const size_t kind = spans[turn.span].kind;
    count[kind] += turn.begins ? 1 : -1;
    lengths[turn.span] = turn.begins ? done[kind] : done[kind] - lengths[turn.span];
  }
}

}  // namespace

Uncontended uncontended(double cpus, const std::vector<StageSpan>& spans,
                        const std::vector<double>& threads) {
  constexpr int kMostRounds = 30;
  constexpr double kClose = 0.002;
  Uncontended out;
  for (double n : threads) out.demands.push_back({n, n});
  out.lengths_ns.assign(spans.size(), 0);
  const std::vector<Turn> turns = turns_of(spans);
  for (int round = 0; round < kMostRounds; ++round) {
    progress(cpus, spans, turns, out.demands, out.lengths_ns);
    std::vector<double> used(threads.size(), 0.0), length(threads.size(), 0.0);
    for (size_t i = 0; i < spans.size(); ++i) {
      used[spans[i].kind] += static_cast<double>(spans[i].cpu_ns);
      length[spans[i].kind] += out.lengths_ns[i];
    }
    double moved = 0;
    for (size_t k = 0; k < threads.size(); ++k) {
      const double wants = length[k] > 0 ? std::min(used[k] / length[k], threads[k]) : 0;
      moved = std::max(moved, std::abs(wants - out.demands[k].cpus));
      out.demands[k].cpus = wants;
    }
    if (moved < kClose) break;
  }
  return out;
}

}  // namespace cuzk::diagnosis
