// The timeline file: docs/formats/timeline.md. Text, one event a line, RFC 4180 quoting; lines that begin
// with '#' are the header and remarks.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "timeline/event.hpp"
#include "timeline/recorder.hpp"

namespace cuzk::timeline {

inline constexpr std::string_view kCsvVersion = "# cuzk-timeline 1";
inline constexpr std::string_view kCsvColumns =
    "offset_ms,event,job,worker,partition,device,duration_ms,detail";

// Free text of the header, each a line "# key: value".
struct Header {
  std::string anchor;  // wall clock of offset 0, RFC 3339 with milliseconds, UTC
  std::string host, build, config;
};
Header make_header(std::string build, std::string config);

std::string format_header(const Header& header);
// With the line end.
std::string format_event(const Event& event);
// Without the line end. Nothing if it is not an event line of this format.
std::optional<Event> parse_event(std::string_view line);

// The same without copies where the line has no quotes: the texts point into it, or into `unquoted`.
struct EventView {
  int64_t time_ns = 0, duration_ns = -1;
  EventKind kind{};
  int32_t partition = -1, device = -1;
  std::string_view job, worker, detail;
};
bool parse_event(std::string_view line, EventView& event, std::string& unquoted);

// Appends to a file as events come, so that the timeline of a run that is killed can be read.
Result<std::unique_ptr<Sink>> open_csv(const std::string& path, const Header& header);

}  // namespace cuzk::timeline
