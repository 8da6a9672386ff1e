#include "timeline/curves.hpp"

#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace cuzk::timeline {

namespace {

using Curves = std::map<std::string, Curve>;

std::optional<double> parse_value(std::string_view text) {
  double value;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

void add(Curves& curves, const std::string& name, bool steps, int64_t time_ns, std::string_view text) {
  auto value = parse_value(text);
  if (!value) return;
  auto [curve, fresh] = curves.try_emplace(name);
  if (fresh) curve->second = {name, steps, {}};
  curve->second.points.emplace_back(time_ns, *value);
}

// Each key of a sample is a curve of its own.
void add_sample(Curves& curves, const std::string& prefix, std::string_view rest, int64_t time_ns) {
  while (!rest.empty()) {
    size_t end = std::min(rest.find(';'), rest.size()), eq = rest.substr(0, end).find('=');
    if (eq != std::string_view::npos)
      add(curves, prefix + std::string(rest.substr(0, eq)), false, time_ns,
          rest.substr(eq + 1, end - eq - 1));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

}  // namespace

std::vector<Curve> build_curves(const Timeline& timeline, const Run& run) {
  Curves reserved, samples;
  for (size_t i = run.first; i < run.last; ++i) {
    const Entry& e = timeline.entries[i];
    auto detail = timeline.detail(e);
    if (e.kind == EventKind::kMemoryReserved || e.kind == EventKind::kMemoryReleased) {
      if (auto used = detail_value(detail, "used")) add(reserved, "memory reserved", true, e.time_ns, *used);
    } else if (e.kind == EventKind::kSampleHost) {
      add_sample(samples, "host ", detail, e.time_ns);
    } else if (e.kind == EventKind::kSampleDevice) {
      add_sample(samples, "device " + std::to_string(e.device) + " ", detail, e.time_ns);
    }
  }
  std::vector<Curve> out;
  for (Curves* curves : {&reserved, &samples})
    for (auto& [name, curve] : *curves) out.push_back(std::move(curve));
  return out;
}

}  // namespace cuzk::timeline
