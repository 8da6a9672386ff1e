#include "diagnosis/gaps.hpp"

#include <algorithm>
#include <map>

#include "diagnosis/statistics.hpp"
#include "diagnosis/utilisation.hpp"

namespace cuzk::diagnosis {

namespace {

// What the device or worker has, in order; partition: of RunModel, or none for other runs' work.
struct Hold {
  int64_t begin_ns, end_ns;
  uint32_t partition;
};
constexpr uint32_t kNobody = UINT32_MAX;

// Parts of idle time that are shorter than this share of it, and than a millisecond, join their neighbour.
constexpr int64_t kLeastPartNs = 1'000'000;

class Classifier {
 public:
  explicit Classifier(const RunModel& model)
      : model_(model),
        memory_(merged(model.memory_waits)),
        keys_(merged(model.key_loads)),
        has_synthesis_(std::any_of(model.partitions.begin(), model.partitions.end(),
                                   [](const Partition& p) { return p.synth_end != kNever; })) {}

  // before, after: the holds around [begin, end); kNobody where there is none.
  // taken: partitions that workers of this device have in hand; nullptr for a worker's own idle time.
  void classify(int64_t begin, int64_t end, uint32_t before, uint32_t after, bool last, uint32_t who,
                const StepFunction* taken, std::vector<Gap>& out) const {
    const Partition* next = after == kNobody ? nullptr : &model_.partitions[after];
    Gap gap{begin, end, GapCause::kUnknown, who, next == nullptr ? 0u : next->worker, 0, -1};
    if (next != nullptr) {
      gap.job = next->job;
      gap.partition = next->index;
    } else if (before != kNobody) {
      gap.worker = model_.partitions[before].worker;
    }
    if (last) {
      gap.cause = GapCause::kDrain;
      out.push_back(gap);
      return;
    }
    const bool same_job = before != kNobody && next != nullptr && model_.partitions[before].job == next->job;
    const bool ready_at_begin = is_ready(begin, taken);
    const size_t first = out.size();
    // Cut where something was ready, where memory or a key was waited for, where any job was in flight.
    std::vector<int64_t> cuts{begin, end};
    auto cut_at = [&](int64_t time) {
      if (time > begin && time < end) cuts.push_back(time);
    };
    if (next != nullptr && next->picked_up != kNever) cut_at(next->picked_up), cut_at(next->asked);
    for (auto [from, to] : model_.ready.stretches(begin, end, true)) cut_at(from), cut_at(to);
    if (taken != nullptr)
      for (auto [from, to] : taken->stretches(begin, end, true)) cut_at(from), cut_at(to);
    for (auto [from, to] : model_.in_flight.stretches(begin, end, true)) cut_at(from), cut_at(to);
    for (const auto* list : {&memory_, &keys_})
      for (auto it = std::lower_bound(list->begin(), list->end(), begin,
                                      [](const Stretch& s, int64_t time) { return s.end_ns <= time; });
           it != list->end() && it->begin_ns < end; ++it)
        cut_at(it->begin_ns), cut_at(it->end_ns);
    std::sort(cuts.begin(), cuts.end());
    for (size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (cuts[i] == cuts[i + 1]) continue;
      gap.begin_ns = cuts[i];
      gap.end_ns = cuts[i + 1];
      const int64_t middle = cuts[i] + (cuts[i + 1] - cuts[i]) / 2;
      gap.cause = cause_at(middle, before, next, same_job, taken);
      // A partition that a worker took as soon as it was synthesised, or that was not when the device fell
      // idle, still has to be prepared: that is synthesis being late, not a slow hand-over. One more worker
      // would not have hidden it.
      if (next != nullptr && prepares_at(*next, middle)) {
        if (!ready_at_begin && out.size() > first) {
          gap.cause = out.back().cause;
        } else if (taken_at_once(*next)) {
          gap.cause = late_cause(*next, before);
        }
      }
      if (out.size() > first && out.back().cause == gap.cause) {
        out.back().end_ns = gap.end_ns;
      } else {
        out.push_back(gap);
      }
    }
    join_small(out, first);
  }

