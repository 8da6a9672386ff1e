#include "diagnosis/samples.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

namespace cuzk::diagnosis {

namespace {

// A file of other contents must not make a series of each of its words.
constexpr size_t kMostKeys = 256;
constexpr size_t kMostDevices = 256;

void take(std::map<std::string, Series, std::less<>>& into, std::string_view rest, int64_t time_ns) {
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(';'), rest.size());
    const std::string_view pair = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const size_t eq = pair.find('=');
    if (eq == std::string_view::npos) continue;
    double value;
    auto [stop, error] = std::from_chars(pair.data() + eq + 1, pair.data() + pair.size(), value);
    if (error != std::errc() || stop != pair.data() + pair.size() || !std::isfinite(value)) continue;
    auto it = into.find(pair.substr(0, eq));
    if (it == into.end()) {
      if (into.size() >= kMostKeys) continue;
      it = into.emplace(std::string(pair.substr(0, eq)), Series{}).first;
    }
    it->second.times.push_back(time_ns);
    it->second.values.push_back(value);
  }
}

}  // namespace

double Series::average(int64_t begin_ns, int64_t end_ns, int64_t reach_ns) const {
  auto from = std::lower_bound(times.begin(), times.end(), begin_ns);
  auto to = std::upper_bound(from, times.end(), end_ns);
  if (from != to) {
    double sum = 0;
    for (auto it = from; it != to; ++it) sum += values[static_cast<size_t>(it - times.begin())];
    return sum / static_cast<double>(to - from);
  }
  const int64_t middle = begin_ns + (end_ns - begin_ns) / 2;
  double best = std::numeric_limits<double>::quiet_NaN();
  int64_t nearest = reach_ns;
  for (auto it : {from, from == times.begin() ? times.end() : from - 1}) {
    if (it == times.end()) continue;
    const int64_t distance = std::abs(*it - middle);
    if (distance > nearest) continue;
    nearest = distance;
    best = values[static_cast<size_t>(it - times.begin())];
  }
  return best;
}

std::vector<double> Series::within(int64_t begin_ns, int64_t end_ns) const {
  auto from = std::lower_bound(times.begin(), times.end(), begin_ns);
  auto to = std::upper_bound(from, times.end(), end_ns);
  return {values.begin() + (from - times.begin()), values.begin() + (to - times.begin())};
}

Samples::Samples(const timeline::Timeline& timeline) {
  for (const timeline::Entry& e : timeline.entries) {
    if (e.kind == timeline::EventKind::kSampleHost) {
      take(host_, timeline.detail(e), e.time_ns);
    } else if (e.kind == timeline::EventKind::kSampleDevice) {
      const int32_t device = std::max(e.device, 0);
      if (devices_.contains(device) || devices_.size() < kMostDevices)
        take(devices_[device], timeline.detail(e), e.time_ns);
    }
  }
  std::erase_if(devices_, [](const auto& entry) { return entry.second.empty(); });
  derive_cpu_stretch();
}

void Samples::derive_cpu_stretch() {
  constexpr double kLeastCpus = 0.1;  // of a process that hardly computes, the ratio says nothing
  const Series *waiting = host("waiting_threads"), *cpus = host("process_cpus");
  if (waiting == nullptr || cpus == nullptr) return;
  Series out;
  for (size_t i = 0, k = 0; i < waiting->times.size(); ++i) {
    while (k < cpus->times.size() && cpus->times[k] < waiting->times[i]) ++k;
    if (k == cpus->times.size() || cpus->times[k] != waiting->times[i]) continue;
    out.times.push_back(waiting->times[i]);
    out.values.push_back(1 + waiting->values[i] / std::max(cpus->values[k], kLeastCpus));
  }
  if (!out.empty()) host_["cpu_stretch"] = std::move(out);
}

const Series* Samples::host(std::string_view key) const {
  auto it = host_.find(key);
  return it == host_.end() ? nullptr : &it->second;
}

const Series* Samples::device(int32_t device, std::string_view key) const {
  auto of = devices_.find(std::max(device, 0));
  if (of == devices_.end()) return nullptr;
  auto it = of->second.find(key);
  return it == of->second.end() ? nullptr : &it->second;
}

}  // namespace cuzk::diagnosis
