#include "corpus.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "engine/simulation.hpp"
#include "timeline/csv.hpp"
#include "timeline/kept_events.hpp"

namespace cuzk::golden {

using diagnosis::Cause;
using engine::PartitionRef;
using engine::SimulatedStage;
using timeline::Event;
using timeline::EventKind;

namespace {

constexpr int64_t kSecond = 1'000'000'000;

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(random_.next() >> 11) * 0x1p-53;
  }
  size_t whole(size_t lo, size_t hi) { return lo + random_.next() % (hi - lo + 1); }
  double normal() {
    const double u = uniform(1e-12, 1), v = uniform(0, 1);
    return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  }

 private:
  TestRandom random_;
};

// On and off in turns of random length: how much something is up at a time, 1 is off.
class Episodes {
 public:
  Episodes(Dice& dice, double factor, double length_s) {
    bool on = dice.whole(0, 1) == 1;
    for (double t = 0; t < 4000;) {
      t += dice.uniform(0.6, 1.5) * length_s;
      turns_.emplace_back(t, on ? factor * dice.uniform(0.93, 1.07) : 1.0);
      on = !on;
    }
  }
  double at(int64_t now_ns) const {
    const double t = static_cast<double>(now_ns) * 1e-9;
    for (const auto& [end, value] : turns_)
      if (t < end) return value;
    return 1;
  }
  // The mean of `what` over a stretch from now on.
  double over(int64_t now_ns, double length_ms, const std::function<double(double)>& what) const {
    constexpr int kPoints = 8;
    double sum = 0;
    for (int i = 0; i < kPoints; ++i)
      sum += what(at(now_ns + static_cast<int64_t>((i + 0.5) / kPoints * length_ms * 1e6)));
    return sum / kPoints;
  }

 private:
  std::vector<std::pair<double, double>> turns_;
};

// A machine, its work, and what is wrong with it.
struct Plant {
  size_t devices, device_workers, synthesisers, partitions, proofs, in_flight, finishers;
  double held_ms, transfer_share, synthesis_ms, prepare_ms, tail_ms, check_ms, spread;
  double cpus = 96, clock = 2400;
  uint64_t budget = uint64_t{1} << 50, witness = uint64_t{1} << 30;
  std::function<double(SimulatedStage, std::string_view, PartitionRef, int64_t)> slow;
  // What the samples say at a time.
  std::function<double(int64_t)> probe = [](int64_t) { return 1.0; };
  std::function<double(int64_t)> threads = [](int64_t) { return 0.6; };  // a CPU
  std::function<double(int64_t)> shootdowns = [](int64_t) { return 250.0; };
  std::function<double(int64_t)> clock_share = [](int64_t) { return 1.0; };
  std::function<double(int64_t)> heat = [](int64_t) { return 0.0; }, power = [](int64_t) { return 0.0; };
  std::function<double(int64_t)> width = [](int64_t) { return 16.0; };
  std::function<double(int64_t)> memory = [](int64_t) { return 0.7; };
};

using Slow = std::function<double(SimulatedStage, std::string_view, PartitionRef, int64_t)>;
void add_slow(Plant& plant, Slow more) {
  if (!plant.slow) {
    plant.slow = std::move(more);
    return;
  }
  plant.slow = [first = std::move(plant.slow), more = std::move(more)](
                   SimulatedStage stage, std::string_view op, PartitionRef ref, int64_t now) {
    return first(stage, op, ref, now) * more(stage, op, ref, now);
  };
}

