#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <queue>

#include "base/random.hpp"
#include "corpus.hpp"
#include "timeline/csv.hpp"

namespace cuzk::golden {

using timeline::Event;
using timeline::EventKind;

namespace {

struct Line {
  int64_t ms;
  std::string text;  // from TIMELINE on
};

std::string timeline_line(int64_t ms, const char* event, const std::string& job, const std::string& detail) {
  return "TIMELINE," + std::to_string(ms) + "," + event + "," + job + "," + detail;
}

// What journald shows of a daemon's standard error, other lines in between.
std::string with_prefixes(const std::vector<Line>& lines, TestRandom& random) {
  std::string out = "-- Journal begins at Sun 2026-11-29 15:00:00 UTC. --\n";
  for (const Line& line : lines) {
    const int64_t s = line.ms / 1000;
    char prefix[80];
    std::snprintf(prefix, sizeof prefix,
                  "Nov 29 %02d:%02d:%02d prover1 cuzk-daemon[4711]: ", static_cast<int>(16 + s / 3600),
                  static_cast<int>(s / 60 % 60), static_cast<int>(s % 60));
    if (random.next() % 3 == 0) out += std::string(prefix) + "INFO pinned pool: checkout (reuse)\n";
    if (random.next() % 7 == 0)
      out += std::string(prefix) + "CUZK_TIMING: pre_lock_cpu_ms=" + std::to_string(random.next() % 40) +
             " mutex_wait_ms=" + std::to_string(900 + random.next() % 400) + "\n";
    out += prefix + line.text + "\n";
  }
  return out;
}

std::string job_name(TestRandom& random) {
  return "porep-1000-" + std::to_string(100 + random.next() % 100000);
}

}  // namespace

std::string to_reference_log(const std::vector<Event>& events, uint64_t seed) {
  TestRandom random(seed ^ 0x5eed);
  std::map<std::string, std::string> names;
  std::map<std::pair<std::string, int32_t>, std::pair<int64_t, std::string>> asked;
  std::map<std::string, size_t> workers;
  std::vector<Line> lines;
  for (const Event& e : events) {
    if (e.job.empty() || e.partition < 0) continue;
    auto [it, fresh] = names.try_emplace(e.job);
    while (fresh) {
      it->second = job_name(random);
      fresh = std::count_if(names.begin(), names.end(),
                            [&](const auto& n) { return n.second == it->second; }) > 1;
    }
    const std::string& job = it->second;
    const int64_t ms = e.time_ns / 1'000'000;
    const std::string partition = "partition=" + std::to_string(e.partition);
    auto add = [&](const char* event, const std::string& detail) {
      lines.push_back({ms, timeline_line(ms, event, job, detail)});
    };
    const auto key = std::make_pair(e.job, e.partition);
    switch (e.kind) {
      case EventKind::kSynthStart:
        add("SYNTH_START", partition);
        break;
      case EventKind::kSynthEnd:
        add("SYNTH_END", partition + ",synth_ms=" + std::to_string(e.duration_ns / 1'000'000));
        break;
      case EventKind::kDeviceQueue:
        add("GPU_QUEUE", partition);
        break;
      case EventKind::kDevicePickup: {
        const size_t number = workers.try_emplace(e.worker, workers.size()).first->second;
        const std::string worker = "worker=" + std::to_string(number) + "," + partition;
        add("GPU_PICKUP", worker);
        add("GPU_START", worker);
        asked[key] = {ms, worker};
        break;
      }
      case EventKind::kTailEnd: {
        const auto& [since, worker] = asked[key];
        add("GPU_END", worker + ",gpu_ms=" + std::to_string(ms - since));
        break;
      }
      default:
        break;
    }
  }
  return with_prefixes(lines, random);
}

Case make_reference_log(uint64_t seed, bool prefixes) {
  TestRandom random(seed);
  auto uniform = [&](double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(random.next() >> 11) * 0x1p-53;
  };
  Case out;
  out.truth.kind = "reference_log";
  constexpr size_t kWorkers = 2, kSynthesisers = 10, kPartitions = 10;
  std::vector<Line> lines;
  double now = 1000 + uniform(0, 4000);  // ms
  const size_t lost_run = random.next() % 4;
  const size_t lost_at = 1 + random.next() % 4;
  size_t run = 0;
  for (size_t proofs : {5, 10, 15, 20}) {
    const double begin = now;
    struct Work {
      std::string job;
      int32_t partition;
      double ready;
    };
    std::vector<double> synthesiser(kSynthesisers, begin), worker(kWorkers, begin);
    // Proofs in flight grow with the run: all of the five, fifteen of the twenty.
    const double load = static_cast<double>(std::min<size_t>(proofs, 15));
    const double span_ms = 5000 + 1000 * (load - 5) / 10, synth_ms = 36000 + 600 * (load - 5);
    double end = begin;
    for (size_t j = 0; j < proofs; ++j) {
      const std::string job = job_name(random) + std::to_string(run) + std::to_string(j);
      if (run == lost_run && j == lost_at) {
        out.truth.lost_job = job;
        out.truth.lost_partition = static_cast<int32_t>(random.next() % kPartitions);
      }
      for (int32_t i = 0; i < static_cast<int32_t>(kPartitions); ++i) {
        const std::string partition = "partition=" + std::to_string(i);
        auto slot = std::min_element(synthesiser.begin(), synthesiser.end());
        const double from = *slot, took = synth_ms * uniform(0.93, 1.07);
        const double ready = from + took;
        *slot = ready + uniform(1, 5);
        auto add = [&](double at, const char* event, const std::string& detail) {
          lines.push_back(
              {static_cast<int64_t>(at), timeline_line(static_cast<int64_t>(at), event, job, detail)});
        };
        add(from, "SYNTH_START", partition);
        add(ready, "SYNTH_END", partition + ",synth_ms=" + std::to_string(static_cast<int64_t>(took)));
        if (job == out.truth.lost_job && i == out.truth.lost_partition) continue;
        add(ready, "GPU_QUEUE", partition);
        auto free = std::min_element(worker.begin(), worker.end());
        const double start = std::max(*free, ready + uniform(0, 3)), span = span_ms * uniform(0.95, 1.05);
        const std::string who = "worker=" + std::to_string(free - worker.begin()) + "," + partition;
        *free = start + span + uniform(5, 30);
        end = std::max(end, start + span);
        add(start, "GPU_PICKUP", who);
        add(start, "GPU_START", who);
        add(start + span, "GPU_END", who + ",gpu_ms=" + std::to_string(static_cast<int64_t>(span)));
      }
    }
    now = end + uniform(2100, 9900);
    ++run;
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) { return a.ms < b.ms; });
  if (prefixes) {
    out.text = with_prefixes(lines, random);
  } else {
    for (const Line& line : lines) out.text += line.text + "\n";
  }
  return out;
}

