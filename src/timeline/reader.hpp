// Reading timelines: our own files and the reference engine's log lines, from a file or a pipe.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.hpp"
#include "timeline/csv.hpp"
#include "timeline/event.hpp"

namespace cuzk::timeline {

// Names by number: job and worker names recur in millions of events.
class NameTable {
 public:
  static constexpr uint32_t kNone = 0;  // the empty name
  NameTable() { intern(""); }
  uint32_t intern(std::string_view name);
  std::string_view name(uint32_t id) const { return names_[id]; }
  size_t size() const { return names_.size(); }

 private:
  std::deque<std::string> names_;  // stable addresses: the map's keys point here
  std::unordered_map<std::string_view, uint32_t> ids_;
};

// One event, 56 bytes.
struct Entry {
  int64_t time_ns, duration_ns;  // duration -1: none
  uint64_t detail_at;
  uint32_t detail_size;
  uint32_t job, worker;  // NameTable ids
  int32_t partition, device;
  EventKind kind;

  int64_t begin_ns() const { return duration_ns < 0 ? time_ns : time_ns - duration_ns; }
};

enum class Source : uint8_t { kCuzk, kReferenceLog };

struct DataQuality {
  uint64_t lines = 0;
  uint64_t events = 0;
  uint64_t ignored = 0;    // lines of other output, and remarks
  uint64_t malformed = 0;  // lines that begin as events but cannot be read
  uint64_t reordered = 0;  // events earlier than one before them in the file
  // Places where the clock began anew: a log of several daemons, or several files one after the other. Later
  // events are moved behind the earlier ones, and their jobs' names get "#2", "#3", …
  uint64_t clock_jumps = 0;
};

// One value of the reference engine's CUZK_TIMING lines, which carry neither time nor job: the time is that
// of the event before it in the log.
struct KernelTiming {
  int64_t time_ns;
  uint32_t key;  // Timeline::timing_keys
  double ms;
};

// Events in ascending order of time (stable).
class Timeline {
 public:
  Source source = Source::kCuzk;
  Header header;
  DataQuality quality;
  NameTable jobs, workers, timing_keys;
  std::vector<Entry> entries;
  std::vector<KernelTiming> timings;

  std::string_view detail(const Entry& entry) const {
    return std::string_view(details_).substr(entry.detail_at, entry.detail_size);
  }
  std::string_view job(const Entry& entry) const { return jobs.name(entry.job); }
  std::string_view worker(const Entry& entry) const { return workers.name(entry.worker); }

  void add(const Event& event);
  // The same without copies: detail, job and worker are kept by value.
  void add(const Entry& times, std::string_view job, std::string_view worker, std::string_view detail);
  // What follows has a clock of its own, `later_ns` behind the first one's (nothing: not known).
  void begin_epoch(std::optional<int64_t> later_ns);
  // Counts entries that come before an earlier one, then sorts.
  void sort();

 private:
  struct Epoch {
    size_t first;
    std::optional<int64_t> later_ns;
  };
  void find_restarts();
  bool is_repeated(size_t index) const;
  void join_epochs();

  std::string details_;
  // Details that were seen lately, so that the same text is kept once.
  std::vector<std::pair<uint64_t, uint32_t>> recent_details_;
  std::vector<Epoch> epochs_;
};

// One line of the reference engine's log, TIMELINE,<ms>,<event>,<job>,<k=v,…>, behind any prefix (syslog,
// journald). Source: the reference's timeline records. Nothing if the line holds none.
enum class LineKind : uint8_t { kOther, kEvent, kMalformed };
LineKind parse_reference_line(std::string_view line, Event& event);

// "CUZK_TIMING: a_ms=1 b_ms=2" anywhere in a line: calls found("a_ms", 1), … for keys that end in _ms.
void parse_timing_line(std::string_view line, const std::function<void(std::string_view, double)>& found);

// Both kinds, told apart by content. `name` is for messages ("-" for standard input).
// Errors: kInvalidInput when there is no event in it at all.
Result<Timeline> read_timeline(std::istream& in, const std::string& name);
// "-" reads standard input.
Result<Timeline> read_timeline(const std::string& path);

}  // namespace cuzk::timeline