Plant healthy(Dice& dice) {
  Plant p;
  p.devices = dice.whole(1, 2);
  p.device_workers = 2;
  p.synthesisers = dice.whole(6, 12);
  p.partitions = dice.whole(6, 10);
  p.proofs = dice.whole(14, 22);
  p.in_flight = dice.whole(4, 7);
  p.finishers = 3;
  p.held_ms = dice.uniform(1200, 3000) * static_cast<double>(p.devices);
  p.transfer_share = dice.uniform(0.2, 0.35);
  p.synthesis_ms = p.held_ms / static_cast<double>(p.devices) * static_cast<double>(p.synthesisers) *
                   dice.uniform(0.5, 0.7);
  p.prepare_ms = p.held_ms * dice.uniform(0.1, 0.3);
  p.tail_ms = p.held_ms * dice.uniform(0.1, 0.2);
  p.check_ms = p.held_ms * 0.02;
  p.spread = dice.uniform(0.02, 0.06);
  return p;
}

// Synthesis that just keeps up, so that the devices wait when it is slowed.
void near_the_edge(Plant& p, Dice& dice) {
  p.synthesis_ms = p.held_ms / static_cast<double>(p.devices) * static_cast<double>(p.synthesisers) *
                   dice.uniform(0.95, 1.05);
}

bool on_host(SimulatedStage stage) {
  return stage == SimulatedStage::kSynthesis || stage == SimulatedStage::kPrepare ||
         stage == SimulatedStage::kFinish;
}

// --- what can be wrong

// How long a stage of the host takes, about: what slows it does so all the while.
double length_ms(const Plant& p, SimulatedStage stage) {
  return stage == SimulatedStage::kSynthesis ? p.synthesis_ms
         : stage == SimulatedStage::kPrepare ? p.prepare_ms
                                             : p.tail_ms;
}
void slow_host(Plant& p, std::shared_ptr<Episodes> e, double power) {
  const Plant lengths = p;
  add_slow(p, [e, power, lengths](SimulatedStage stage, std::string_view, PartitionRef, int64_t now) {
    if (!on_host(stage)) return 1.0;
    return e->over(now, length_ms(lengths, stage), [=](double up) { return std::pow(up, power); });
  });
}

void memory_bandwidth(Plant& p, Dice& dice) {
  near_the_edge(p, dice);
  auto e = std::make_shared<Episodes>(dice, dice.uniform(1.35, 1.8), dice.uniform(25, 50));
  p.probe = [e](int64_t now) { return e->at(now); };
  slow_host(p, e, 0.8);
  add_slow(p, [e](SimulatedStage, std::string_view op, PartitionRef, int64_t now) {
    return op == "transfer_to" ? std::pow(e->at(now), 0.9) : 1.0;
  });
}

void tlb_shootdown(Plant& p, Dice& dice) {
  near_the_edge(p, dice);
  auto e = std::make_shared<Episodes>(dice, dice.uniform(1.3, 1.6), dice.uniform(20, 40));
  const double rate = dice.uniform(15000, 60000);
  p.shootdowns = [e, rate](int64_t now) { return e->at(now) > 1 ? rate : 250.0; };
  slow_host(p, e, 1);
}

void cpu_oversubscription(Plant& p, Dice& dice) {
  near_the_edge(p, dice);
  auto e = std::make_shared<Episodes>(dice, dice.uniform(1.5, 2.2), dice.uniform(25, 50));
  p.threads = [e](int64_t now) { return e->at(now) > 1 ? e->at(now) : 0.7; };
  slow_host(p, e, 0.9);
}

void follow_clock(Plant& p) {
  auto share = p.clock_share;
  add_slow(p, [share](SimulatedStage stage, std::string_view op, PartitionRef, int64_t now) {
    return stage == SimulatedStage::kDevice && op != "transfer_to" ? 1 / share(now) : 1.0;
  });
}

// The card warms up, and its clock goes down with it.
void thermal(Plant& p, Dice& dice) {
  const double from = dice.uniform(30, 80), lowest = dice.uniform(0.7, 0.85),
               rate = dice.uniform(0.002, 0.006);
  auto share = [=](int64_t now) {
    const double t = static_cast<double>(now) * 1e-9 - from;
    return t <= 0 ? 1.0 : std::max(lowest, 1 - rate * t);
  };
  p.clock_share = share;
  p.heat = [=](int64_t now) { return share(now) < 1 ? 1.0 : 0.0; };
  follow_clock(p);
}

