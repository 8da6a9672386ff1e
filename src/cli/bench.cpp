#include "cli/bench.hpp"

#include <sys/resource.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "cli/filecoin_keys.hpp"
#include "cli/outputs.hpp"
#include "cli/version.hpp"
#include "engine/filecoin/filecoin_circuit.hpp"

namespace cuzk::cli {

Json to_json(const timeline::Summary& s) {
  auto share = [](double v) { return v < 0 ? Json(nullptr) : Json(v); };
  Json stages = Json::object();
  for (const auto& f : s.stages)
    stages[f.stage] = {{"count", f.count},
                       {"mean_ms", f.mean_ms},
                       {"p50_ms", f.p50_ms},
                       {"p95_ms", f.p95_ms},
                       {"max_ms", f.max_ms}};
  return {{"wall_s", s.wall_s},
          {"proofs_done", s.jobs_done},
          {"proofs_failed", s.jobs_failed},
          {"proofs_cancelled", s.jobs_cancelled},
          {"retries", s.retries},
          {"s_per_proof", s.s_per_proof},
          {"ramp_up_s", s.ramp_up_s},
          {"steady_s_per_proof", s.steady_s_per_proof},
          {"drain_s", s.drain_s},
          {"utilisation",
           {{"device_busy", share(s.utilisation.device_busy)},
            {"interlock_held", share(s.utilisation.interlock_held)},
            {"worker_occupied", share(s.utilisation.worker_occupied)}}},
          {"stages", stages}};
}

namespace {

// The most that was resident so far, of the whole process.
uint64_t peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

// Without a timeline: what the jobs themselves say.
timeline::Summary count_jobs(const BenchTarget::Outcome& outcome, double wall_s) {
  timeline::Summary out;
  out.wall_s = wall_s;
  for (const auto& job : outcome.jobs)
    ++(job.state == engine::JobState::kDone     ? out.jobs_done
       : job.state == engine::JobState::kFailed ? out.jobs_failed
                                                : out.jobs_cancelled);
  if (out.jobs_done > 0) out.s_per_proof = wall_s / static_cast<double>(out.jobs_done);
  return out;
}

std::string count_text(const timeline::Summary& s) {
  char line[200];
  std::snprintf(
      line, sizeof line,
      "%zu proofs done, %zu failed, %zu cancelled in %.3f s, %.3f s/proof; nothing else was recorded\n",
      s.jobs_done, s.jobs_failed, s.jobs_cancelled, s.wall_s, s.s_per_proof);
  return line;
}

void print_point(const BenchPoint& point, const std::string& figures, const BenchTarget::Outcome& outcome,
                 const BenchTarget& target) {
  std::cout << "c=" << point.count << " j=" << point.concurrency << ": " << figures;
  std::cout << "memory reserved: peak " << (target.peak_memory_bytes() >> 20) << " MiB of a budget of "
            << (target.memory_budget_bytes() >> 20) << " MiB; resident: peak "
            << (peak_resident_bytes() >> 20) << " MiB\n";
  if (outcome.interrupted) {
    std::cout << "interrupted; every accepted job:\n";
    for (const auto& job : outcome.jobs)
      std::cout << "  " << engine::job_name(job.job) << " " << engine::job_state_name(job.state) << "\n";
  }
  std::cout << std::flush;
  if (!outcome.first_error.empty())
    std::cerr << "cuzk: first error: " << printable(outcome.first_error) << "\n";
}

void print_table(const std::vector<std::pair<BenchPoint, timeline::Summary>>& points) {
  std::printf("%6s %6s %10s %12s %10s %10s %10s\n", "c", "j", "s/proof", "steady", "busy %", "held %",
              "occupied %");
  auto percent = [](double v) { return v < 0 ? -1.0 : 100 * v; };
  for (const auto& [point, s] : points)
    std::printf("%6zu %6zu %10.3f %12.3f %10.1f %10.1f %10.1f\n", point.count, point.concurrency,
                s.s_per_proof, s.steady_s_per_proof, percent(s.utilisation.device_busy),
                percent(s.utilisation.interlock_held), percent(s.utilisation.worker_occupied));
}

Result<Settings> read_settings(const BenchOptions& options) {
  Settings settings;
  if (!options.config.empty()) CUZK_TRY(apply_toml_file(settings, options.config));
  for (const std::string& assignment : options.assignments) CUZK_TRY(apply_assignment(settings, assignment));
  return settings;
}

// The largest proofs of the network have 16.
constexpr uint32_t kMostPartitions = 4096;

// The timeline is written from the start of the run on: over an input it would be the end of that.
std::vector<std::string> input_files(const BenchOptions& options) {
  std::vector<std::string> files = options.witnesses;
  files.insert(files.end(), {options.config, options.key.folder, options.key.manifest});
  for (const auto& [name, prefix] : {std::pair(options.circuit, "r1cs:"), {options.device, "sim:"}})
    if (name.starts_with(prefix)) files.push_back(name.substr(std::string_view(prefix).size()));
  if (const auto id = engine::parse_engine_circuit(options.circuit))
    for (const std::string& file : files_of_key(options.key, *id)) files.push_back(file);
  return files;
}

Status check_options(const BenchOptions& options) {
  if (!engine::priority_from_name(options.priority))
    return invalid("--priority " + options.priority + ": expected critical, high, normal or low");
  if (options.circuit.empty() && !options.device.starts_with("sim:"))
    return invalid("bench: --circuit is needed");
  if (options.partitions == 0 || options.partitions > kMostPartitions)
    return invalid("--partitions: from 1 to " + std::to_string(kMostPartitions));
  if (options.partitions != 1 && engine::parse_engine_circuit(options.circuit))
    return invalid("--partitions: a proof of " + options.circuit +
                   " has as many as the network's: leave it out");
  if (!options.witnesses.empty() && !options.circuit.starts_with("r1cs:"))
    return invalid("--witness: only an r1cs: circuit reads it: leave it out");
  for (size_t n : options.counts)
    if (n == 0) return invalid("-c: at least 1 proof");
  for (size_t n : options.concurrencies)
    if (n == 0) return invalid("-j: at least 1 at a time");
  return check_outputs({options.timeline}, input_files(options));
}

Result<ExitStatus> bench(const BenchOptions& options, bool in_turns, const Context& context) {
  CUZK_TRY(check_options(options));
  CUZK_ASSIGN(Settings settings, read_settings(options));
  // Taken by wait_for_interrupt(); blocked here so that every thread made from now on inherits it.
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);

