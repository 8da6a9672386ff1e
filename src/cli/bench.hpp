// Benchmarks of whole runs: one or several points (how many proofs, how many at once) through the engine, on
// real devices or on the simulated one.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/filecoin_keys.hpp"
#include "config/settings.hpp"
#include "engine/engine.hpp"
#include "timeline/reader.hpp"
#include "timeline/summary.hpp"

namespace cuzk::cli {

struct BenchOptions {
  std::string circuit, device = "cpu", timeline, config;
  KeyChoice key;  // of an r1cs: circuit the file
  std::vector<std::string> witnesses, assignments;
  uint32_t partitions = 1;
  std::vector<size_t> counts{1}, concurrencies{1};
  std::string priority = "normal";
  size_t repeats = 5;  // of ablate
  bool alone = false;  // ablate without pairs
};

struct BenchPoint {
  size_t count, concurrency;
};

// What was recorded, for the summary. Samples come at any time: read under the lock.
struct KeptTimeline {
  std::mutex mutex;
  timeline::Timeline events;

  timeline::Summary last_run() {
    std::lock_guard lock(mutex);
    events.sort();
    return timeline::summarise(events, timeline::find_runs(events).back());
  }
};

// Writes events to a file, if one is wanted, and keeps them.
class BenchSink final : public timeline::Sink {
 public:
  BenchSink(std::unique_ptr<timeline::Sink> file, KeptTimeline& kept) : file_(std::move(file)), kept_(kept) {}
  void write(const timeline::Event& event) override {
    if (file_) file_->write(event);
    std::lock_guard lock(kept_.mutex);
    kept_.events.add(event);
  }
  void flush() override {
    if (file_) file_->flush();
  }

 private:
  std::unique_ptr<timeline::Sink> file_;
  KeptTimeline& kept_;
};

// Something to run points on: it records BENCH_BEGIN and BENCH_END around each.
class BenchTarget {
 public:
  virtual ~BenchTarget() = default;
  // What the point's jobs came to; the first error, if any failed.
  struct Outcome {
    std::vector<engine::JobResult> jobs;
    std::string first_error;
    bool interrupted = false;
  };
  virtual Result<Outcome> run(const BenchPoint& point) = 0;
  virtual uint64_t peak_memory_bytes() const = 0;
  virtual uint64_t memory_budget_bytes() const = 0;
};

// recorder's sink is a BenchSink.
Result<std::unique_ptr<BenchTarget>> make_engine_target(const BenchOptions& options, const Settings& settings,
                                                        std::unique_ptr<BenchSink> sink, size_t threads);
Result<std::unique_ptr<BenchTarget>> make_simulated_target(const BenchOptions& options,
                                                           const Settings& settings,
                                                           std::unique_ptr<BenchSink> sink);

// The figures of a run.
Json to_json(const timeline::Summary& summary);

// The one that options.device names. What it records is also kept in `kept`.
Result<std::unique_ptr<BenchTarget>> make_target(const BenchOptions& options, const Settings& settings,
                                                 size_t threads, KeptTimeline& kept);

// Interference controls, each alone and in pairs, in interleaved repeats.
Result<ExitStatus> ablate(const BenchOptions& options, const Settings& settings, const Context& context);

engine::SchedulerConfig scheduler_config(const Settings& settings);

// Waits for SIGTERM or SIGINT, which must be blocked, for at most the time given. True if one came.
bool wait_for_interrupt(std::chrono::milliseconds time);

Command add_bench(CLI::App& program);
Command add_waterfall(CLI::App& program);

}  // namespace cuzk::cli