void power(Plant& p, Dice& dice) {
  auto e = std::make_shared<Episodes>(dice, 2.0, dice.uniform(20, 40));
  const double low = dice.uniform(0.75, 0.88);
  p.clock_share = [=](int64_t now) { return e->at(now) > 1 ? low : 1.0; };
  p.power = [=](int64_t now) { return e->at(now) > 1 ? 1.0 : 0.0; };
  follow_clock(p);
}

void pcie_link(Plant& p, Dice& dice) {
  const double from = dice.whole(0, 1) == 0 ? -1 : dice.uniform(60, 120),
               width = dice.whole(0, 1) == 0 ? 4 : 8;
  p.width = [=](int64_t now) { return static_cast<double>(now) * 1e-9 > from ? width : 16.0; };
  auto slower = p.width;
  add_slow(p, [slower](SimulatedStage, std::string_view op, PartitionRef, int64_t now) {
    return op == "transfer_to" ? 0.4 + 0.6 * 16 / slower(now) : 1.0;
  });
}

void vram(Plant& p, Dice& dice) {
  auto e = std::make_shared<Episodes>(dice, dice.uniform(1.15, 1.35), dice.uniform(25, 50));
  p.memory = [e](int64_t now) { return e->at(now) > 1 ? 0.975 : 0.8; };
  add_slow(p, [e](SimulatedStage stage, std::string_view, PartitionRef, int64_t now) {
    return stage == SimulatedStage::kDevice ? e->at(now) : 1.0;
  });
}

void handover(Plant& p, Dice& dice) {
  p.device_workers = 1;
  p.prepare_ms = p.held_ms * dice.uniform(0.08, 0.3);
}

void synthesis_starvation(Plant& p, Dice& dice) {
  p.synthesis_ms = p.held_ms / static_cast<double>(p.devices) * static_cast<double>(p.synthesisers) *
                   dice.uniform(1.2, 1.8);
}

void memory_budget(Plant& p, Dice& dice) {
  const size_t room = dice.whole(3, 4) * p.devices;
  p.synthesis_ms =
      p.held_ms / static_cast<double>(p.devices) * static_cast<double>(room) * dice.uniform(1.1, 1.6);
  p.budget = p.witness * room;
}

void uneven_partition(Plant& p, Dice& dice, uint32_t index) {
  const double factor = dice.uniform(1.4, 2.2);
  add_slow(p, [=](SimulatedStage stage, std::string_view, PartitionRef ref, int64_t) {
    return ref.index == index && stage == SimulatedStage::kDevice ? factor : 1.0;
  });
}

void slow_job(Plant& p, Dice& dice) {
  const engine::JobId job = dice.whole(3, p.proofs - 2);
  const double factor = dice.uniform(2, 3.5);
  add_slow(p, [=](SimulatedStage stage, std::string_view, PartitionRef ref, int64_t) {
    return ref.job == job && stage == SimulatedStage::kDevice ? factor : 1.0;
  });
}

using Fault = void (*)(Plant&, Dice&);
struct NamedFault {
  const char* name;
  Cause cause;
  Fault apply;
};
const NamedFault kFaults[] = {
    {"memory_bandwidth", Cause::kMemoryBandwidth, memory_bandwidth},
    {"tlb_shootdown", Cause::kTlbShootdown, tlb_shootdown},
    {"cpu_oversubscription", Cause::kCpuOversubscription, cpu_oversubscription},
    {"thermal", Cause::kThermal, thermal},
    {"power", Cause::kPower, power},
    {"pcie_link", Cause::kPcieLink, pcie_link},
    {"vram", Cause::kVram, vram},
    {"handover", Cause::kHandover, handover},
    {"synthesis_starvation", Cause::kSynthesisStarvation, synthesis_starvation},
    {"memory_budget", Cause::kMemoryBudget, memory_budget},
    {"uneven_partitions", Cause::kUnevenPartitions,
     [](Plant& p, Dice& dice) {
       uneven_partition(p, dice, static_cast<uint32_t>(dice.whole(0, p.partitions - 1)));
     }},
    {"slow_job", Cause::kSlowJob, slow_job},
};

