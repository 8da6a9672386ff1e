// Which interference control helps here: each alone and all pairs, measured in turns.
#include <algorithm>
#include <iostream>

#include "base/random.hpp"
#include "cli/bench.hpp"
#include "diagnosis/statistics.hpp"

namespace cuzk::cli {

namespace {

struct Control {
  const char* name;
  void (*off)(Settings&);
  void (*on)(Settings&);
  bool in_pairs = true;
};

const Control kDeferredRelease = {"deferred release", [](Settings& s) { s.deferred_release = false; },
                                  [](Settings& s) { s.deferred_release = true; }};
const Control kThrottle = {"throttle", [](Settings& s) { s.throttle = false; },
                           [](Settings& s) { s.throttle = true; }};

// What the settings given say of a control is what "on" means. The baseline has a tail pool as large as the
// machine: without any, a throttle would have nothing to yield to.
std::vector<Control> cpu_controls() {
  return {kDeferredRelease,
          {"small tail pool", [](Settings& s) { s.tail_threads = usable_cpus(); },
           [](Settings& s) {
             if (s.tail_threads == 0) s.tail_threads = std::max<uint64_t>(1, usable_cpus() / 4);
           }},
          kThrottle,
          {"huge pages", [](Settings& s) { s.huge_pages = false; }, [](Settings& s) { s.huge_pages = true; }},
          {"buffer pool", [](Settings& s) { s.buffer_pool = 0; },
           [](Settings& s) {
             if (s.buffer_pool == 0) s.buffer_pool = scheduler_config(s).memory_bytes / 8;
           }},
          // cpu.tail_threads again: not together with the small pool.
          {"tail on the device", [](Settings&) {}, [](Settings& s) { s.tail_threads = 0; }, false}};
}
// Other devices make their tails on the finishers' threads and have memory of their own.
std::vector<Control> other_controls() {
  return {kDeferredRelease,
          {"small tail pool", [](Settings& s) { s.finishers = std::max<uint64_t>(2, usable_cpus()); },
           [](Settings& s) { s.finishers = 1; }},
          kThrottle};
}

struct Variant {
  std::string name;
  Settings settings;
  std::vector<double> s_per_proof;  // by repeat
};

std::vector<Variant> make_variants(const Settings& given, const std::vector<Control>& controls, bool pairs) {
  std::vector<Variant> out;
  auto add = [&](std::initializer_list<size_t> on) {
    Variant v{on.size() == 0 ? "baseline" : "", given, {}};
    for (size_t i = 0; i < controls.size(); ++i)
      if (std::find(on.begin(), on.end(), i) == on.end()) controls[i].off(v.settings);
    for (size_t i : on) {
      controls[i].on(v.settings);
      v.name += std::string(v.name.empty() ? "+ " : " + ") + controls[i].name;
    }
    out.push_back(std::move(v));
  };
  add({});
  for (size_t i = 0; i < controls.size(); ++i) add({i});
  for (size_t i = 0; pairs && i < controls.size(); ++i)
    for (size_t k = i + 1; k < controls.size(); ++k)
      if (controls[i].in_pairs && controls[k].in_pairs) add({i, k});
  return out;
}

// One proof warms up (the key is loaded by it), then the point is measured.
Result<bool> measure(const BenchOptions& options, size_t threads, Variant& variant) {
  KeptTimeline kept;
  CUZK_ASSIGN(auto target, make_target(options, variant.settings, threads, kept));
  CUZK_ASSIGN(auto warm, target->run({1, 1}));
  if (warm.interrupted) return true;
  CUZK_ASSIGN(auto outcome, target->run({options.counts[0], options.concurrencies[0]}));
  if (outcome.interrupted) return true;
  const auto summary = kept.last_run();
  if (summary.jobs_done != options.counts[0])
    return fail(ErrorCode::kInternal, "bench ablate, " + variant.name + ": " +
                                          std::to_string(summary.jobs_done) + " of " +
                                          std::to_string(options.counts[0]) +
                                          " proofs were made; first error: " + outcome.first_error);
  variant.s_per_proof.push_back(summary.s_per_proof);
  return false;
}

// Differences to the baseline of the same repeat: what changes slowly is in both.
diagnosis::Difference against(const Variant& baseline, const Variant& variant) {
  std::vector<double> differences;
  for (size_t i = 0; i < std::min(baseline.s_per_proof.size(), variant.s_per_proof.size()); ++i)
    differences.push_back(variant.s_per_proof[i] - baseline.s_per_proof[i]);
  return diagnosis::mean_interval(differences);
}

void print(const std::vector<Variant>& variants) {
  std::printf("%-36s %7s %10s %21s %31s\n", "", "repeats", "s/proof", "95 %", "against the baseline, 95 %");
  for (const Variant& v : variants) {
    const auto own = diagnosis::mean_interval(v.s_per_proof);
    const auto d = against(variants[0], v);
    std::printf("%-36s %7zu %10.4f %10.4f %10.4f", v.name.c_str(), v.s_per_proof.size(),
                diagnosis::mean(v.s_per_proof), own.known ? own.ci95.lo : 0.0, own.known ? own.ci95.hi : 0.0);
    if (&v != &variants[0] && d.known)
      std::printf(" %+9.4f %+10.4f %+10.4f%s", d.value, d.ci95.lo, d.ci95.hi,
                  d.ci95.hi < 0   ? "  faster"
                  : d.ci95.lo > 0 ? "  slower"
                                  : "");
    std::printf("\n");
  }
}

Json to_json(const std::vector<Variant>& variants) {
  Json out = Json::array();
  for (const Variant& v : variants) {
    const auto own = diagnosis::mean_interval(v.s_per_proof);
    const auto d = against(variants[0], v);
    Json entry = {{"variant", v.name},
                  {"settings", describe_changes(v.settings)},
                  {"s_per_proof", v.s_per_proof},
                  {"mean", diagnosis::mean(v.s_per_proof)}};
    entry["ci95"] = own.known ? Json{own.ci95.lo, own.ci95.hi} : Json{nullptr, nullptr};
    entry["difference"] = d.known ? Json(d.value) : Json(nullptr);
    entry["difference_ci95"] = d.known ? Json{d.ci95.lo, d.ci95.hi} : Json{nullptr, nullptr};
    out.push_back(std::move(entry));
  }
  return out;
}

}  // namespace

Result<ExitStatus> ablate(const BenchOptions& options, const Settings& settings, const Context& context) {
  if (options.counts.size() != 1 || options.concurrencies.size() != 1)
    return invalid("bench ablate: one -c and one -j");
  if (!options.timeline.empty()) return invalid("bench ablate: --timeline is for bench run and bench sweep");
  if (!settings.record)
    return invalid("bench ablate: its figures are recorded ones; leave timeline.record on");
  if (options.repeats < 2 || options.repeats > 1000) return invalid("--repeats: from 2 to 1000");
  const bool on_cpu = options.device == "cpu";
  std::vector<Variant> variants =
      make_variants(settings, on_cpu ? cpu_controls() : other_controls(), !options.alone);
  TestRandom random(1);
  bool interrupted = false;
  for (size_t r = 0; r < options.repeats && !interrupted; ++r) {
    // Every repeat in another order, so that no variant always follows the same one.
    std::vector<size_t> order(variants.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    for (size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.next() % (i + 1)]);
    for (size_t i : order) {
      CUZK_ASSIGN(bool stop, measure(options, context.threads, variants[i]));
      if ((interrupted = stop)) break;
    }
  }
  if (context.json) {
    print_json(to_json(variants));
  } else {
    print(variants);
  }
  return interrupted ? kAnswerIsNo : kDone;
}

}  // namespace cuzk::cli
