#include <cstdio>

#include "timeline/json_text.hpp"
#include "timeline/waterfall.hpp"

namespace cuzk::timeline {

namespace {

std::string microseconds(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(ns) / 1e3);
  return text;
}

}  // namespace

std::string render_trace(const std::vector<Waterfall>& waterfalls) {
  std::string out = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[";
  bool first = true;
  auto add = [&](const std::string& event) {
    out += first ? "\n" : ",\n";
    first = false;
    out += event;
  };
  for (size_t run = 0; run < waterfalls.size(); ++run) {
    std::string pid = std::to_string(run + 1);
    add("{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":" + pid + ",\"tid\":0,\"args\":{\"name\":" +
        json_text("run " + pid + " " + waterfalls[run].run.parameters) + "}}");
    for (size_t t = 0; t < waterfalls[run].tracks.size(); ++t) {
      const Track& track = waterfalls[run].tracks[t];
      std::string tid = std::to_string(t + 1);
      add("{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" + pid + ",\"tid\":" + tid +
          ",\"args\":{\"name\":" + json_text(track.name) + "}}");
      add("{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":" + pid + ",\"tid\":" + tid +
          ",\"args\":{\"sort_index\":" + tid + "}}");
      for (const Span& span : track.spans)
        add("{\"ph\":\"X\",\"pid\":" + pid + ",\"tid\":" + tid + ",\"ts\":" + microseconds(span.begin_ns) +
            ",\"dur\":" + microseconds(span.duration_ns()) +
            ",\"cat\":" + json_text(span_kind_name(span.kind)) +
            ",\"name\":" + json_text(span.label.empty() ? span_kind_name(span.kind) : span.label) +
            ",\"args\":{\"job\":" + json_text(span.job) + ",\"partition\":" + std::to_string(span.partition) +
            "}}");
    }
  }
  return out + "\n]}\n";
}

}  // namespace cuzk::timeline