  if (!settings.record && (!options.timeline.empty() || options.device.starts_with("sim:")))
    return invalid(
        "timeline.record=false leaves nothing to write by --timeline, and nothing to say of a simulated "
        "device");
  if (in_turns) return ablate(options, settings, context);
  KeptTimeline kept;
  CUZK_ASSIGN(auto target, make_target(options, settings, context.threads, kept));
  std::vector<std::pair<BenchPoint, timeline::Summary>> points;
  Json json = Json::array();
  bool all_done = true, interrupted = false;
  for (size_t count : options.counts)
    for (size_t concurrency : options.concurrencies) {
      if (interrupted) break;
      BenchPoint point{count, concurrency};
      const auto begin = std::chrono::steady_clock::now();
      CUZK_ASSIGN(auto outcome, target->run(point));
      interrupted = outcome.interrupted;
      const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
      const auto summary = settings.record ? kept.last_run() : count_jobs(outcome, wall.count());
      all_done &= summary.jobs_done == count;
      points.emplace_back(point, summary);
      if (context.json) {
        Json entry = to_json(summary);
        if (!settings.record)  // not measured is not zero
          for (const char* name : {"retries", "ramp_up_s", "steady_s_per_proof", "drain_s"})
            entry[name] = nullptr;
        entry["c"] = count;
        entry["j"] = concurrency;
        entry["interrupted"] = interrupted;
        entry["peak_reserved_bytes"] = target->peak_memory_bytes();
        entry["peak_resident_bytes"] = peak_resident_bytes();
        entry["jobs"] = Json::array();
        for (const auto& job : outcome.jobs)
          entry["jobs"].push_back(
              {{"job", engine::job_name(job.job)}, {"state", engine::job_state_name(job.state)}});
        if (!outcome.first_error.empty()) entry["first_error"] = outcome.first_error;
        json.push_back(entry);
      } else {
        print_point(point, settings.record ? timeline::to_text(summary) : count_text(summary), outcome,
                    *target);
      }
    }
  if (context.json) print_json(json);
  if (!context.json && points.size() > 1) print_table(points);
  if (interrupted) {
    // Everything is reported and written. A key that is being loaded, or a device's last proof, would be
    // waited for by the engine's destructor, maybe for minutes.
    std::fflush(nullptr);
    std::cout.flush();
    std::_Exit(kAnswerIsNo);
  }
  return all_done ? kDone : kAnswerIsNo;
}

void add_options(CLI::App* app, const std::shared_ptr<BenchOptions>& options) {
  app->add_option("--circuit", options->circuit,
                  "r1cs:FILE (with --params and --witness), synthetic:LOG2SIZE[:bits=SHARE][:work=TIMES], or "
                  "one of Filecoin's, as "
                  "porep-2k (with --params DIR; proves a made-up input)");
  app->add_option(
      "--params", options->key.folder,
      "proving key of an r1cs: circuit, or folder of Filecoin's keys (default: the environment's " +
          std::string(kKeyFolderVariable) + ")");
  add_key_rules(app, options->key);
  app->add_option("--witness", options->witnesses,
                  "witness of an r1cs: circuit; partition i takes number i mod their count");
  app->add_option("--partitions", options->partitions, "partitions a proof");
  app->add_option("-c", options->counts, "proofs")->delimiter(',');
  app->add_option("-j", options->concurrencies, "proofs in flight")->delimiter(',');
  app->add_option("--device", options->device,
                  "cpu, cuda, cuda:N, or sim:FILE: a simulated device, which makes no proofs");
  app->add_option("--priority", options->priority, "critical, high, normal or low");
  app->add_option("--config", options->config, "settings, TOML (docs/configuration.md)");
  app->add_option("--set", options->assignments, "one setting, section.name=value; after the file");
  app->add_option("--timeline", options->timeline, "write the timeline here (CSV)");
}

// While it lives, an interrupt ends the process at once: before a proof is accepted there is nothing to
// report, but making a circuit, its key or an input can take minutes.
class InterruptEndsProcess {
 private:
  std::jthread thread_{[](const std::stop_token& stop) {
    while (!stop.stop_requested()) {
      if (!wait_for_interrupt(std::chrono::milliseconds(20))) continue;
      std::fputs("interrupted before a proof was accepted\n", stderr);
      std::_Exit(kAnswerIsNo);
    }
  }};
};

}  // namespace

