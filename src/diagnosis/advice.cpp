// What to change: the settings that act on a cause, and the replay's prediction for each.
#include <algorithm>

#include "diagnosis/analysis.hpp"
#include "diagnosis/text.hpp"

namespace cuzk::diagnosis {

namespace {

// The run whose figures matter most: the one with the most proofs.
const RunModel* largest_run(const Facts& facts) {
  const RunModel* out = nullptr;
  for (const RunFacts& run : facts.runs)
    if (out == nullptr || run.model->proofs_complete() > out->proofs_complete()) out = run.model;
  return out;
}

constexpr double kWorthwhile = 0.995;  // of the time a proof takes

class Adviser {
 public:
  Adviser(const Facts& facts, bool replay) : facts_(facts), drivers_(facts) {
    const RunModel* run = largest_run(facts);
    if (!replay || run == nullptr) return;
    if (auto made = Replay::of(facts.timeline, *run)) {
      replay_ = std::move(*made);
      if (auto base = replay_->predict({})) base_ = base->s_per_proof;
    }
  }

  void advise(Hypothesis& h) const {
    switch (h.cause) {
      case Cause::kHandover:
        more_device_workers(h);
        break;
      case Cause::kSynthesisStarvation:
        more_synthesis(h);
        break;
      case Cause::kMemoryBudget:
        more_memory(h);
        break;
      case Cause::kMemoryBandwidth:
        fewer_synthesisers(h, DriverKind::kMemory);
        add(h,
            {"synthesis.throttle",
             "false",
             "true",
             "synthesis pauses while a tail runs; shown as if the slowdown were gone: measure it (cuzk bench "
             "ablate)",
             {},
             {}},
            gone(DriverKind::kMemory), false);
        break;
      case Cause::kTlbShootdown:
        add(h,
            {"memory.deferred_release",
             "false",
             "true",
             "memory is given back by one thread; shown as if the slowdown were gone: measure it (cuzk bench "
             "ablate)",
             {},
             {}},
            gone(DriverKind::kTlb), false);
        break;
      case Cause::kCpuOversubscription:
        fewer_synthesisers(h, DriverKind::kCpu);
        break;
      case Cause::kThermal:
        no_key(h, "cooling: no setting acts on it; shown as if the clock did not fall", DriverKind::kClock);
        break;
      case Cause::kPower:
        no_key(h, "the card's power limit: no setting acts on it; shown as if the clock did not fall",
               DriverKind::kClock);
        break;
      case Cause::kPcieLink:
        h.advice.push_back({"",
                            "",
                            "",
                            "the slot and its link (lspci -vv: LnkSta against LnkCap): no setting acts on it",
                            {},
                            {}});
        break;
      case Cause::kVram:
        fewer_device_workers(h);
        break;
      case Cause::kUnevenPartitions:
        h.advice.push_back({"", "", "", "the partition's work differs: no setting acts on it", {}, {}});
        break;
      case Cause::kSlowJob:
        h.advice.push_back(
            {"", "", "", "look at that job's input, client and retries: no setting acts on it", {}, {}});
        break;
    }
  }

 private:
  size_t workers() const {
    return replay_ ? replay_->recorded().settings.synthesis_workers : facts_.synthesisers();
  }
  size_t device_workers() const { return replay_ ? replay_->recorded().settings.gpu_workers_per_device : 0; }

  // Recorded stage times less what a driver explains of them.
  Change gone(DriverKind kind) const {
    Change out;
    for (const Response& r : drivers_.responses(kind)) {
      if (!r.significant()) continue;
      double total = 0;
      for (const RunFacts& run : facts_.runs)
        for (const Partition& p : run.model->partitions) {
          const int64_t ns = r.stage == Stage::kSynthesis  ? p.synth_ns
                             : r.stage == Stage::kPrepare  ? p.prepare_ns
                             : r.stage == Stage::kTransfer ? p.transfer_ns
                             : r.stage == Stage::kCompute  ? p.compute_ns
                                                           : p.finish_ns;
          if (ns > 0) total += static_cast<double>(ns) * 1e-9;
        }
      const double excess = r.excess_s * static_cast<double>(facts_.proofs());
      if (total > 0) out.factors[static_cast<size_t>(r.stage)] = std::clamp(1 - excess / total, 0.1, 1.0);
    }
    return out;
  }

