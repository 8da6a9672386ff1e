#include <charconv>
#include <iostream>

#include "cli/commands.hpp"
#include "diagnosis/analysis.hpp"

namespace cuzk::cli {

namespace {

struct SimulateOptions {
  std::string from, run = "last", sweep;
  std::vector<std::string> assignments;
  std::optional<size_t> proofs, concurrency, devices, partitions;
  size_t repeats = 5;
};

struct Point {
  std::string value;  // of the swept key; empty without
  diagnosis::Prediction mean;
  double least = 0, most = 0;  // s/proof of the repeats
};

// "key=1..8" or "key=1,2,4".
Result<std::pair<std::string, std::vector<std::string>>> parse_sweep(const std::string& text) {
  const std::string expected = "--sweep " + text + ": expected key=FROM..TO or key=VALUE,VALUE,…";
  const size_t eq = text.find('=');
  if (eq == std::string::npos || eq == 0) return invalid(expected);
  std::pair<std::string, std::vector<std::string>> out{text.substr(0, eq), {}};
  std::string_view rest = std::string_view(text).substr(eq + 1);
  if (const size_t dots = rest.find(".."); dots != std::string_view::npos) {
    uint64_t from = 0, to = 0;
    auto a = std::from_chars(rest.data(), rest.data() + dots, from);
    auto b = std::from_chars(rest.data() + dots + 2, rest.data() + rest.size(), to);
    constexpr uint64_t kMostPoints = 1000;
    if (a.ec != std::errc() || a.ptr != rest.data() + dots || b.ec != std::errc() ||
        b.ptr != rest.data() + rest.size() || to < from || to - from >= kMostPoints)
      return invalid(expected + " (at most 1000 values)");
    for (uint64_t v = from; v <= to; ++v) out.second.push_back(std::to_string(v));
    return out;
  }
  while (!rest.empty()) {
    const size_t comma = std::min(rest.find(','), rest.size());
    if (comma == 0) return invalid(expected);
    out.second.emplace_back(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  if (out.second.empty()) return invalid(expected);
  return out;
}

Result<Point> predict(const diagnosis::Replay& replay, diagnosis::Change change, size_t repeats) {
  Point out;
  out.least = 1e300;
  for (size_t i = 0; i < repeats; ++i) {
    change.seed = i + 1;
    CUZK_ASSIGN(auto p, replay.predict(change));
    const double share = 1 / static_cast<double>(repeats);
    out.mean.s_per_proof += share * p.s_per_proof;
    out.mean.steady_s_per_proof += share * p.steady_s_per_proof;
    out.mean.wall_s += share * p.wall_s;
    out.mean.held_share += share * p.held_share;
    out.mean.busy_share += share * p.busy_share;
    out.mean.peak_bytes = std::max(out.mean.peak_bytes, p.peak_bytes);
    out.mean.proofs = p.proofs;
    out.least = std::min(out.least, p.s_per_proof);
    out.most = std::max(out.most, p.s_per_proof);
  }
  return out;
}

Json to_json(const Point& p) {
  Json out;
  if (!p.value.empty()) out["value"] = p.value;
  out["s_per_proof"] = p.mean.s_per_proof;
  out["s_per_proof_range"] = {p.least, p.most};
  out["steady_s_per_proof"] = p.mean.steady_s_per_proof;
  out["proofs"] = p.mean.proofs;
  out["device_busy"] = p.mean.busy_share;
  out["interlock_held"] = p.mean.held_share;
  out["peak_reserved_bytes"] = p.mean.peak_bytes;
  return out;
}

void print(const std::string& key, const std::vector<Point>& points) {
  std::printf("%-28s %10s %19s %10s %8s %8s %12s\n", key.empty() ? "" : key.c_str(), "s/proof",
              "least to most", "steady", "busy %", "held %", "memory MiB");
  for (const Point& p : points)
    std::printf("%-28s %10.3f %9.3f %9.3f %10.3f %8.1f %8.1f %12llu\n", p.value.c_str(), p.mean.s_per_proof,
                p.least, p.most, p.mean.steady_s_per_proof, 100 * p.mean.busy_share, 100 * p.mean.held_share,
                static_cast<unsigned long long>(p.mean.peak_bytes >> 20));
}

Result<ExitStatus> simulate(const SimulateOptions& options, const Context& context) {
  if (options.repeats == 0 || options.repeats > 1000) return invalid("--repeats: from 1 to 1000");
  for (const auto& n : {options.proofs, options.concurrency, options.devices, options.partitions})
    if (n && (*n == 0 || *n > 100000)) return invalid("-c, -j, --devices and --partitions: from 1 to 100000");
  CUZK_ASSIGN(auto timeline, timeline::read_timeline(options.from));
  diagnosis::AnalysisOptions how;
  how.run = options.run;
  how.replay = false;
  CUZK_ASSIGN(auto analysis, diagnosis::analyse(std::move(timeline), options.from, how));
  if (analysis.facts->runs.size() != 1) return invalid("--run " + options.run + ": a replay takes one run");
  const diagnosis::RunModel& model = *analysis.facts->runs[0].model;
  auto replay = diagnosis::Replay::of(*analysis.timeline, model);
  if (!replay) return tl::unexpected<Error>(replay.error().at(options.from));
  diagnosis::Change change;
  change.assignments = options.assignments;
  change.proofs = options.proofs;
  change.concurrency = options.concurrency;
  change.devices = options.devices;
  change.partitions = options.partitions;
  std::vector<Point> points;
  std::string key;
  if (options.sweep.empty()) {
    CUZK_ASSIGN(Point point, predict(*replay, change, options.repeats));
    points.push_back(std::move(point));
  } else {
    CUZK_ASSIGN(auto sweep, parse_sweep(options.sweep));
    key = sweep.first;
    for (const std::string& value : sweep.second) {
      diagnosis::Change changed = change;
      changed.assignments.push_back(key + "=" + value);
      CUZK_ASSIGN(Point point, predict(*replay, changed, options.repeats));
      point.value = value;
      points.push_back(std::move(point));
    }
  }
  CUZK_ASSIGN(Point base, predict(*replay, {}, options.repeats));
  if (context.json) {
    Json json;
    json["recorded_s_per_proof"] = model.s_per_proof();
    json["replayed"] = to_json(base);
    if (!key.empty()) json["sweep"] = key;
    json["predictions"] = Json::array();
    for (const Point& p : points) json["predictions"].push_back(to_json(p));
    json["upper_bound"] = model.upper_bound;
    json["shared_cpus"] = replay->recorded().cpus > 0 ? Json(replay->recorded().cpus) : Json(nullptr);
    print_json(json);
    return kDone;
  }
  std::printf("recorded %.3f s/proof; the replay of the same settings gives %.3f (%+.1f %%)\n",
              model.s_per_proof(), base.mean.s_per_proof,
              100 * (base.mean.s_per_proof / model.s_per_proof() - 1));
  if (model.upper_bound) std::printf("worker spans only: each worker is replayed as a device of its own\n");
  if (replay->recorded().cpus > 0) {
    std::printf("stages share %.0f CPUs\n", replay->recorded().cpus);
  } else {
    std::printf("stages last as recorded: the log does not tell what they need of which CPUs\n");
  }
  print(key, points);
  return kDone;
}

}  // namespace

Command add_simulate(CLI::App& program) {
  CLI::App* app = program.add_subcommand(
      "simulate", "replay a recorded run in the simulated device with other settings: what would it take?");
  auto options = std::make_shared<SimulateOptions>();
  app->add_option("--from", options->from, "timeline to take the stage times from")->required();
  app->add_option("--run", options->run, "last, or a number from 1");
  app->add_option("--set", options->assignments, "one setting, section.name=value");
  app->add_option("--sweep", options->sweep, "a prediction for each value: key=1..8 or key=1,2,4");
  app->add_option("-c", options->proofs, "proofs; without: as many as were recorded");
  app->add_option("-j", options->concurrency, "proofs in flight; without: as were recorded");
  app->add_option("--devices", options->devices, "devices; without: as were recorded");
  app->add_option("--partitions", options->partitions, "of each proof; without: as were recorded");
  app->add_option("--repeats", options->repeats, "replays of each point, with other draws");
  return [options](const Context& context) { return simulate(*options, context); };
}

}  // namespace cuzk::cli
