#include "timeline/waterfall.hpp"

#include <algorithm>
#include <charconv>
#include <map>

namespace cuzk::timeline {

namespace {

// Tracks in the order in which a reader wants them.
enum class Group : uint8_t { kDevice, kDeviceWorker, kFinisher, kSynthesis, kKeys, kMemory };
const char* group_name(Group group) {
  constexpr const char* kNames[] = {"devices", "device workers", "finishers", "synthesis", "keys", "memory"};
  return kNames[static_cast<size_t>(group)];
}

struct TrackKey {
  Group group;
  std::string name;
  // synth2 before synth10.
  bool operator<(const TrackKey& o) const {
    size_t digits = name.find_last_not_of("0123456789") + 1,
           other = o.name.find_last_not_of("0123456789") + 1;
    return std::make_tuple(group, name.substr(0, digits), name.size(), name) <
           std::make_tuple(o.group, o.name.substr(0, other), o.name.size(), o.name);
  }
};

struct Placement {
  Group group;
  SpanKind kind;
};

// Where an event that ends a span is drawn.
std::optional<Placement> placement(EventKind kind, bool foreign) {
  switch (kind) {
    case EventKind::kSynthEnd:
      return Placement{Group::kSynthesis, SpanKind::kSynthesis};
    case EventKind::kPrepareEnd:
      return Placement{Group::kDeviceWorker, SpanKind::kPrepare};
    case EventKind::kLockTaken:
      return Placement{Group::kDeviceWorker, SpanKind::kLockWait};
    case EventKind::kLockReleased:
      return Placement{Group::kDeviceWorker, SpanKind::kDevice};
    case EventKind::kDeviceEnd:
      if (foreign) return Placement{Group::kDeviceWorker, SpanKind::kDevice};
      return std::nullopt;  // lock wait and device region say it more exactly
    case EventKind::kDeviceBusy:
      return Placement{Group::kDevice, SpanKind::kBusy};
    case EventKind::kTailEnd:
    case EventKind::kAssembleEnd:
      return Placement{Group::kFinisher, SpanKind::kTail};
    case EventKind::kCheckEnd:
      return Placement{Group::kFinisher, SpanKind::kCheck};
    case EventKind::kKeyLoadEnd:
      return Placement{Group::kKeys, SpanKind::kKeyLoad};
    case EventKind::kMemoryWaitEnd:
      return Placement{Group::kMemory, SpanKind::kMemoryWait};
    case EventKind::kThrottleEnd:
      return Placement{Group::kSynthesis, SpanKind::kThrottle};
    default:
      return std::nullopt;
  }
}

std::string span_label(const Timeline& timeline, const Entry& entry) {
  std::string label(timeline.job(entry));
  if (entry.partition >= 0) label += " p" + std::to_string(entry.partition);
  auto detail = timeline.detail(entry);
  if (auto op = detail_value(detail, "op")) label += " " + std::string(*op);
  if (auto key = detail_value(detail, "key"))
    label += std::string(label.empty() ? "" : " ") + std::string(*key);
  return label;
}

std::string track_name(const Timeline& timeline, const Entry& entry, Group group) {
  switch (group) {
    case Group::kDevice:
      return "device " + std::to_string(std::max(entry.device, 0));
    case Group::kKeys:
      return "keys";
    case Group::kMemory:
      return "memory wait";
    default:
      return std::string(timeline.worker(entry));
  }
}

// Spans without a worker (foreign synthesis) go into the first lane where nothing overlaps.
void spread_into_lanes(std::map<TrackKey, Track>& tracks) {
  auto nameless = tracks.find({Group::kSynthesis, ""});
  if (nameless == tracks.end()) return;
  std::vector<Span> spans = std::move(nameless->second.spans);
  tracks.erase(nameless);
  std::sort(spans.begin(), spans.end(), [](const Span& a, const Span& b) { return a.begin_ns < b.begin_ns; });
  std::vector<int64_t> lane_end;
  for (Span& span : spans) {
    size_t lane = 0;
    while (lane < lane_end.size() && lane_end[lane] > span.begin_ns) ++lane;
    if (lane == lane_end.size()) lane_end.push_back(0);
    lane_end[lane] = span.end_ns;
    std::string number = std::to_string(lane);
    std::string name = "synth" + std::string(3 - std::min<size_t>(3, number.size()), '0') + number;
    Track& track = tracks[{Group::kSynthesis, name}];
    track.name = name;
    track.spans.push_back(std::move(span));
  }
}

WorkerGaps gaps_of(const Track& track) {
  WorkerGaps out{track.name, 0, {}};
  int64_t free_since = 0;
  for (const Span& span : track.spans) {
    if (span.kind != SpanKind::kDevice) continue;
    if (out.regions++ > 0 && span.begin_ns > free_since)
      out.gaps.push_back({track.name, free_since, span.begin_ns, span.job, span.partition});
    free_since = std::max(free_since, span.end_ns);
  }
  return out;
}

}  // namespace

int64_t WorkerGaps::total_ns() const {
  int64_t sum = 0;
  for (const Gap& gap : gaps) sum += gap.duration_ns();
  return sum;
}

int64_t WorkerGaps::longest_ns() const {
  int64_t most = 0;
  for (const Gap& gap : gaps) most = std::max(most, gap.duration_ns());
  return most;
}

const char* span_kind_name(SpanKind kind) {
  constexpr const char* kNames[] = {"synthesis", "prepare", "lock wait", "device",      "busy",
                                    "tail",      "check",   "key load",  "memory wait", "throttle"};
  return kNames[static_cast<size_t>(kind)];
}

std::vector<Run> find_runs(const Timeline& timeline) {
  std::vector<Run> runs;
  const auto& entries = timeline.entries;
  for (size_t i = 0; i < entries.size(); ++i) {
    if (entries[i].kind == EventKind::kBenchBegin) {
      runs.push_back({i, entries.size(), entries[i].time_ns, entries.back().time_ns,
                      std::string(timeline.detail(entries[i]))});
    } else if (entries[i].kind == EventKind::kBenchEnd && !runs.empty()) {
      runs.back().last = i + 1;
      runs.back().end_ns = entries[i].time_ns;
    }
  }
  for (size_t r = 0; r + 1 < runs.size(); ++r) {
    runs[r].last = std::min(runs[r].last, runs[r + 1].first);
    runs[r].end_ns = std::min(runs[r].end_ns, runs[r + 1].begin_ns);
  }
  if (runs.empty()) {
    int64_t begin = entries.front().begin_ns();
    for (const Entry& e : entries) begin = std::min(begin, e.begin_ns());
    runs.push_back({0, entries.size(), begin, entries.back().time_ns, ""});
  }
  return runs;
}

Result<std::vector<Run>> select_runs(const Timeline& timeline, const std::string& which) {
  auto runs = find_runs(timeline);
  if (which == "all") return runs;
  if (which == "last") return std::vector<Run>{runs.back()};
  size_t number = 0;
  auto [end, error] = std::from_chars(which.data(), which.data() + which.size(), number);
  if (error != std::errc() || end != which.data() + which.size() || number == 0 || number > runs.size())
    return invalid("--run " + which + ": expected last, all or a number from 1 to " +
                   std::to_string(runs.size()));
  return std::vector<Run>{runs[number - 1]};
}

Waterfall build_waterfall(const Timeline& timeline, const Run& run, const std::string& job) {
  Waterfall out;
  out.run = run;
  bool foreign = timeline.source == Source::kReferenceLog;
  out.upper_bound = foreign;
  std::map<TrackKey, Track> tracks;
  std::vector<bool> seen_job(timeline.jobs.size());
  for (size_t i = run.first; i < run.last; ++i) {
    const Entry& entry = timeline.entries[i];
    if (!job.empty() && timeline.job(entry) != job) continue;
    if (entry.job != NameTable::kNone && !seen_job[entry.job]) {
      seen_job[entry.job] = true;
      out.jobs.emplace_back(timeline.job(entry));
    }
    auto place = placement(entry.kind, foreign);
    if (!place || entry.duration_ns < 0) continue;
    std::string name = track_name(timeline, entry, place->group);
    Track& track = tracks[{place->group, name}];
    track.name = name;
    track.spans.push_back({entry.begin_ns(), entry.time_ns, place->kind, span_label(timeline, entry),
                           std::string(timeline.job(entry)), entry.partition});
  }
  spread_into_lanes(tracks);
  for (auto& [key, track] : tracks) {
    track.group = group_name(key.group);
    std::stable_sort(track.spans.begin(), track.spans.end(),
                     [](const Span& a, const Span& b) { return a.begin_ns < b.begin_ns; });
    if (key.group == Group::kDeviceWorker) out.gaps.push_back(gaps_of(track));
    out.tracks.push_back(std::move(track));
  }
  return out;
}

}  // namespace cuzk::timeline
