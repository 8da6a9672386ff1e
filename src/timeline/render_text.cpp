#include <algorithm>
#include <cstdio>

#include "timeline/waterfall.hpp"

namespace cuzk::timeline {

namespace {

std::string fixed(double value, int places, int width = 0) {
  char text[48];
  std::snprintf(text, sizeof text, "%*.*f", width, places, value);
  return text;
}
double ms(int64_t ns) {
  return static_cast<double>(ns) / 1e6;
}

std::string padded(std::string_view text, size_t width) {
  std::string out(text.substr(0, width));
  out.resize(width, ' ');
  return out;
}

// What a column of a bar shows, by the span that covers most of it.
char glyph(SpanKind kind) {
  switch (kind) {
    case SpanKind::kSynthesis:
      return 's';
    case SpanKind::kPrepare:
      return 'p';
    case SpanKind::kLockWait:
      return '~';
    case SpanKind::kDevice:
      return 'D';
    case SpanKind::kBusy:
      return '#';
    case SpanKind::kTail:
      return 't';
    case SpanKind::kCheck:
      return 'c';
    case SpanKind::kKeyLoad:
      return 'k';
    case SpanKind::kMemoryWait:
      return 'm';
    case SpanKind::kThrottle:
      return 'y';
  }
  return '?';
}

std::string bar(const Track& track, const Run& run, size_t width) {
  double total = static_cast<double>(std::max<int64_t>(run.end_ns - run.begin_ns, 1));
  std::vector<double> most(width, 0.0);
  std::string out(width, '.');
  for (const Span& span : track.spans) {
    double from = static_cast<double>(span.begin_ns - run.begin_ns) / total * static_cast<double>(width);
    double to = static_cast<double>(span.end_ns - run.begin_ns) / total * static_cast<double>(width);
    from = std::max(from, 0.0);
    for (size_t c = static_cast<size_t>(from); c < width && static_cast<double>(c) < to; ++c) {
      double column = static_cast<double>(c);
      double covered = std::min(to, column + 1) - std::max(from, column);
      if (covered > most[c]) {
        most[c] = covered;
        out[c] = glyph(span.kind);
      }
    }
  }
  return out;
}

double busy_share(const Track& track, const Run& run) {
  int64_t sum = 0, end = run.begin_ns;
  for (const Span& span :
       track.spans) {  // the union: spans of one track may overlap (lock wait within prepare)
    int64_t from = std::max(span.begin_ns, end);
    if (span.end_ns > from) sum += span.end_ns - from;
    end = std::max(end, span.end_ns);
  }
  return static_cast<double>(sum) / static_cast<double>(std::max<int64_t>(run.end_ns - run.begin_ns, 1));
}

std::string table(const Timeline& timeline, const Run& run, const std::string& job) {
  std::string out = "      time s  event              job              worker       part  device ms\n";
  for (size_t i = run.first; i < run.last; ++i) {
    const Entry& e = timeline.entries[i];
    if (e.kind == EventKind::kSampleHost || e.kind == EventKind::kSampleDevice) continue;
    if (!job.empty() && timeline.job(e) != job) continue;
    bool device = e.kind == EventKind::kLockReleased || e.kind == EventKind::kDeviceEnd ||
                  e.kind == EventKind::kDeviceBusy;
    out += fixed(ms(e.time_ns - run.begin_ns) / 1e3, 3, 12) + "  " + padded(event_name(e.kind), 18) + " " +
           padded(timeline.job(e), 16) + " " + padded(timeline.worker(e), 12) + " " +
           padded(e.partition >= 0 ? std::to_string(e.partition) : "", 5) +
           (device && e.duration_ns >= 0 ? fixed(ms(e.duration_ns), 1, 10) : "");
    while (out.back() == ' ') out.pop_back();
    out += '\n';
  }
  return out;
}

std::string gap_lines(const WorkerGaps& worker, const Run& run, int64_t threshold) {
  std::string out = "  " + worker.worker + ": " + std::to_string(worker.regions) + " device regions, " +
                    std::to_string(worker.gaps.size()) + " gaps";
  if (worker.gaps.empty()) return out + "\n";
  out += ", average " + fixed(ms(worker.total_ns()) / static_cast<double>(worker.gaps.size()), 1) +
         " ms, longest " + fixed(ms(worker.longest_ns()), 1) + " ms\n";
  for (const Gap& gap : worker.gaps) {
    if (gap.duration_ns() <= threshold) continue;
    out += "    " + fixed(ms(gap.begin_ns - run.begin_ns) / 1e3, 3) + " s to " +
           fixed(ms(gap.end_ns - run.begin_ns) / 1e3, 3) + " s: " + fixed(ms(gap.duration_ns()), 0) +
           " ms before " + gap.next_job +
           (gap.next_partition >= 0 ? " p" + std::to_string(gap.next_partition) : "") + " <<<\n";
  }
  return out;
}

}  // namespace

std::string render_text(const Timeline& timeline, const Waterfall& waterfall, const std::string& job,
                        const TextOptions& options) {
  const Run& run = waterfall.run;
  std::string out = "run of " + fixed(ms(run.end_ns - run.begin_ns) / 1e3, 3) + " s, " +
                    std::to_string(waterfall.jobs.size()) + " jobs, " + std::to_string(run.last - run.first) +
                    " events";
  if (!run.parameters.empty()) out += " (" + run.parameters + ")";
  out += "\n\n";
  if (options.table) out += table(timeline, run, job) + "\n";
  size_t name_width = 8;
  for (const Track& track : waterfall.tracks) name_width = std::max(name_width, track.name.size());
  name_width = std::min<size_t>(name_width, 20);
  for (const Track& track : waterfall.tracks)
    out += padded(track.name, name_width) + " |" + bar(track, run, options.width) + "| " +
           fixed(100 * busy_share(track, run), 1, 5) + " %\n";
  out +=
      "\n# device busy  D holds device  ~ waits for device  p prepare  s synthesis  t tail  c check  k key "
      "load\n\n";
  out +=
      waterfall.upper_bound
          ? "gaps between device regions (this log has worker spans only: waiting counts as device time, so\n"
            "shares are upper bounds and gaps lower bounds)\n"
          : "gaps between device regions\n";
  for (const WorkerGaps& worker : waterfall.gaps) out += gap_lines(worker, run, options.gap_ns);
  return out;
}

}  // namespace cuzk::timeline
