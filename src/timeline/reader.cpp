#include "timeline/reader.hpp"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>

namespace cuzk::timeline {

namespace {

// Lines longer than this are other programs' output.
constexpr size_t kMostLineBytes = 64 << 10;
constexpr int64_t kNsPerMs = 1'000'000;
constexpr int64_t kMostMs = 1'000'000'000'000;  // 31 years, as in csv.cpp
constexpr size_t kRecentDetails = 1 << 14;
// A clock that falls by this much, for this many events, began anew.
constexpr int64_t kRestartFallNs = 5'000'000'000;
constexpr size_t kRestartEvents = 24;
constexpr int64_t kUnknownPauseNs = 60'000'000'000;  // between two clocks whose distance is not known

template <class T>
bool parse_integer(std::string_view text, T& out) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

// "…ESC[33m"
bool ends_colour(std::string_view text) {
  size_t escape = text.rfind('\x1b');
  return escape != std::string_view::npos && text.back() == 'm' &&
         text.find_first_not_of("[;0123456789", escape + 1) == text.size() - 1;
}

// "TIMELINE," at the start of the line or behind a blank, colon or bracket, or a terminal's colour sequence:
// not in the middle of a word.
size_t find_marker(std::string_view line) {
  constexpr std::string_view kMarker = "TIMELINE,";
  for (size_t at = line.find(kMarker); at != std::string_view::npos; at = line.find(kMarker, at + 1))
    if (at == 0 || std::strchr(" \t:]|>", line[at - 1]) != nullptr || ends_colour(line.substr(0, at)))
      return at + kMarker.size();
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
      if (!parse_integer(value, ms) || ms < 0 || ms > kMostMs) return false;
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

// "2026-11-29T16:00:00.123Z" as nanoseconds since 1970.
std::optional<int64_t> parse_anchor(const std::string& text) {
  std::tm utc{};
  const char* rest = strptime(text.c_str(), "%Y-%m-%dT%H:%M:%S", &utc);
  if (rest == nullptr) return std::nullopt;
  int ms = 0;
  if (*rest == '.') std::from_chars(rest + 1, text.c_str() + text.size(), ms);
  const int64_t seconds = timegm(&utc);
  if (seconds < 0 || seconds > 1ll << 33 || ms < 0 || ms > 999) return std::nullopt;
  return seconds * 1'000'000'000 + ms * kNsPerMs;
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
  Entry times{};
  times.time_ns = event.time_ns;
  times.duration_ns = event.duration_ns;
  times.partition = event.partition;
  times.device = event.device;
  times.kind = event.kind;
  add(times, event.job, event.worker, event.detail);
}

void Timeline::add(const Entry& times, std::string_view job, std::string_view worker,
                   std::string_view detail) {
  Entry entry = times;
  entry.job = jobs.intern(job);
  entry.worker = workers.intern(worker);
  entry.detail_size = static_cast<uint32_t>(detail.size());
  entry.detail_at = details_.size();
  if (!detail.empty()) {
    recent_details_.resize(kRecentDetails);
    auto& [at, size] = recent_details_[std::hash<std::string_view>{}(detail) % kRecentDetails];
    if (size == detail.size() && std::string_view(details_).substr(at, size) == detail) {
      entry.detail_at = at;
    } else {
      at = details_.size();
      size = entry.detail_size;
      details_ += detail;
    }
  }
  entries.push_back(entry);
  ++quality.events;
}

void Timeline::begin_epoch(std::optional<int64_t> later_ns) {
  if (!entries.empty()) epochs_.push_back({entries.size(), later_ns});
}

// Whether the same event is in the log before: lines that were collected twice are no second clock.
bool Timeline::is_repeated(size_t index) const {
  const Entry& e = entries[index];
  return std::any_of(
      entries.begin(), entries.begin() + static_cast<std::ptrdiff_t>(index), [&](const Entry& o) {
        return o.time_ns == e.time_ns && o.kind == e.kind && o.job == e.job && o.partition == e.partition;
      });
}

// A log's clock began anew where the time falls far and the events after it ascend again without ever coming
// near to where it was. A log that is merely out of order does not look like that: its times fall a little,
// or all the way.
void Timeline::find_restarts() {
  int64_t latest = INT64_MIN;
  size_t next_epoch = 0, looked = 0;
  constexpr size_t kMostLooks = 200;  // each is a pass over the log
  for (size_t i = 0; i < entries.size() && looked < kMostLooks; ++i) {
    if (next_epoch < epochs_.size() && epochs_[next_epoch].first == i) {
      latest = INT64_MIN;
      ++next_epoch;
    }
    const int64_t now = entries[i].time_ns;
    if (i > 0 && latest != INT64_MIN && entries[i - 1].time_ns - now > kRestartFallNs &&
        latest - now > kRestartFallNs) {
      ++looked;
      const size_t last = std::min(i + kRestartEvents, entries.size());
      size_t falls = 0;
      bool below = last > i;
      for (size_t k = i; k < last; ++k) {
        below &= entries[k].time_ns < latest - kRestartFallNs / 2;
        falls += k > i && entries[k].time_ns < entries[k - 1].time_ns;
      }
      if (below && falls <= (last - i) / 4 && !is_repeated(i)) {
        epochs_.insert(epochs_.begin() + static_cast<std::ptrdiff_t>(next_epoch), {i, std::nullopt});
        ++next_epoch;
        latest = INT64_MIN;
      }
    }
    latest = std::max(latest, now);
  }
}

// Moves each epoch behind the one before it and tells its jobs apart from theirs.
void Timeline::join_epochs() {
  quality.clock_jumps += epochs_.size();
  int64_t latest = INT64_MIN;
  size_t i = 0;
  for (size_t e = 0; e < epochs_.size(); ++e) {
    for (; i < epochs_[e].first; ++i) latest = std::max(latest, entries[i].time_ns);
    const size_t end = e + 1 < epochs_.size() ? epochs_[e + 1].first : entries.size();
    int64_t earliest = INT64_MAX;
    for (size_t k = i; k < end; ++k) earliest = std::min(earliest, entries[k].begin_ns());
    if (i == end) continue;
    // Times are below 2^60; what files that are nonsense add up to must not overflow.
    constexpr int64_t kMost = int64_t{1} << 61;
    int64_t later = epochs_[e].later_ns.value_or(INT64_MIN);
    if (later < -kMost || later > kMost || earliest + later <= latest)
      later = latest + kUnknownPauseNs - earliest;
    if (latest > kMost || earliest < -kMost) later = 0;
    std::unordered_map<uint32_t, uint32_t> renamed;
    const std::string suffix = "#" + std::to_string(e + 2);
    for (size_t k = i; k < end; ++k) {
      entries[k].time_ns =
          entries[k].time_ns > INT64_MAX / 2 ? entries[k].time_ns : entries[k].time_ns + later;
      if (entries[k].job == NameTable::kNone) continue;
      auto [it, fresh] = renamed.try_emplace(entries[k].job, 0);
      if (fresh) it->second = jobs.intern(std::string(jobs.name(entries[k].job)) + suffix);
      entries[k].job = it->second;
    }
  }
  epochs_.clear();
}

void Timeline::sort() {
  if (source == Source::kReferenceLog) find_restarts();
  if (!epochs_.empty()) join_epochs();
  int64_t latest = INT64_MIN;
  bool sorted = true;
  for (const Entry& entry : entries) {
    if (entry.time_ns < latest) {
      ++quality.reordered;
      sorted = false;
    }
    latest = std::max(latest, entry.time_ns);
  }
  if (!sorted)
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.time_ns < b.time_ns; });
}

void parse_timing_line(std::string_view line, const std::function<void(std::string_view, double)>& found) {
  constexpr std::string_view kMarker = "CUZK_TIMING:";
  size_t at = line.find(kMarker);
  if (at == std::string_view::npos) return;
  std::string_view rest = line.substr(at + kMarker.size());
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t eq = pair.find('=');
    if (eq == std::string_view::npos || !pair.substr(0, eq).ends_with("_ms")) continue;
    double ms;
    auto [stop, error] = std::from_chars(pair.data() + eq + 1, pair.data() + pair.size(), ms);
    const std::string_view unit(stop, static_cast<size_t>(pair.data() + pair.size() - stop));
    if (error == std::errc() && (unit.empty() || unit == "ms" || unit == ",") && ms >= 0 && ms < 1e12)
      found(pair.substr(0, eq), ms);
  }
}