const NamedFault& fault(std::string_view name) {
  for (const NamedFault& f : kFaults)
    if (name == f.name) return f;
  return kFaults[0];
}

// --- running it

struct Made {
  std::vector<Event> events;
  int64_t end_ns = 0;
};

// own_waiting: samples also say how long the process's own threads wait for CPUs.
void sample(const Plant& p, Dice& dice, int64_t now, bool own_waiting, std::vector<Event>& out) {
  auto noisy = [&](double value, double share) { return value * std::exp(share * dice.normal()); };
  char text[400];
  std::snprintf(text, sizeof text,
                "probe_ns=%.3f;run_queue=%.0f;cpus=%.0f;host_cpus=%.2f;tlb_shootdowns_per_s=%.0f;"
                "involuntary_switches_per_s=%.0f",
                noisy(92 * p.probe(now), 0.04), 1 + noisy(p.threads(now) * p.cpus, 0.08), p.cpus,
                std::min(p.cpus, p.threads(now) * p.cpus), noisy(p.shootdowns(now), 0.15),
                noisy(p.threads(now) > 1 ? 30000 : 400, 0.2));
  out.push_back({now, kSecond, EventKind::kSampleHost, "", "sampler", -1, -1, text});
  if (own_waiting) {
    const double threads = noisy(p.threads(now), 0.08);
    std::snprintf(text, sizeof text, "process_cpus=%.3f;waiting_threads=%.3f;allowed_cpus=%.0f",
                  std::min(1.0, threads) * p.cpus, (std::max(0.0, threads - 1) + noisy(0.01, 0.5)) * p.cpus,
                  p.cpus);
    out.push_back({now, kSecond, EventKind::kSampleHost, "", "sampler", -1, -1, text});
  }
  for (size_t d = 0; d < p.devices; ++d) {
    const double gen = 5, width = p.width(now);
    std::snprintf(text, sizeof text,
                  "clock_sm_mhz=%.0f;clock_sm_max_mhz=2500;temperature_c=%.0f;power_w=%.0f;power_limit_w=360;"
                  "throttle_thermal=%.0f;throttle_power=%.0f;pcie_gen=%.0f;pcie_gen_max=5;pcie_width=%.0f;"
                  "pcie_width_max=16;memory_used_bytes=%.0f;memory_total_bytes=%.0f",
                  noisy(p.clock * p.clock_share(now), 0.004), 62 + 22 * p.heat(now) + dice.uniform(-1, 1),
                  p.power(now) > 0 ? 359.0 : 280 + dice.uniform(-10, 10), p.heat(now), p.power(now), gen,
                  width, p.memory(now) * 16e9, 16e9);
    out.push_back({now, kSecond, EventKind::kSampleDevice, "", "sampler", -1, static_cast<int32_t>(d), text});
  }
}

