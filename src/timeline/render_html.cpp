#include <cstdio>

#include "timeline/curves.hpp"
#include "timeline/json_text.hpp"
#include "timeline/summary.hpp"
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
    out += (t == 0 ? "{\"name\":" : ",\n{\"name\":") + json_text(track.name) +
           ",\"group\":" + json_text(track.group) + ",\"spans\":[";
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

void append_curves(std::string& out, const Timeline& timeline, const Run& run) {
  out += "\"samples\":[";
  bool first = true;
  for (const Curve& curve : build_curves(timeline, run)) {
    out += (first ? "{\"name\":" : ",{\"name\":") + json_text(curve.name) +
           ",\"steps\":" + (curve.steps ? "true" : "false") + ",\"points\":[";
    first = false;
    for (size_t i = 0; i < curve.points.size(); ++i) {
      char text[64];
      std::snprintf(text, sizeof text, "%s[%.3f,%.9g]", i == 0 ? "" : ",",
                    static_cast<double>(curve.points[i].first - run.begin_ns) / 1e6, curve.points[i].second);
      out += text;
    }
    out += "]}";
  }
  out += "]";
}

// What a reader wants to know first: [name, value] pairs.
void append_figures(std::string& out, const Timeline& timeline, const Run& run) {
  const Summary s = summarise(timeline, run);
  out += "\"figures\":[";
  bool first = true;
  auto add = [&](const char* name, const std::string& value) {
    out += std::string(first ? "[" : ",[") + json_text(name) + "," + json_text(value) + "]";
    first = false;
  };
  auto text = [](const char* format, double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, format, value);
    return std::string(buffer);
  };
  auto share = [&](double value) { return value < 0 ? std::string("–") : text("%.1f %%", 100 * value); };
  add("run", text("%.4g s", s.wall_s));
  add("proofs done", std::to_string(s.jobs_done));
  if (s.jobs_failed + s.jobs_cancelled > 0)
    add("failed, cancelled", std::to_string(s.jobs_failed) + ", " + std::to_string(s.jobs_cancelled));
  if (s.retries > 0) add("retries", std::to_string(s.retries));
  if (s.jobs_done > 0) add("a proof, over all", text("%.4g s", s.s_per_proof));
  if (s.steady_s_per_proof > 0) add("a proof, steady", text("%.4g s", s.steady_s_per_proof));
  add("device busy", share(s.utilisation.device_busy));
  add("device held", share(s.utilisation.interlock_held));
  add("workers occupied", share(s.utilisation.worker_occupied));
  out += "],";
}

}  // namespace

std::string render_html(const Timeline& timeline, const std::vector<Waterfall>& waterfalls) {
  std::string data = "{\"kinds\":[";
  for (int k = 0; k <= static_cast<int>(SpanKind::kThrottle); ++k)
    data += (k == 0 ? "" : ",") + json_text(span_kind_name(static_cast<SpanKind>(k)));
  data += "],\"runs\":[";
  for (size_t r = 0; r < waterfalls.size(); ++r) {
    const Waterfall& w = waterfalls[r];
    data += (r == 0 ? "{\"title\":" : ",\n{\"title\":") + json_text("Run " + std::to_string(r + 1)) +
            ",\"parameters\":" + json_text(w.run.parameters) +
            ",\"length\":" + milliseconds(w.run.end_ns - w.run.begin_ns) +
            ",\"upperBound\":" + (w.upper_bound ? "true" : "false") + ",";
    append_figures(data, timeline, w.run);
    append_tracks(data, w);
    data += ",";
    append_curves(data, timeline, w.run);
    data += "}";
  }
  data += "]}";
  std::string page = kWaterfallPage;
  constexpr std::string_view kPlace = "/*DATA*/null";
  page.replace(page.find(kPlace), kPlace.size(), data);
  return page;
}

}  // namespace cuzk::timeline
