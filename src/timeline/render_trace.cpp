#include <cstdio>

#include "timeline/curves.hpp"
#include "timeline/json_text.hpp"
#include "timeline/waterfall.hpp"

namespace cuzk::timeline {

namespace {

std::string microseconds(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(ns) / 1e3);
  return text;
}

// Slices of one thread of a trace must nest. Spans that overlap otherwise (a worker of a foreign log that
// begins a partition before the last one's tail ended) go to further threads: the lane of each span.
class Lanes {
 public:
  size_t place(const Span& span) {
    for (size_t lane = 0;; ++lane) {
      if (lane == open_.size()) open_.emplace_back();
      auto& ends = open_[lane];
      while (!ends.empty() && ends.back() <= span.begin_ns) ends.pop_back();
      if (!ends.empty() && ends.back() < span.end_ns) continue;
      ends.push_back(span.end_ns);
      return lane;
    }
  }

 private:
  std::vector<std::vector<int64_t>> open_;  // the ends of the spans that are open, outermost first
};

std::string counter(const std::string& pid, const std::string& name, int64_t time_ns, double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.9g", value);
  return "{\"ph\":\"C\",\"pid\":" + pid + ",\"tid\":0,\"ts\":" + microseconds(time_ns) +
         ",\"name\":" + json_text(name) + ",\"args\":{\"value\":" + text + "}}";
}

}  // namespace

std::string render_trace(const Timeline& timeline, const std::vector<Waterfall>& waterfalls) {
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
    for (const Curve& curve : build_curves(timeline, waterfalls[run].run))
      for (const auto& [time_ns, value] : curve.points) add(counter(pid, curve.name, time_ns, value));
    size_t next_tid = 1;
    for (const Track& track : waterfalls[run].tracks) {
      Lanes lanes;
      size_t named = 0;  // threads of this track
      const size_t first_tid = next_tid;
      for (const Span& span : track.spans) {
        const size_t lane = lanes.place(span);
        const std::string tid = std::to_string(first_tid + lane);
        if (lane == named) {
          add("{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":" + pid + ",\"tid\":" + tid +
              ",\"args\":{\"name\":" + json_text(track.name) + "}}");
          add("{\"ph\":\"M\",\"name\":\"thread_sort_index\",\"pid\":" + pid + ",\"tid\":" + tid +
              ",\"args\":{\"sort_index\":" + tid + "}}");
          next_tid = first_tid + ++named;
        }
        add("{\"ph\":\"X\",\"pid\":" + pid + ",\"tid\":" + tid + ",\"ts\":" + microseconds(span.begin_ns) +
            ",\"dur\":" + microseconds(span.duration_ns()) +
            ",\"cat\":" + json_text(span_kind_name(span.kind)) +
            ",\"name\":" + json_text(span.label.empty() ? span_kind_name(span.kind) : span.label) +
            ",\"args\":{\"job\":" + json_text(span.job) + ",\"partition\":" + std::to_string(span.partition) +
            "}}");
      }
    }
  }
  return out + "\n]}\n";
}

}  // namespace cuzk::timeline