LineKind parse_reference_line(std::string_view line, Event& event) {
  size_t at = find_marker(line);
  if (at == std::string_view::npos) return LineKind::kOther;
  std::string_view rest = line.substr(at);
  rest = rest.substr(0, rest.find('\x1b'));  // the end of a colour
  while (!rest.empty() && (rest.back() == '\r' || rest.back() == ' ')) rest.remove_suffix(1);
  event = Event{};
  int64_t ms;
  if (!parse_integer(next_field(rest), ms) || ms < 0 || ms > kMostMs) return LineKind::kMalformed;
  event.time_ns = ms * kNsPerMs;
  std::string_view name = next_field(rest);
  auto kind = event_from_name(name == "CHAN_SEND" ? "GPU_QUEUE" : name);
  if (!kind) return LineKind::kMalformed;
  event.kind = *kind;
  event.job = next_field(rest);
  if (event.job.empty() || !take_reference_details(rest, event)) return LineKind::kMalformed;
  return LineKind::kEvent;
}

namespace {

// Takes a file line by line.
class Reader {
 public:
  // bytes: of the whole input, or 0 if that is not known; for making room once.
  explicit Reader(uint64_t bytes) : bytes_(bytes) {}

  void line(std::string_view text) {
    DataQuality& quality = timeline_.quality;
    if (++quality.lines == 1 && text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
    seen_bytes_ += text.size() + 1;
    if (quality.lines == kLinesToEstimate) make_room();
    if (text.size() > kMostLineBytes) {
      ++quality.ignored;
    } else if (text.starts_with(kCsvVersion)) {
      begin_native();
    } else if (native_) {
      native_line(text);
    } else {
      reference_line(text);
    }
  }
  bool native() const { return native_; }
  Timeline take() { return std::move(timeline_); }

 private:
  void make_room() {
    const double lines = static_cast<double>(bytes_) / static_cast<double>(seen_bytes_);
    const double events = lines * static_cast<double>(timeline_.entries.size()) * 1.03;
    if (events > 0 && events < 1e10) timeline_.entries.reserve(static_cast<size_t>(events));
  }
  void begin_native() {
    ++timeline_.quality.ignored;
    epoch_open_ = native_ && !timeline_.entries.empty();
    native_ = true;
  }
  // The clock of a later file starts at its own anchor.
  void begin_epoch(const std::string& anchor) {
    auto first = parse_anchor(timeline_.header.anchor), own = parse_anchor(anchor);
    timeline_.begin_epoch(first && own ? std::optional<int64_t>(*own - *first) : std::nullopt);
    epoch_open_ = false;
  }
  void native_line(std::string_view text) {
    if (text.starts_with('#') || text.empty() || text.starts_with(kCsvColumns)) {
      ++timeline_.quality.ignored;
      if (!epoch_open_ && timeline_.entries.empty()) {
        read_header_line(text, timeline_.header);
      } else if (Header later; epoch_open_ && read_header_line(text, later) && !later.anchor.empty()) {
        begin_epoch(later.anchor);
      }
    } else if (parse_event(text, view_, unquoted_)) {
      if (epoch_open_) begin_epoch("");
      Entry times{};
      times.time_ns = view_.time_ns;
      times.duration_ns = view_.duration_ns;
      times.partition = view_.partition;
      times.device = view_.device;
      times.kind = view_.kind;
      timeline_.add(times, view_.job, view_.worker, view_.detail);
    } else {
      ++timeline_.quality.malformed;
    }
  }
  void reference_line(std::string_view text) {
    switch (parse_reference_line(text, event_)) {
      case LineKind::kEvent:
        timeline_.add(event_);
        break;
      case LineKind::kMalformed:
        ++timeline_.quality.malformed;
        break;
      case LineKind::kOther: {
        ++timeline_.quality.ignored;
        const int64_t time = timeline_.entries.empty() ? 0 : timeline_.entries.back().time_ns;
        parse_timing_line(text, [&](std::string_view key, double ms) {
          timeline_.timings.push_back({time, timeline_.timing_keys.intern(key), ms});
        });
        break;
      }
    }
  }

  static constexpr uint64_t kLinesToEstimate = 1 << 16;

  Timeline timeline_;
  uint64_t bytes_, seen_bytes_ = 0;
  bool native_ = false;
  bool epoch_open_ = false;  // a second header began: its anchor or its first event starts the epoch
  Event event_;
  EventView view_;
  std::string unquoted_;
};

// Hands out the lines of a stream; a line longer than the reader takes is passed on cut.
bool each_line(std::istream& in, Reader& reader) {
  std::string buffer(1 << 20, '\0');
  std::string rest;  // of a line that goes on in the next block
  for (;;) {
    in.read(buffer.data(), static_cast<std::streamsize>(buffer.size()));
    std::string_view block(buffer.data(), static_cast<size_t>(in.gcount()));
    if (block.empty()) break;
    while (!block.empty()) {
      const size_t end = block.find('\n');
      const std::string_view part = block.substr(0, end);
      if (end == std::string_view::npos) {
        if (rest.size() <= kMostLineBytes) rest += part;
        break;
      }
      if (rest.empty()) {
        reader.line(part);
      } else {
        if (rest.size() <= kMostLineBytes) rest += part;
        reader.line(rest);
        rest.clear();
      }
      block.remove_prefix(end + 1);
    }
  }
  if (!rest.empty()) reader.line(rest);
  return !in.bad();
}

Result<Timeline> read_stream(std::istream& in, const std::string& name, uint64_t bytes) {
  Reader reader(bytes);
  if (!each_line(in, reader)) return fail(ErrorCode::kIo, name + ": reading failed");
  const bool native = reader.native();
  Timeline timeline = reader.take();
  if (timeline.entries.empty())
    return invalid(name + ": no timeline events in " + std::to_string(timeline.quality.lines) + " lines (" +
                   std::to_string(timeline.quality.malformed) +
                   " malformed); expected a file that begins with '" + std::string(kCsvVersion) +
                   "' or a log with TIMELINE,<ms>,<event>,<job>,… lines");
  timeline.source = native ? Source::kCuzk : Source::kReferenceLog;
  timeline.sort();
  return timeline;
}

}  // namespace

Result<Timeline> read_timeline(std::istream& in, const std::string& name) {
  return read_stream(in, name, 0);
}

Result<Timeline> read_timeline(const std::string& path) {
  if (path == "-") return read_timeline(std::cin, "standard input");
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::kNotFound, path + ": cannot open: " + std::strerror(errno));
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return read_stream(file, path, error ? 0 : bytes);
}

}  // namespace cuzk::timeline
