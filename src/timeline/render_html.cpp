#include <cstdio>
#include <cstdlib>
#include <map>

#include "timeline/json_text.hpp"
#include "timeline/waterfall.hpp"
#include "timeline/waterfall_page.hpp"

namespace cuzk::timeline {

namespace {

std::string milliseconds(int64_t ns) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3f", static_cast<double>(ns) / 1e6);
  return text;
}

void append_tracks(std::string& out, const Waterfall& waterfall) {
  out += "\"tracks\":[";
  for (size_t t = 0; t < waterfall.tracks.size(); ++t) {
    const Track& track = waterfall.tracks[t];
    out += (t == 0 ? "{\"name\":" : ",\n{\"name\":") + json_text(track.name) + ",\"spans\":[";
    for (size_t s = 0; s < track.spans.size(); ++s) {
      const Span& span = track.spans[s];
      if (s > 0) out += ',';
      out += '[' + milliseconds(span.begin_ns - waterfall.run.begin_ns) + ',' +
             milliseconds(span.duration_ns()) + ',' + std::to_string(static_cast<int>(span.kind)) + ',' +
             json_text(span.label) + ']';
    }
    out += "]}";
  }
  out += "]";
}

// Every numeric key of the samples becomes a curve: [[ms, value], …].
void append_samples(std::string& out, const Timeline& timeline, const Run& run) {
  std::map<std::string, std::string> curves;
  for (size_t i = run.first; i < run.last; ++i) {
    const Entry& e = timeline.entries[i];
    if (e.kind != EventKind::kSampleHost && e.kind != EventKind::kSampleDevice) continue;
    std::string prefix =
        e.kind == EventKind::kSampleHost ? "host " : "device " + std::to_string(e.device) + " ";
    std::string_view rest = timeline.detail(e);
    while (!rest.empty()) {
      size_t end = std::min(rest.find(';'), rest.size());
      std::string pair(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      size_t eq = pair.find('=');
      if (eq == std::string::npos) continue;
      char* stop = nullptr;
      double value = std::strtod(pair.c_str() + eq + 1, &stop);
      if (stop == pair.c_str() + eq + 1 || *stop != 0) continue;
      std::string& curve = curves[prefix + pair.substr(0, eq)];
      char text[64];
      std::snprintf(text, sizeof text, "%s[%.3f,%.9g]", curve.empty() ? "" : ",",
                    static_cast<double>(e.time_ns - run.begin_ns) / 1e6, value);
      curve += text;
    }
  }
  out += "\"samples\":[";
  bool first = true;
  for (const auto& [name, points] : curves) {
    out += (first ? "{\"name\":" : ",{\"name\":") + json_text(name) + ",\"points\":[" + points + "]}";
    first = false;
  }
  out += "]";
}

}  // namespace

std::string render_html(const Timeline& timeline, const std::vector<Waterfall>& waterfalls) {
  std::string data = "{\"kinds\":[";
  for (int k = 0; k <= static_cast<int>(SpanKind::kThrottle); ++k)
    data += (k == 0 ? "" : ",") + json_text(span_kind_name(static_cast<SpanKind>(k)));
  data += "],\"runs\":[";
  for (size_t r = 0; r < waterfalls.size(); ++r) {
    const Waterfall& w = waterfalls[r];
    data += (r == 0 ? "{\"title\":" : ",\n{\"title\":") +
            json_text("run " + std::to_string(r + 1) +
                      (w.run.parameters.empty() ? "" : ": " + w.run.parameters)) +
            ",\"length\":" + milliseconds(w.run.end_ns - w.run.begin_ns) +
            ",\"upperBound\":" + (w.upper_bound ? "true" : "false") + ",";
    append_tracks(data, w);
    data += ",";
    append_samples(data, timeline, w.run);
    data += "}";
  }
  data += "]}";
  std::string page = kWaterfallPage;
  constexpr std::string_view kPlace = "/*DATA*/null";
  page.replace(page.find(kPlace), kPlace.size(), data);
  return page;
}

}  // namespace cuzk::timeline