Result<std::unique_ptr<BenchTarget>> make_target(const BenchOptions& options, const Settings& settings,
                                                 size_t threads, KeptTimeline& kept) {
  const InterruptEndsProcess early;
  std::unique_ptr<timeline::Sink> file;
  if (!options.timeline.empty()) {
    CUZK_ASSIGN(file, timeline::open_csv(options.timeline,
                                         timeline::make_header(version_text(), describe_changes(settings))));
  }
  auto sink = std::make_unique<BenchSink>(std::move(file), kept);
  if (options.device.starts_with("sim:")) return make_simulated_target(options, settings, std::move(sink));
  return make_engine_target(options, settings, std::move(sink), threads);
}

Command add_bench(CLI::App& program) {
  CLI::App* app = program.add_subcommand("bench", "measure whole runs through the engine");
  auto options = std::make_shared<BenchOptions>();
  app->require_subcommand(1);
  app->fallthrough();
  add_options(app->add_subcommand("run", "one point: -c proofs, -j in flight")->fallthrough(), options);
  add_options(app->add_subcommand("sweep", "every combination of the -c and -j given")->fallthrough(),
              options);
  CLI::App* turns = app->add_subcommand(
      "ablate", "interference controls, each alone and in pairs, against a baseline without any");
  add_options(turns->fallthrough(), options);
  turns->add_option("--repeats", options->repeats, "runs of each, in turns");
  turns->add_flag("--alone", options->alone, "no pairs");
  return [options, turns](const Context& context) {
    if (engine::parse_engine_circuit(options->circuit)) read_environment(options->key);
    return bench(*options, turns->parsed(), context);
  };
}

}  // namespace cuzk::cli