Made run(const Plant& p, uint64_t seed, Dice& dice, const std::vector<size_t>& in_flight) {
  Made out;
  engine::SimulationConfig config;
  auto& s = config.scheduler;
  s.synthesis_workers = p.synthesisers;
  s.devices = p.devices;
  s.workers_per_device = p.device_workers;
  s.reserved_lane = false;
  s.memory_bytes = p.budget;
  config.finishers = p.finishers;
  config.seed = seed;
  engine::Simulation simulation(config, std::make_unique<timeline::KeptEvents>(out.events));
  engine::StageTimes times;
  times.parse = {5, 0.05};
  times.synthesis = {p.synthesis_ms, p.spread};
  times.prepare = {p.prepare_ms, p.spread};
  times.tail = {p.tail_ms, p.spread};
  times.check = {p.check_ms, p.spread};
  times.device = {{"transfer_to", {p.held_ms * p.transfer_share, p.spread}},
                  {"ntt", {p.held_ms * 0.3 * (1 - p.transfer_share), p.spread}},
                  {"msm", {p.held_ms * 0.7 * (1 - p.transfer_share), p.spread}}};
  simulation.set_times("c", times);
  if (p.slow)
    simulation.set_scale([&](SimulatedStage stage, std::string_view op, PartitionRef ref) {
      return p.slow(stage, op, ref, simulation.now());
    });
  for (size_t j : in_flight) {
    const size_t proofs = p.proofs;
    simulation.bench_lane().record(EventKind::kBenchBegin,
                                   {.detail = "circuit=c;partitions=" + std::to_string(p.partitions) +
                                              ";c=" + std::to_string(proofs) + ";j=" + std::to_string(j)});
    size_t submitted = 0;
    std::function<void()> next = [&] {
      if (submitted >= proofs) return;
      ++submitted;
      engine::JobRequest request;
      request.partitions = static_cast<uint32_t>(p.partitions);
      request.plan = {"c", 0, p.witness, 0};
      if (!simulation.submit(request, [&](const engine::Job&) { next(); })) std::abort();
    };
    for (size_t i = 0; i < std::min(j, proofs); ++i) next();
    simulation.run();
    simulation.bench_lane().record(EventKind::kBenchEnd);
    simulation.recorder().drain();
    if (j != in_flight.back()) {
      bool woken = false;  // a pause between runs
      simulation.at(simulation.now() + 4 * kSecond, [&] { woken = true; });
      simulation.run();
    }
  }
  out.end_ns = simulation.now();
  for (int64_t now = kSecond / 3; now < out.end_ns; now += kSecond)
    sample(p, dice, now, seed % 2 == 1, out.events);
  std::stable_sort(out.events.begin(), out.events.end(),
                   [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
  return out;
}

std::string to_csv(const std::vector<Event>& events) {
  std::string out = timeline::format_header({"2026-11-29T16:00:00.000Z", "golden", "generated", ""});
  for (const Event& event : events) out += timeline::format_event(event);
  return out;
}

// Everything of one partition from its second stage on.
void lose_partition(std::vector<Event>& events, Truth& truth, Dice& dice, size_t jobs, size_t partitions) {
  truth.lost_job = "job-" + std::to_string(dice.whole(2, jobs - 1));
  truth.lost_partition = static_cast<int32_t>(dice.whole(0, partitions - 1));
  std::erase_if(events, [&](const Event& e) {
    return (e.job == truth.lost_job && e.partition == truth.lost_partition &&
            e.kind != EventKind::kSynthStart && e.kind != EventKind::kSynthEnd) ||
           (e.job == truth.lost_job && e.kind == EventKind::kJobDone);
  });
}

// The second run's marker comes late: its first jobs began before it.
void contaminate(std::vector<Event>& events, Truth& truth, Dice& dice) {
  int seen = 0;
  int64_t begin = 0, moved = 0;
  for (Event& e : events)
    if (e.kind == EventKind::kBenchBegin && ++seen == 2) {
      begin = e.time_ns;
      moved = e.time_ns += static_cast<int64_t>(dice.uniform(0.2, 2) * 1e9);
    }
  for (const Event& e : events)
    if (e.kind == EventKind::kJobAccepted && e.time_ns >= begin && e.time_ns < moved)
      truth.contaminated.push_back(e.job);
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.time_ns < b.time_ns; });
}

// Which two go together, each acting on something else or on the same.
const std::pair<const char*, const char*> kPairs[] = {{"memory_bandwidth", "thermal"},
                                                      {"handover", "uneven_partitions"},
                                                      {"power", "slow_job"},
                                                      {"tlb_shootdown", "memory_bandwidth"},
                                                      {"cpu_oversubscription", "thermal"},
                                                      {"pcie_link", "handover"},
                                                      {"synthesis_starvation", "uneven_partitions"}};

}  // namespace

