// What may limit throughput, and what speaks for it and against it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "diagnosis/drivers.hpp"
#include "diagnosis/facts.hpp"

namespace cuzk::diagnosis {

enum class Cause : uint8_t {
  kMemoryBandwidth,
  kTlbShootdown,
  kCpuOversubscription,
  kThermal,
  kPower,
  kPcieLink,
  kVram,
  kHandover,
  kSynthesisStarvation,
  kMemoryBudget,
  kUnevenPartitions,
  kSlowJob
};
inline constexpr size_t kCauses = 12;
const char* cause_name(Cause cause);

enum class Verdict : uint8_t {
  kSupported,   // measured, and large enough to matter
  kPossible,    // something speaks for it, not enough to say so
  kUnmeasured,  // what would show it was not measured
  kRejected     // measured, and not there
};
const char* verdict_name(Verdict verdict);

// A setting to change, and what the replay of the recorded stage times makes of it.
struct Advice {
  std::string key, from, to;  // key empty: nothing in the configuration acts on it
  std::string text;
  std::optional<double> predicted_s_per_proof, replayed_s_per_proof;  // with the change, and without
};

struct Hypothesis {
  Cause cause{};
  Verdict verdict = Verdict::kUnmeasured;
  std::optional<double> effect_s_per_proof = {};
  std::vector<std::string> evidence = {}, against = {}, missing = {};
  std::vector<Advice> advice = {};
  // Seconds a proof of idle time that this one explains: a symptom (starvation) ranks behind its cause.
  double explains_starvation_s = 0;
};

// Effects below this share of the time a proof takes are not worth a claim.
inline constexpr double kLeastShare = 0.01;

// One function for each cause, in hypotheses/.
Hypothesis memory_bandwidth(const Facts& facts, const Drivers& drivers);
Hypothesis tlb_shootdown(const Facts& facts, const Drivers& drivers);
Hypothesis cpu_oversubscription(const Facts& facts, const Drivers& drivers);
Hypothesis thermal(const Facts& facts, const Drivers& drivers);
Hypothesis power(const Facts& facts, const Drivers& drivers);
Hypothesis pcie_link(const Facts& facts);
Hypothesis vram(const Facts& facts);
Hypothesis handover(const Facts& facts);
Hypothesis synthesis_starvation(const Facts& facts);
Hypothesis memory_budget(const Facts& facts);
Hypothesis uneven_partitions(const Facts& facts);
Hypothesis slow_job(const Facts& facts);

// All twelve, the likeliest first: supported, possible, unmeasured, rejected; within each by effect.
std::vector<Hypothesis> rank_hypotheses(const Facts& facts);

}  // namespace cuzk::diagnosis