 private:
  static bool prepares_at(const Partition& p, int64_t t) {
    return p.picked_up != kNever && t >= p.picked_up && (p.asked == kNever || t < p.asked);
  }
  static bool taken_at_once(const Partition& p) {
    return p.synth_end != kNever && p.picked_up - p.synth_end <= std::max(kLeastPartNs, p.prepare_ns / 20);
  }
  // Why a partition was synthesised late.
  GapCause late_cause(const Partition& p, uint32_t before) const {
    if (before == kNobody) return GapCause::kLeadIn;
    const int64_t waited = covered(memory_, p.synth_begin, p.synth_end);
    return waited > (p.synth_end - p.synth_begin) / 4 ? GapCause::kMemoryBudget : GapCause::kStarvation;
  }

  bool is_ready(int64_t t, const StepFunction* taken) const {
    return model_.ready.at(t) > 0 || (taken != nullptr && taken->at(t) > 0);
  }

  GapCause cause_at(int64_t t, uint32_t before, const Partition* next, bool same_job,
                    const StepFunction* taken) const {
    if (next == nullptr) return GapCause::kUnknown;
    if (is_ready(t, taken)) {
      // Ready, and nobody prepares it: its key is not there yet.
      if (covered(keys_, t, t + 1) > 0 && (next->picked_up == kNever || next->picked_up > t))
        return GapCause::kKeyLoad;
      return same_job || before == kNobody ? GapCause::kHandover : GapCause::kJobChange;
    }
    if (model_.in_flight.at(t) == 0 && before != kNobody) return GapCause::kUnknown;
    if (covered(memory_, t, t + 1) > 0) return GapCause::kMemoryBudget;
    if (before == kNobody) return GapCause::kLeadIn;
    return has_synthesis_ ? GapCause::kStarvation : GapCause::kUnknown;
  }

  // A sliver takes the cause of the longer neighbour.
  static void join_small(std::vector<Gap>& out, size_t first) {
    constexpr size_t kMostParts = 200;
    if (out.size() - first > kMostParts) return;
    while (out.size() - first > 1) {
      size_t least = first;
      int64_t total = 0;
      for (size_t i = first; i < out.size(); ++i) {
        total += out[i].ns();
        if (out[i].ns() < out[least].ns()) least = i;
      }
      if (out[least].ns() >= std::max(kLeastPartNs, total / 20)) return;
      size_t into = least == first ? least + 1 : least - 1;
      if (least > first && least + 1 < out.size() && out[least + 1].ns() > out[into].ns()) into = least + 1;
      out[into].begin_ns = std::min(out[into].begin_ns, out[least].begin_ns);
      out[into].end_ns = std::max(out[into].end_ns, out[least].end_ns);
      out.erase(out.begin() + static_cast<std::ptrdiff_t>(least));
    }
  }

