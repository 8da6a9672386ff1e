// Contention on the host: memory bandwidth, TLB shootdowns, CPUs.
#include <algorithm>

#include "diagnosis/hypotheses/common.hpp"
#include "diagnosis/statistics.hpp"

namespace cuzk::diagnosis {

namespace {

constexpr double kProbeRise = 1.2;
constexpr double kTlbRise = 3, kTlbLeast = 1000;
constexpr double kThreadsPerCpu = 1.25;

// Of a driver that is high enough to matter: does anything follow it, and what does that cost?
void judge(const Facts& facts, const Drivers& drivers, DriverKind kind, Hypothesis& out) {
  const std::vector<Response> responses = drivers.responses(kind);
  describe_responses(out, responses);
  const auto [cost, least] = drivers.cost(kind);
  if (responses.empty()) {
    out.verdict = Verdict::kPossible;
    out.missing.push_back(
        "the same work with and without it: bench the same circuit twice into one timeline, once while the "
        "machine is quiet");
    return;
  }
  if (!any_significant(responses)) {
    out.verdict = Verdict::kPossible;
    out.against.push_back("no stage takes longer while it is high");
    return;
  }
  out.effect_s_per_proof = cost;
  if (matters(facts, least) || (least > 0 && matters(facts, cost))) {
    out.verdict = Verdict::kSupported;
  } else {
    out.verdict = Verdict::kPossible;
    out.against.push_back(
        "the stages that it slows do not limit throughput: the devices idle too little for it");
  }
  double fed = 0;
  for (const Response& r : responses)
    if (r.significant() && (r.stage == Stage::kSynthesis || r.stage == Stage::kFinish))
      fed += r.excess_s / static_cast<double>(facts.synthesisers());
  out.explains_starvation_s =
      std::min(fed, facts.lost(GapCause::kStarvation) + facts.lost(GapCause::kLeadIn));
}

// Without the measurement: stages that rise with the load make it possible, no more.
void unmeasured(const Facts& facts, Hypothesis& out) {
  out.verdict = note_load(facts, out, {"synthesis", "prepare", "finish", "device_transfer", "worker_span"})
                    ? Verdict::kPossible
                    : Verdict::kUnmeasured;
}

// A level that is too low speaks against the cause, and rejects it; any other is evidence for it.
bool rejected(bool too_low, const std::string& level, Hypothesis& out) {
  (too_low ? out.against : out.evidence).push_back(level);
  if (too_low) out.verdict = Verdict::kRejected;
  return too_low;
}

}  // namespace

Hypothesis memory_bandwidth(const Facts& facts, const Drivers& drivers) {
  Hypothesis out{.cause = Cause::kMemoryBandwidth};
  const Level& probe = drivers.level(DriverKind::kMemory);
  for (const char* key : {"uncore_read_bytes_per_s", "uncore_write_bytes_per_s", "resctrl_bytes_per_s"})
    if (const Level level = level_of(facts, facts.samples.host(key)); level.measured)
      out.evidence.push_back(
          format("%s: median %.1f GB/s, 90 %% %.1f GB/s", key, level.typical * 1e-9, level.high * 1e-9));
  if (!probe.measured || probe.samples < 3) {
    unmeasured(facts, out);
    out.missing.push_back(
        "how long a load from memory takes: record with the memory probe (--set timeline.memory_probe=true, "
        "docs/diagnosis.md); a slowdown alone does not show what causes it");
    return out;
  }
  const std::string level = format(
      "the memory probe takes %.0f ns at rest (%s), %.0f ns in the middle and %.0f ns "
      "at 90 %% of the samples: %.2f times its rest",
      probe.rest, probe.rest_is_idle ? "no job in flight" : "lowest tenth", probe.typical, probe.high,
      probe.rise());
  if (probe.rise() < kProbeRise) {
    out.verdict = Verdict::kRejected;
    out.against.push_back(level + format(", below %.1f", kProbeRise));
    return out;
  }
  out.evidence.push_back(level);
  judge(facts, drivers, DriverKind::kMemory, out);
  return out;
}

Hypothesis tlb_shootdown(const Facts& facts, const Drivers& drivers) {
  Hypothesis out{.cause = Cause::kTlbShootdown};
  const Level& rate = drivers.level(DriverKind::kTlb);
  size_t releases = 0;
  for (const RunFacts& run : facts.runs) releases += run.model->releases.size();
  if (!rate.measured || rate.samples < 3) {
    unmeasured(facts, out);
    out.missing.push_back(
        "TLB shootdowns a second (row TLB of /proc/interrupts): record with --set timeline.samples=true");
    return out;
  }
  const std::string level = format(
      "%.0f TLB shootdowns a second at rest, %.0f in the middle, %.0f at 90 %% of the "
      "samples; %zu deferred releases",
      rate.rest, rate.typical, rate.high, releases);
  if (rejected(rate.high < kTlbLeast || rate.high < kTlbRise * std::max(rate.rest, 1.0), level, out))
    return out;
  judge(facts, drivers, DriverKind::kTlb, out);
  return out;
}

// What the process's own threads wait for CPUs, if that was measured, or else the host's run queue.
Hypothesis cpu_oversubscription(const Facts& facts, const Drivers& drivers) {
  Hypothesis out{.cause = Cause::kCpuOversubscription};
  if (facts.samples.host("cpu_stretch") != nullptr) {
    const Level &stretch = drivers.level(DriverKind::kCpu),
                allowed = level_of(facts, facts.samples.host("allowed_cpus"));
    if (stretch.samples >= 3) {
      std::string level = format(
          "threads of the process wait %.2f s for a CPU for each second that they compute, at 90 %% of the "
          "samples",
          stretch.high - 1);
      if (allowed.measured) level += format(" (%.0f CPUs allowed)", allowed.typical);
      if (rejected(stretch.high < kThreadsPerCpu, level, out)) return out;
      judge(facts, drivers, DriverKind::kCpu, out);
      return out;
    }
  }
  const Level &queue = drivers.level(DriverKind::kCpu), cpus = level_of(facts, facts.samples.host("cpus"));
  if (!queue.measured || !cpus.measured || queue.samples < 3) {
    unmeasured(facts, out);
    out.missing.push_back("runnable threads and CPUs of the host: record with --set timeline.samples=true");
    return out;
  }
  const double high = (queue.high - 1) / std::max(cpus.typical, 1.0);
  const Level used = level_of(facts, facts.samples.host("host_cpus"));
  const std::string level = format(
      "%.1f runnable threads on %.0f CPUs at 90 %% of the samples (%.2f a CPU), %.1f CPUs "
      "in use",
      queue.high - 1, cpus.typical, high, used.measured ? used.high : -1.0);
  const bool busy = !used.measured || used.high >= 0.85 * cpus.typical;
  if (rejected(high < kThreadsPerCpu || !busy, level, out)) return out;
  if (const Level switches = level_of(facts, facts.samples.host("involuntary_switches_per_s"));
      switches.measured)
    out.evidence.push_back(format("%.0f involuntary context switches a second at 90 %%", switches.high));
  judge(facts, drivers, DriverKind::kCpu, out);
  return out;
}

}  // namespace cuzk::diagnosis