void write_large(const std::string& path, uint64_t events, uint64_t seed) {
  std::ofstream file(path, std::ios::binary);
  TestRandom random(seed);
  file << timeline::format_header({"2026-11-29T16:00:00.000Z", "golden", "generated", ""});
  // One device, two workers, ten partitions a job: fifteen events a partition.
  int64_t now = 0;
  uint64_t written = 0;
  std::string block;
  for (uint64_t job = 1; written < events; ++job) {
    const std::string name = "job-" + std::to_string(job);
    auto add = [&](int64_t at, EventKind kind, int64_t duration, const char* worker, int32_t partition,
                   int32_t device, const char* detail) {
      block += timeline::format_event({at, duration, kind, name, worker, partition, device, detail});
      ++written;
    };
    add(now, EventKind::kJobAccepted, -1, "scheduler", -1, -1, "kind=c;priority=normal;partitions=10");
    int64_t last = now;
    for (int32_t p = 0; p < 10; ++p) {
      const int64_t held = 1'900'000 + static_cast<int64_t>(random.next() % 200'000);
      const char* worker = p % 2 == 0 ? "gpu0.0" : "gpu0.1";
      const int64_t taken = now + held / 50;
      add(now - 9'000'000, EventKind::kSynthStart, -1, "synth0", p, -1, "");
      add(now - 1'000'000, EventKind::kSynthEnd, 8'000'000, "synth0", p, -1, "");
      add(now - 999'000, EventKind::kDeviceQueue, -1, "synth0", p, -1, "");
      add(now - 900'000, EventKind::kDevicePickup, -1, worker, p, 0, "");
      add(now - 300'000, EventKind::kPrepareEnd, 600'000, worker, p, 0, "");
      add(now - 299'000, EventKind::kDeviceStart, -1, worker, p, 0, "");
      add(taken, EventKind::kLockTaken, taken - now + 299'000, worker, p, 0, "");
      add(taken + held / 3, EventKind::kDeviceBusy, held / 3, worker, p, 0, "op=transfer_to");
      add(taken + held / 2, EventKind::kDeviceBusy, held / 6, worker, p, 0, "op=ntt");
      add(taken + held, EventKind::kDeviceBusy, held / 2, worker, p, 0, "op=msm");
      add(taken + held, EventKind::kLockReleased, held, worker, p, 0, "");
      add(taken + held, EventKind::kDeviceEnd, held + taken - now + 299'000, worker, p, 0, "");
      add(taken + held + 200'000, EventKind::kCheckEnd, 200'000, "finish0", p, -1, "");
      now = last = taken + held;
    }
    add(last + 300'000, EventKind::kJobDone, 20'000'000, "scheduler", -1, -1, "");
    if (block.size() > 1 << 20) {
      file << block;
      block.clear();
    }
  }
  file << block;
}

}  // namespace cuzk::golden