  const RunModel& model_;
  const std::vector<Stretch> memory_, keys_;
  const bool has_synthesis_;
};

// The idle time between holds, within the run.
void gaps_between(const RunModel& model, std::vector<Hold> holds, uint32_t who, const StepFunction* taken,
                  const Classifier& classifier, std::vector<Gap>& out) {
  for (const Stretch& s : model.outside) holds.push_back({s.begin_ns, s.end_ns, kNobody});
  std::stable_sort(holds.begin(), holds.end(),
                   [](const Hold& a, const Hold& b) { return a.begin_ns < b.begin_ns; });
  int64_t free_since = model.bounds.begin_ns;
  uint32_t before = kNobody;
  for (const Hold& hold : holds) {
    if (hold.begin_ns > free_since) {
      // Before another run's work there is nothing of this run to wait for.
      if (hold.partition != kNobody)
        classifier.classify(free_since, hold.begin_ns, before, hold.partition, false, who, taken, out);
    }
    if (hold.end_ns > free_since) {
      free_since = hold.end_ns;
      if (hold.partition != kNobody) before = hold.partition;
    }
  }
  if (before != kNobody && model.bounds.end_ns > free_since)
    classifier.classify(free_since, model.bounds.end_ns, before, kNobody, true, who, taken, out);
}

std::vector<CauseFigures> figures(const std::vector<Gap>& gaps, size_t shares, size_t proofs) {
  std::array<std::vector<double>, kGapCauses> lengths;
  for (const Gap& gap : gaps)
    lengths[static_cast<size_t>(gap.cause)].push_back(static_cast<double>(gap.ns()) * 1e-6);
  std::vector<CauseFigures> out;
  for (size_t c = 0; c < kGapCauses; ++c) {
    if (lengths[c].empty()) continue;
    CauseFigures f;
    f.cause = static_cast<GapCause>(c);
    f.count = lengths[c].size();
    for (double ms : lengths[c]) {
      f.total_ms += ms;
      f.max_ms = std::max(f.max_ms, ms);
    }
    f.mean_ms = f.total_ms / static_cast<double>(f.count);
    f.p95_ms = quantile(lengths[c], 0.95);
    if (proofs > 0) f.s_per_proof = f.total_ms / 1e3 / static_cast<double>(shares * proofs);
    out.push_back(f);
  }
  std::sort(out.begin(), out.end(),
            [](const CauseFigures& a, const CauseFigures& b) { return a.total_ms > b.total_ms; });
  return out;
}

std::vector<Gap> gaps_of(const std::vector<Gap>& all, uint32_t who) {
  std::vector<Gap> out;
  for (const Gap& gap : all)
    if (gap.who == who) out.push_back(gap);
  return out;
}

}  // namespace

const char* gap_cause_name(GapCause cause) {
  constexpr const char* kNames[] = {"lead_in",    "starvation", "memory_budget", "handover",
                                    "job_change", "key_load",   "drain",         "unknown"};
  return kNames[static_cast<size_t>(cause)];
}

const CauseFigures* Gaps::find(GapCause cause) const {
  for (const CauseFigures& f : by_cause)
    if (f.cause == cause) return &f;
  return nullptr;
}

double Gaps::total_ms(GapCause cause) const {
  const CauseFigures* f = find(cause);
  return f == nullptr ? 0 : f->total_ms;
}

double Gaps::s_per_proof(GapCause cause) const {
  const CauseFigures* f = find(cause);
  return f == nullptr ? 0 : f->s_per_proof;
}

Gaps find_gaps(const timeline::Timeline& timeline, const RunModel& model) {
  Gaps out;
  const Classifier classifier(model);
  for (uint32_t d = 0; d < model.regions.size(); ++d) {
    // What this device's own workers prepare, or wait with.
    StepFunction taken;
    for (const Region& r : model.regions[d]) {
      const Partition& p = model.partitions[r.partition];
      if (p.picked_up != kNever && p.synth_end != kNever)
        taken.add(std::max(p.picked_up, p.synth_end), p.region_begin);
    }
    taken.finish();
    std::vector<Hold> holds;
    for (const Region& r : model.regions[d]) holds.push_back({r.begin_ns, r.end_ns, r.partition});
    gaps_between(model, std::move(holds), d, &taken, classifier, out.of_devices);
  }
  // A worker is idle when it has no partition at all: preparing and waiting for the device is not idle.
  std::map<uint32_t, std::vector<Hold>> by_worker;
  for (const auto& regions : model.regions)
    for (const Region& r : regions) {
      const Partition& p = model.partitions[r.partition];
      const int64_t begin = p.picked_up != kNever ? std::min(p.picked_up, r.begin_ns) : r.begin_ns;
      by_worker[p.worker].push_back({begin, std::max(r.end_ns, p.worker_end), r.partition});
    }
  for (auto& [worker, holds] : by_worker)
    gaps_between(model, std::move(holds), worker, nullptr, classifier, out.of_workers);
  auto by_begin = [](const Gap& a, const Gap& b) { return a.begin_ns < b.begin_ns; };
  std::stable_sort(out.of_devices.begin(), out.of_devices.end(), by_begin);
  std::stable_sort(out.of_workers.begin(), out.of_workers.end(), by_begin);
  const size_t proofs = model.proofs_complete();
  out.by_cause = figures(out.of_devices, std::max<size_t>(model.devices(), 1), proofs);
  for (uint32_t d = 0; d < model.regions.size(); ++d)
    out.by_device.push_back({"device " + std::to_string(d), figures(gaps_of(out.of_devices, d), 1, proofs)});
  for (const auto& [worker, holds] : by_worker)
    out.by_worker.push_back(
        {std::string(timeline.workers.name(worker)), figures(gaps_of(out.of_workers, worker), 1, proofs)});
  return out;
}

}  // namespace cuzk::diagnosis