  void add(Hypothesis& h, Advice advice, Change change, bool assign) const {
    if (replay_ && base_) {
      if (assign && !advice.key.empty()) change.assignments.push_back(advice.key + "=" + advice.to);
      if (auto predicted = replay_->predict(change)) {
        advice.predicted_s_per_proof = predicted->s_per_proof;
        advice.replayed_s_per_proof = base_;
        // A change that the replay says gives nothing is no advice.
        if (predicted->s_per_proof > kWorthwhile * *base_) return;
      }
    }
    h.advice.push_back(std::move(advice));
  }

  void more_device_workers(Hypothesis& h) const {
    const size_t now = device_workers();
    if (now == 0) return;
    const std::string from = std::to_string(now), to = std::to_string(now + 1);
    add(h,
        {"gpus.gpu_workers_per_device", from, to, "one more worker prepares while another computes", {}, {}},
        {}, true);
  }
  void fewer_device_workers(Hypothesis& h) const {
    const size_t now = device_workers();
    if (now <= 1) return;
    add(h,
        {"gpus.gpu_workers_per_device",
         std::to_string(now),
         std::to_string(now - 1),
         "fewer partitions on the device at the same time; the replay keeps the recorded stage times",
         {},
         {}},
        {}, true);
  }
  void more_synthesis(Hypothesis& h) const {
    const size_t now = workers(), to = std::max(now + 1, now * 3 / 2);
    add(h,
        {"synthesis.workers",
         std::to_string(now),
         std::to_string(to),
         "more partitions synthesised at the same time, if there are CPUs for them",
         {},
         {}},
        {}, true);
    if (!replay_) return;
    Change change;
    change.concurrency =
        replay_->recorded().concurrency + std::max<size_t>(1, replay_->recorded().concurrency / 2);
    add(h,
        {"",
         std::to_string(replay_->recorded().concurrency),
         std::to_string(*change.concurrency),
         "more proofs in flight",
         {},
         {}},
        change, false);
    if (replay_->recorded().settings.max_ready_partitions != 0)
      add(h,
          {"synthesis.max_ready_partitions",
           std::to_string(replay_->recorded().settings.max_ready_partitions),
           "0",
           "synthesis no longer waits for the devices",
           {},
           {}},
          {}, true);
  }
  void more_memory(Hypothesis& h) const {
    const RunModel* run = largest_run(facts_);
    if (!replay_ || run == nullptr) return;
    const uint64_t budget = replay_->recorded().settings.memory_budget;
    const uint64_t one = run->witness_bytes + run->scratch_bytes;
    if (budget == 0 || one == 0) return;
    for (uint64_t more : {1, 4})
      add(h,
          {"memory.budget",
           std::to_string(budget),
           std::to_string(budget + more * one),
           format("room for %d more partitions", static_cast<int>(more)),
           {},
           {}},
          {}, true);
  }
  void fewer_synthesisers(Hypothesis& h, DriverKind kind) const {
    const size_t now = workers();
    if (now <= 1) return;
    const size_t to = std::max<size_t>(1, now * 3 / 4);
    add(h,
        {"synthesis.workers",
         std::to_string(now),
         std::to_string(to),
         "less at the same time; the replay keeps the recorded stage times, so this is the least that it "
         "gives",
         {},
         {}},
        {}, true);
    add(h,
        {"synthesis.workers",
         std::to_string(now),
         std::to_string(to),
         "the same if the slowdown went away with it: the most that it gives",
         {},
         {}},
        gone(kind), true);
  }
  void no_key(Hypothesis& h, const char* text, DriverKind kind) const {
    add(h, {"", "", "", text, {}, {}}, gone(kind), false);
  }

  const Facts& facts_;
  const Drivers drivers_;
  std::optional<Replay> replay_;
  std::optional<double> base_;
};

}  // namespace

void advise(const Facts& facts, std::vector<Hypothesis>& hypotheses, bool replay) {
  const bool any = std::any_of(hypotheses.begin(), hypotheses.end(),
                               [](const Hypothesis& h) { return h.verdict == Verdict::kSupported; });
  if (!any) return;
  const Adviser adviser(facts, replay);
  for (Hypothesis& h : hypotheses)
    if (h.verdict == Verdict::kSupported) adviser.advise(h);
}

}  // namespace cuzk::diagnosis
