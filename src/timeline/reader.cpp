#include "timeline/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>

namespace cuzk::timeline {

namespace {

// Lines longer than this are other programs' output.
constexpr size_t kMostLineBytes = 64 << 10;
constexpr int64_t kNsPerMs = 1'000'000;

template <class T>
bool parse_integer(std::string_view text, T& out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// "TIMELINE," at the start of the line or behind a blank, colon or bracket: not in the middle of a word.
size_t find_marker(std::string_view line) {
  constexpr std::string_view kMarker = "TIMELINE,";
  for (size_t at = line.find(kMarker); at != std::string_view::npos; at = line.find(kMarker, at + 1))
    if (at == 0 || std::strchr(" \t:]|>", line[at - 1]) != nullptr) return at + kMarker.size();
  return std::string_view::npos;
}

std::string_view next_field(std::string_view& rest) {
  size_t end = std::min(rest.find(','), rest.size());
  std::string_view field = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return field;
}

// The reference's k=v list: partition, worker and the duration have columns here, the others stay details.
bool take_reference_details(std::string_view rest, Event& event) {
  while (!rest.empty()) {
    std::string_view pair = next_field(rest);
    size_t eq = pair.find('=');
    std::string_view key = pair.substr(0, eq),
                     value = eq == std::string_view::npos ? "" : pair.substr(eq + 1);
    int64_t ms;
    if (key == "partition") {
      if (!parse_integer(value, event.partition) || event.partition < 0) return false;
    } else if (key == "worker") {
      event.worker = "gpu-worker" + std::string(value);
    } else if (key == "gpu_ms" || key == "synth_ms") {
      if (!parse_integer(value, ms) || ms < 0 || ms > INT64_MAX / kNsPerMs) return false;
      event.duration_ns = ms * kNsPerMs;
    } else if (!pair.empty()) {
      if (!event.detail.empty()) event.detail += ';';
      event.detail += pair;
    }
  }
  return true;
}

bool read_header_line(std::string_view line, Header& header) {
  auto value = [&](std::string_view key) -> std::optional<std::string> {
    std::string start = "# " + std::string(key) + ": ";
    if (!line.starts_with(start)) return std::nullopt;
    return std::string(line.substr(start.size()));
  };
  if (auto v = value("anchor")) return header.anchor = *v, true;
  if (auto v = value("host")) return header.host = *v, true;
  if (auto v = value("build")) return header.build = *v, true;
  if (auto v = value("config")) return header.config = *v, true;
  return false;
}

}  // namespace

uint32_t NameTable::intern(std::string_view name) {
  auto it = ids_.find(name);
  if (it != ids_.end()) return it->second;
  uint32_t id = static_cast<uint32_t>(names_.size());
  names_.emplace_back(name);
  ids_.emplace(names_.back(), id);
  return id;
}

void Timeline::add(const Event& event) {
  entries.push_back({event.time_ns, event.duration_ns, details_.size(),
                     static_cast<uint32_t>(event.detail.size()), jobs.intern(event.job),
                     workers.intern(event.worker), event.partition, event.device, event.kind});
  details_ += event.detail;
  ++quality.events;
}

void Timeline::sort() {
  int64_t latest = INT64_MIN;
  for (const Entry& entry : entries) {
    if (entry.time_ns < latest) ++quality.reordered;
    latest = std::max(latest, entry.time_ns);
  }
  if (quality.reordered > 0)
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.time_ns < b.time_ns; });
}

LineKind parse_reference_line(std::string_view line, Event& event) {
  size_t at = find_marker(line);
  if (at == std::string_view::npos) return LineKind::kOther;
  std::string_view rest = line.substr(at);
  while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.remove_suffix(1);
  event = Event{};
  int64_t ms;
  if (!parse_integer(next_field(rest), ms) || ms < 0 || ms > INT64_MAX / kNsPerMs)
    return LineKind::kMalformed;
  event.time_ns = ms * kNsPerMs;
  std::string_view name = next_field(rest);
  auto kind = event_from_name(name == "CHAN_SEND" ? "GPU_QUEUE" : name);
  if (!kind) return LineKind::kMalformed;
  event.kind = *kind;
  event.job = next_field(rest);
  if (event.job.empty() || !take_reference_details(rest, event)) return LineKind::kMalformed;
  return LineKind::kEvent;
}

Result<Timeline> read_timeline(std::istream& in, const std::string& name) {
  Timeline timeline;
  bool native = false;
  std::string line;
  Event event;
  while (std::getline(in, line)) {
    uint64_t number = ++timeline.quality.lines;
    if (number == 1 && line.starts_with("\xef\xbb\xbf")) line.erase(0, 3);
    if (line.size() > kMostLineBytes) {
      ++timeline.quality.ignored;
    } else if (line.starts_with(kCsvVersion)) {
      native = true;
      ++timeline.quality.ignored;
    } else if (native) {
      if (line.starts_with('#') || line.empty() || line.starts_with(kCsvColumns)) {
        read_header_line(line, timeline.header);
        ++timeline.quality.ignored;
      } else if (auto parsed = parse_event(line)) {
        timeline.add(*parsed);
      } else {
        ++timeline.quality.malformed;
      }
    } else {
      switch (parse_reference_line(line, event)) {
        case LineKind::kEvent:
          timeline.add(event);
          break;
        case LineKind::kMalformed:
          ++timeline.quality.malformed;
          break;
        case LineKind::kOther:
          ++timeline.quality.ignored;
          break;
      }
    }
  }
  if (in.bad()) return fail(ErrorCode::kIo, name + ": reading failed");
  if (timeline.entries.empty())
    return invalid(name + ": no timeline events in " + std::to_string(timeline.quality.lines) + " lines (" +
                   std::to_string(timeline.quality.malformed) +
                   " malformed); expected a file that begins with '" + std::string(kCsvVersion) +
                   "' or a log with TIMELINE,<ms>,<event>,<job>,… lines");
  timeline.source = native ? Source::kCuzk : Source::kReferenceLog;
  timeline.sort();
  return timeline;
}

Result<Timeline> read_timeline(const std::string& path) {
  if (path == "-") return read_timeline(std::cin, "standard input");
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::kNotFound, path + ": cannot open: " + std::strerror(errno));
  return read_timeline(file, path);
}

}  // namespace cuzk::timeline