const std::vector<std::string>& kinds() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> out;
    for (const NamedFault& f : kFaults) out.emplace_back(f.name);
    out.insert(out.end(), {"none", "none_two_runs", "thermal_like_bandwidth", "bandwidth_by_run",
                           "partition_3", "lost_partition", "contaminated_boundary", "foreign_starvation",
                           "foreign_uneven", "foreign_slow_job", "foreign_none"});
    for (const auto& [a, b] : kPairs) out.push_back(std::string(a) + "+" + b);
    return out;
  }();
  return list;
}

Case make_case(const std::string& kind, uint64_t seed) {
  Case out;
  out.truth.kind = kind;
  uint64_t mixed = seed * 0x9e3779b97f4a7c15u;
  for (char c : kind) mixed = (mixed ^ static_cast<uint64_t>(static_cast<unsigned char>(c))) * 0x100000001b3u;
  Dice dice(mixed);
  Plant plant = healthy(dice);
  std::vector<size_t> in_flight{plant.in_flight};
  const bool foreign = kind.starts_with("foreign_");
  if (foreign && plant.devices > 1) {  // such a log does not say which device a worker uses
    plant.devices = 1;
    plant.held_ms /= 2;
    plant.prepare_ms /= 2;
    plant.tail_ms /= 2;
    plant.synthesis_ms = plant.held_ms * static_cast<double>(plant.synthesisers) * 0.6;
  }
  auto apply = [&](std::string_view name) {
    out.truth.causes.push_back(fault(name).cause);
    fault(name).apply(plant, dice);
  };
  if (const size_t plus = kind.find('+'); plus != std::string::npos) {
    apply(std::string_view(kind).substr(0, plus));
    apply(std::string_view(kind).substr(plus + 1));
  } else if (kind == "none_two_runs" || kind == "contaminated_boundary") {
    in_flight = {4, plant.in_flight + 1};
    plant.proofs = 10;
  } else if (kind == "thermal_like_bandwidth") {
    // More load, later: the card is warm by then, so times rise with the load as if it were contention.
    out.truth.causes = {Cause::kThermal};
    in_flight = {3, 5, 8};
    plant.proofs = 8;
    thermal(plant, dice);
  } else if (kind == "bandwidth_by_run") {
    // A neighbour that streams through memory during the second run only.
    out.truth.causes = {Cause::kMemoryBandwidth};
    in_flight = {plant.in_flight, plant.in_flight + 1};
    plant.proofs = 10;
    const double factor = dice.uniform(1.3, 1.7);
    const double turn = static_cast<double>(plant.proofs * plant.partitions) * plant.held_ms * 1.08 /
                        static_cast<double>(plant.devices) * 1e6;
    plant.probe = [=](int64_t now) { return static_cast<double>(now) > turn ? factor : 1.0; };
    auto probe = plant.probe;
    add_slow(plant, [probe](SimulatedStage stage, std::string_view op, PartitionRef, int64_t now) {
      return on_host(stage) || op == "transfer_to" ? std::pow(probe(now), 0.9) : 1.0;
    });
  } else if (kind == "partition_3") {
    out.truth.causes = {Cause::kUnevenPartitions};
    uneven_partition(plant, dice, 3);
  } else if (kind == "foreign_starvation") {
    // Spans of several workers overlap: only when synthesis takes far longer does any of it show.
    apply("synthesis_starvation");
    plant.synthesis_ms *= 2;
  } else if (kind == "foreign_uneven") {
    apply("uneven_partitions");
  } else if (kind == "foreign_slow_job") {
    apply("slow_job");
  } else if (kind != "none" && kind != "lost_partition" && kind != "foreign_none") {
    apply(kind);
  }
  Made made = run(plant, mixed, dice, in_flight);
  if (kind == "lost_partition") lose_partition(made.events, out.truth, dice, plant.proofs, plant.partitions);
  if (kind == "contaminated_boundary") contaminate(made.events, out.truth, dice);
  out.text = foreign ? to_reference_log(made.events, seed) : to_csv(made.events);
  return out;
}

}  // namespace cuzk::golden
