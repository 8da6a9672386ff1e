// A timeline as tracks of spans: what each device and worker did when. Rendered as text, as a page and as a
// trace.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "timeline/reader.hpp"

namespace cuzk::timeline {

// A stretch of a timeline with its own work. Source of the bounds: the bench markers; without any, the whole
// timeline.
struct Run {
  size_t first, last;  // entries [first, last)
  int64_t begin_ns, end_ns;
  std::string parameters;
};
std::vector<Run> find_runs(const Timeline& timeline);

// "all", "last" or a number from 1. Errors: kInvalidInput, with the number of runs there are.
Result<std::vector<Run>> select_runs(const Timeline& timeline, const std::string& which);

enum class SpanKind : uint8_t {
  kSynthesis,
  kPrepare,
  kLockWait,
  kDevice,
  kBusy,
  kTail,
  kCheck,
  kKeyLoad,
  kMemoryWait,
  kThrottle
};
const char* span_kind_name(SpanKind kind);

struct Span {
  int64_t begin_ns, end_ns;
  SpanKind kind;
  std::string label;  // job, partition, operation
  std::string job;
  int32_t partition;
  int64_t duration_ns() const { return end_ns - begin_ns; }
};

struct Track {
  std::string name;
  std::vector<Span> spans;  // ascending in begin
  std::string group;        // "devices", "device workers", "synthesis", …
};

// Between two device regions of one worker.
struct Gap {
  std::string worker;
  int64_t begin_ns, end_ns;
  std::string next_job;
  int32_t next_partition;
  int64_t duration_ns() const { return end_ns - begin_ns; }
};

struct WorkerGaps {
  std::string worker;
  size_t regions = 0;
  std::vector<Gap> gaps;
  int64_t total_ns() const;
  int64_t longest_ns() const;
};

struct Waterfall {
  Run run;
  bool upper_bound = false;  // a foreign log: device regions are worker spans, waiting included
  // Devices first, then device workers, finishers, synthesis, keys, memory.
  std::vector<Track> tracks;
  std::vector<WorkerGaps> gaps;
  std::vector<std::string> jobs;
};

// job: only this job's spans; empty: all.
Waterfall build_waterfall(const Timeline& timeline, const Run& run, const std::string& job = {});

struct TextOptions {
  size_t width = 100;              // columns of the bars
  int64_t gap_ns = 1'000'000'000;  // gaps over it are marked <<<
  bool table = true;
};
// The event table, a bar a track, and the gaps of each device worker.
std::string render_text(const Timeline& timeline, const Waterfall& waterfall, const std::string& job,
                        const TextOptions& options);

// One page without outside parts: a zoomable SVG with all tracks on one time axis, and samples where there
// are any.
std::string render_html(const Timeline& timeline, const std::vector<Waterfall>& waterfalls);

// Trace Event Format (Chromium), which ui.perfetto.dev opens: the spans as slices, samples and reserved
// memory as counters.
std::string render_trace(const Timeline& timeline, const std::vector<Waterfall>& waterfalls);

}  // namespace cuzk::timeline
