#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "diagnosis/analysis.hpp"
#include "diagnosis/page.hpp"
#include "timeline/waterfall.hpp"

namespace cuzk::diagnosis {

using Json = nlohmann::ordered_json;

namespace {

constexpr size_t kMostTracks = 64, kMostSpans = 6000, kMostPoints = 1500, kMostRuns = 20;

double ms_of(int64_t ns) {
  return static_cast<double>(ns) * 1e-6;
}

// Neighbours of one kind that no reader could tell apart are drawn as one.
std::vector<timeline::Span> thinned(const std::vector<timeline::Span>& spans, int64_t length_ns,
                                    size_t most) {
  std::vector<timeline::Span> out = spans;
  for (int64_t close = length_ns / 4000; out.size() > most && close < length_ns; close *= 4) {
    std::vector<timeline::Span> fewer;
    for (timeline::Span& s : out) {
      const bool join =
          !fewer.empty() && fewer.back().kind == s.kind && s.begin_ns - fewer.back().end_ns < close;
      if (join) {
        fewer.back().end_ns = std::max(fewer.back().end_ns, s.end_ns);
        fewer.back().label = "several";
      } else {
        fewer.push_back(std::move(s));
      }
    }
    out = std::move(fewer);
    if (close == 0) close = 1;
  }
  if (out.size() > most) out.resize(most);
  return out;
}

Json tracks_of(const Analysis& analysis, const RunBounds& bounds) {
  const auto waterfall = timeline::build_waterfall(
      *analysis.timeline, {bounds.first, bounds.last, bounds.begin_ns, bounds.end_ns, bounds.parameters});
  Json out = Json::array();
  const size_t count = std::min(waterfall.tracks.size(), kMostTracks);
  for (size_t t = 0; t < count; ++t) {
    Json spans = Json::array();
    for (const auto& s :
         thinned(waterfall.tracks[t].spans, bounds.end_ns - bounds.begin_ns, kMostSpans / count + 50)) {
      const int64_t begin = std::max(s.begin_ns, bounds.begin_ns), end = std::min(s.end_ns, bounds.end_ns);
      if (end < begin) continue;
      spans.push_back(
          Json{ms_of(begin - bounds.begin_ns), ms_of(end - begin), static_cast<int>(s.kind), s.label});
    }
    out.push_back({{"name", waterfall.tracks[t].name}, {"spans", std::move(spans)}});
  }
  return out;
}

// Partition times against proofs in flight, evenly thinned.
Json points_of(const Facts& facts) {
  const Metric& m = metric(facts.upper_bound() ? "worker_span" : "device_held");
  size_t total = 0;
  for (const RunFacts& run : facts.runs) total += run.model->partitions.size();
  const size_t stride = total / kMostPoints + 1;
  Json out = Json::array();
  size_t number = 0;
  const bool by_run = !facts.load.empty() && facts.load.front().against == "proofs_in_run";
  for (const RunFacts& run : facts.runs)
    for (const Partition& p : run.model->partitions) {
      if (number++ % stride != 0 || m.value(p) < 0) continue;
      const Stretch s = m.stretch(p);
      if (s.begin_ns == kNever || s.end_ns == kNever) continue;
      const double load = by_run ? static_cast<double>(run.model->jobs.size())
                                 : run.model->in_flight.average(s.begin_ns, s.end_ns);
      out.push_back(Json{load, m.value(p)});
    }
  return out;
}

}  // namespace

std::string to_html(const Analysis& analysis) {
  Json data = Json::parse(to_json(analysis));
  Json runs = Json::array();
  const auto& facts = *analysis.facts;
  for (size_t i = 0; i < facts.runs.size() && i < kMostRuns; ++i)
    runs.push_back({{"tracks", tracks_of(analysis, facts.runs[i].model->bounds)}});
  if (facts.runs.size() > kMostRuns) {
    data["notes"].push_back("The page shows the first " + std::to_string(kMostRuns) + " of " +
                            std::to_string(facts.runs.size()) + " runs; --run chooses.");
    data["runs"].erase(data["runs"].begin() + static_cast<std::ptrdiff_t>(kMostRuns), data["runs"].end());
  }
  for (auto& run : data["runs"]) {  // drawn from their sums
    run.erase("gaps");
    run.erase("stationarity");
    run.erase("idle");
  }
  data["view"] = {{"runs", std::move(runs)}, {"points", points_of(facts)}};
  std::string text;
  for (char c : data.dump(-1, ' ', false, Json::error_handler_t::replace))
    if (c == '<') {
      text += "\\u003c";  // nothing in it ends the script
    } else {
      text += c;
    }
  std::string page = kDiagnosisPage;
  constexpr std::string_view kPlace = "/*DATA*/null";
  return page.replace(page.find(kPlace), kPlace.size(), text);
}

}  // namespace cuzk::diagnosis
