// The devices themselves: heat, power, link, memory.
#include <algorithm>
#include <cmath>

#include "diagnosis/hypotheses/common.hpp"
#include "diagnosis/statistics.hpp"

namespace cuzk::diagnosis {

namespace {

constexpr double kClockDrop = 0.03;
constexpr double kFlaggedShare = 0.05;
constexpr double kVramFull = 0.95;
constexpr const char* kHow =
    "device samples (NVML): record with --set timeline.samples=true, on a machine whose driver has "
    "libnvidia-ml";

// Samples of a device while a worker holds it.
struct BusySample {
  int64_t time_ns;
  int32_t device;
};
std::vector<BusySample> busy_samples(const Facts& facts, std::string_view key) {
  std::vector<BusySample> out;
  for (const auto& [device, series] : facts.samples.devices()) {
    const Series* s = facts.samples.device(device, key);
    if (s == nullptr) continue;
    for (const RunFacts& run : facts.runs) {
      std::vector<Stretch> held;
      for (const auto& regions : run.model->regions)
        for (const Region& r : regions)
          if (std::max(run.model->partitions[r.partition].device, 0) == device || run.model->devices() == 1)
            held.push_back({r.begin_ns, r.end_ns});
      held = merged(std::move(held));
      auto from = std::lower_bound(s->times.begin(), s->times.end(), run.model->bounds.begin_ns);
      for (; from != s->times.end() && *from <= run.model->bounds.end_ns; ++from)
        if (covered(held, *from - 500'000'000, *from) > 250'000'000) out.push_back({*from, device});
    }
  }
  return out;
}

double at(const Facts& facts, const BusySample& sample, std::string_view key) {
  const Series* s = facts.samples.device(sample.device, key);
  return s == nullptr ? NAN : s->average(sample.time_ns, sample.time_ns, 1'500'000'000);
}

// A clock that is held down for a reason that the device names.
Hypothesis throttled(const Facts& facts, const Drivers& drivers, Cause cause, const char* flag,
                     const char* what) {
  Hypothesis out{.cause = cause};
  const std::vector<BusySample> samples = busy_samples(facts, "clock_sm_mhz");
  if (samples.size() < 5) {
    const bool load = note_load(facts, out, {"device_compute"}),
               drift = note_drift(facts, out, "device_compute");
    out.verdict = facts.samples.any_device() || !(load || drift) ? Verdict::kUnmeasured : Verdict::kPossible;
    if (out.verdict == Verdict::kUnmeasured) out.evidence.clear();
    out.missing.push_back(kHow);
    return out;
  }
  std::vector<double> flagged, free, most;
  double flags = 0;
  bool has_flag = false;
  for (const BusySample& s : samples) {
    const double clock = at(facts, s, "clock_sm_mhz"), best = at(facts, s, "clock_sm_max_mhz");
    const double value = at(facts, s, flag);
    if (!std::isnan(best)) most.push_back(best);
    has_flag |= !std::isnan(value);
    flags += value > 0 ? 1 : 0;
    (value > 0 ? flagged : free).push_back(clock);
  }
  const double share = flags / static_cast<double>(samples.size());
  std::vector<double> all = flagged;
  all.insert(all.end(), free.begin(), free.end());
  // At rest: samples that are not held down, or else what the card can do.
  const double rest = free.size() >= 5 ? quantile(free, 0.75)
                      : !most.empty()  ? median(most)
                                       : quantile(all, 0.95);
  if (!has_flag) {
    const double drop = 1 - quantile(all, 0.1) / rest;
    out.missing.push_back("the reasons for lower clocks (throttle_reasons of NVML)");
    out.verdict = drop > kClockDrop ? Verdict::kPossible : Verdict::kRejected;
    (drop > kClockDrop ? out.evidence : out.against)
        .push_back(format("the clock falls by %.1f %% while the device works", 100 * drop));
    return out;
  }
  if (share < kFlaggedShare || flagged.empty()) {
    out.verdict = Verdict::kRejected;
    out.against.push_back(
        format("the device names %s as the reason for its clock in %.1f %% of %zu samples while it "
               "works",
               what, 100 * share, samples.size()));
    return out;
  }
  const double drop = 1 - median(flagged) / rest;
  std::vector<double> degrees, watts;
  for (const BusySample& s : samples) {
    if (const double v = at(facts, s, "temperature_c"); !std::isnan(v)) degrees.push_back(v);
    if (const double v = at(facts, s, "power_w"); !std::isnan(v)) watts.push_back(v);
  }
  out.evidence.push_back(
      format("the device names %s as the reason for its clock in %.0f %% of the samples while it "
             "works: %.0f MHz then, %.0f MHz otherwise (%.1f %% less)",
             what, 100 * share, median(flagged), rest, 100 * drop));
  if (!degrees.empty())
    out.evidence.push_back(
        format("temperature: median %.0f C, highest %.0f C", median(degrees), quantile(degrees, 1)));
  if (cause == Cause::kPower && !watts.empty())
    out.evidence.push_back(format("power: median %.0f W, highest %.0f W", median(watts), quantile(watts, 1)));
  if (drop < kClockDrop) {
    out.verdict = Verdict::kPossible;
    out.against.push_back("the clock hardly falls");
    return out;
  }
  // What computing would have taken at the clock at rest.
  double excess = 0;
  std::vector<double> slow, fast;
  for (const RunFacts& run : facts.runs)
    for (const Partition& p : run.model->partitions) {
      if (p.compute_ns < 0 || !p.in_region()) continue;
      const Series *clock = facts.samples.device(p.device, "clock_sm_mhz"),
                   *why = facts.samples.device(p.device, flag);
      if (clock == nullptr || why == nullptr) continue;
      const double mhz = clock->average(p.region_begin, p.region_end),
                   held = why->average(p.region_begin, p.region_end);
      if (std::isnan(mhz) || std::isnan(held)) continue;
      const double seconds = static_cast<double>(p.compute_ns) * 1e-9;
      (held >= 0.5 ? slow : fast).push_back(seconds);
      if (held > 0) excess += seconds * std::min(held, 1.0) * std::max(0.0, 1 - mhz / rest);
    }
  const double effect = excess / static_cast<double>(std::max<size_t>(facts.proofs(), 1) * facts.devices());
  out.effect_s_per_proof = effect;
  const std::vector<Response> responses = drivers.responses(DriverKind::kClock);
  describe_responses(out, responses);
  const Difference d = welch(fast, slow);
  const bool slower = any_significant(responses) || (d.known && d.ci95.lo > 0);
  const bool contrast = !responses.empty() && d.known && fast.size() >= 8 && slow.size() >= 8;
  if (d.known)
    (d.ci95.lo > 0 ? out.evidence : out.against)
        .push_back(format("computing a partition takes %.3f s while it is held down, %.3f s otherwise",
                          mean(slow), mean(fast)));
  const bool clear = slower || (!contrast && drop >= 0.05);
  out.verdict = clear && matters(facts, effect) ? Verdict::kSupported : Verdict::kPossible;
  if (!clear) out.against.push_back("computing does not follow the clock");
  return out;
}

}  // namespace

Hypothesis thermal(const Facts& facts, const Drivers& drivers) {
  return throttled(facts, drivers, Cause::kThermal, "throttle_thermal", "heat");
}

Hypothesis power(const Facts& facts, const Drivers& drivers) {
  return throttled(facts, drivers, Cause::kPower, "throttle_power", "the power limit");
}

Hypothesis pcie_link(const Facts& facts) {
  Hypothesis out{.cause = Cause::kPcieLink};
  const std::vector<BusySample> samples = busy_samples(facts, "pcie_gen");
  double transfer = 0;
  for (const RunFacts& run : facts.runs)
    for (const Partition& p : run.model->partitions)
      if (p.transfer_ns > 0) transfer += static_cast<double>(p.transfer_ns) * 1e-9;
  const double per_proof =
      transfer / static_cast<double>(std::max<size_t>(facts.proofs(), 1) * facts.devices());
  if (samples.size() < 5) {
    const bool load = note_load(facts, out, {"device_transfer"});
    out.verdict = load ? Verdict::kPossible : Verdict::kUnmeasured;
    out.missing.push_back(std::string(kHow) + "; pcie_gen and pcie_width");
    return out;
  }
  // Bytes a second of the link: 2.5 GT/s in generation 1, doubled by each, with its encoding.
  auto rate = [](double gen, double width) {
    const double per_lane = gen <= 2 ? 0.25e9 * std::exp2(gen - 1) : 0.985e9 * std::exp2(gen - 3);
    return per_lane * width;
  };
  std::vector<double> reduced, use;
  size_t low = 0;
  for (const BusySample& s : samples) {
    const double gen = at(facts, s, "pcie_gen"), width = at(facts, s, "pcie_width");
    const double gen_max = at(facts, s, "pcie_gen_max"), width_max = at(facts, s, "pcie_width_max");
    const double bytes = std::max(at(facts, s, "pcie_rx_bytes_per_s"), at(facts, s, "pcie_tx_bytes_per_s"));
    if (!std::isnan(bytes) && gen > 0 && width > 0) use.push_back(bytes / rate(gen, width));
    if (std::isnan(gen_max) || std::isnan(width_max) || std::isnan(width)) continue;
    if (gen < gen_max || width < width_max) {
      ++low;
      reduced.push_back(rate(gen, width) / rate(gen_max, width_max));
    }
  }
  const double share = static_cast<double>(low) / static_cast<double>(samples.size());
  const double busy = use.empty() ? 0 : quantile(use, 0.75);
  const bool dropped = share >= 0.2, saturated = busy >= 0.8;
  if (!use.empty())
    (saturated ? out.evidence : out.against)
        .push_back(
            format("the link carries %.0f %% of what it can at three quarters of the samples", 100 * busy));
  (dropped ? out.evidence : out.against)
      .push_back(format("generation or width below the card's in %.0f %% of %zu samples while it works",
                        100 * share, samples.size()));
  if (!dropped && !saturated) {
    out.verdict = Verdict::kRejected;
    return out;
  }
  // Transfers of partitions where the link is reduced, against the others.
  std::vector<double> slow, fast;
  for (const RunFacts& run : facts.runs)
    for (const Partition& p : run.model->partitions) {
      if (p.transfer_ns <= 0 || !p.in_region()) continue;
      const Series *gen = facts.samples.device(p.device, "pcie_gen"),
                   *width = facts.samples.device(p.device, "pcie_width");
      const Series *gen_max = facts.samples.device(p.device, "pcie_gen_max"),
                   *width_max = facts.samples.device(p.device, "pcie_width_max");
      if (gen == nullptr || width == nullptr || gen_max == nullptr || width_max == nullptr) continue;
      const double now =
          rate(gen->average(p.region_begin, p.region_end), width->average(p.region_begin, p.region_end));
      const double best = rate(gen_max->average(p.region_begin, p.region_end),
                               width_max->average(p.region_begin, p.region_end));
      if (std::isnan(now) || std::isnan(best)) continue;
      (now < 0.95 * best ? slow : fast).push_back(static_cast<double>(p.transfer_ns) * 1e-9);
    }
  const Difference d = welch(fast, slow);
  const bool contrast = fast.size() >= 8 && slow.size() >= 8;
  if (dropped) {
    const double ratio = median(reduced);
    double effect = share * per_proof * (1 - ratio);
    if (contrast)
      effect = std::max(0.0, d.value) * static_cast<double>(slow.size()) /
               static_cast<double>(std::max<size_t>(facts.proofs(), 1) * facts.devices());
    out.effect_s_per_proof = effect;
    out.evidence.push_back(
        format("at %.0f %% of its best rate then; transfers take %.2f s a proof and device", 100 * ratio,
               per_proof));
    if (contrast)
      (d.ci95.lo > 0 ? out.evidence : out.against)
          .push_back(
              format("transfers take %.3f s a partition then, %.3f s otherwise", mean(slow), mean(fast)));
    const bool clear = contrast ? d.ci95.lo > 0 : transfer > 0;
    out.verdict = clear && matters(facts, effect) ? Verdict::kSupported : Verdict::kPossible;
    if (transfer <= 0) out.missing.push_back("measured transfers (DEVICE_BUSY op=transfer_to)");
    return out;
  }
  out.effect_s_per_proof = busy * per_proof;
  // A link that is full is as slow as it is: what transfers take cannot be hidden behind a faster one.
  out.verdict = per_proof >= 0.1 * facts.s_per_proof() && facts.s_per_proof() > 0 ? Verdict::kSupported
                                                                                  : Verdict::kPossible;
  return out;
}

Hypothesis vram(const Facts& facts) {
  Hypothesis out{.cause = Cause::kVram};
  size_t exhausted = 0;
  for (const RunFacts& run : facts.runs)
    for (const std::string& error : run.model->errors) exhausted += error.find("memory") != std::string::npos;
  if (exhausted > 0)
    out.evidence.push_back(format("%zu partitions failed with an error that names memory", exhausted));
  const std::vector<BusySample> samples = busy_samples(facts, "memory_used_bytes");
  std::vector<double> shares;
  for (const BusySample& s : samples)
    if (const double used = at(facts, s, "memory_used_bytes"), all = at(facts, s, "memory_total_bytes");
        all > 0)
      shares.push_back(used / all);
  if (shares.size() < 5) {
    out.verdict = exhausted > 0 ? Verdict::kPossible : Verdict::kUnmeasured;
    out.missing.push_back(std::string(kHow) + "; memory_used_bytes");
    return out;
  }
  const auto full = std::count_if(shares.begin(), shares.end(), [](double s) { return s >= kVramFull; });
  const double share = static_cast<double>(full) / static_cast<double>(shares.size());
  const std::string level = format(
      "device memory: %.0f %% in use in the middle, %.0f %% at the most; over %.0f %% in "
      "%.0f %% of the samples",
      100 * median(shares), 100 * quantile(shares, 1), 100 * kVramFull, 100 * share);
  if (share < 0.1 && exhausted == 0) {
    out.verdict = Verdict::kRejected;
    out.against.push_back(level);
    return out;
  }
  out.evidence.push_back(level);
  std::vector<double> slow, fast;
  for (const RunFacts& run : facts.runs)
    for (const Partition& p : run.model->partitions) {
      if (p.held_ns <= 0 || !p.in_region()) continue;
      const Series *used = facts.samples.device(p.device, "memory_used_bytes"),
                   *all = facts.samples.device(p.device, "memory_total_bytes");
      if (used == nullptr || all == nullptr) continue;
      const double part =
          used->average(p.region_begin, p.region_end) / all->average(p.region_begin, p.region_end);
      if (!std::isnan(part))
        (part >= kVramFull ? slow : fast).push_back(static_cast<double>(p.held_ns) * 1e-9);
    }
  const Difference d = welch(fast, slow);
  out.verdict = Verdict::kPossible;
  if (fast.size() < 8 || slow.size() < 8) {
    out.missing.push_back("the same work with less device memory in use (gpus.gpu_workers_per_device=1)");
    return out;
  }
  const double effect = std::max(0.0, d.value) * static_cast<double>(slow.size()) /
                        static_cast<double>(std::max<size_t>(facts.proofs(), 1) * facts.devices());
  (d.ci95.lo > 0 ? out.evidence : out.against)
      .push_back(format("a partition holds the device for %.3f s while its memory is full, %.3f s otherwise",
                        mean(slow), mean(fast)));
  out.effect_s_per_proof = effect;
  if (d.ci95.lo > 0 && mean(slow) > 1.03 * mean(fast) && matters(facts, effect))
    out.verdict = Verdict::kSupported;
  return out;
}

}  // namespace cuzk::diagnosis
