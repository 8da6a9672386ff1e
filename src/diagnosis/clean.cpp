#include "diagnosis/clean.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <unordered_set>

namespace cuzk::diagnosis {

using timeline::Entry;
using timeline::EventKind;
using timeline::Timeline;

namespace {

bool same(const Timeline& t, const Entry& a, const Entry& b) {
  return a.kind == b.kind && a.job == b.job && a.worker == b.worker && a.partition == b.partition &&
         a.device == b.device && a.duration_ns == b.duration_ns && t.detail(a) == t.detail(b);
}

std::string key_of(const Timeline& t, const Entry& e) {
  std::string key(reinterpret_cast<const char*>(&e.job), sizeof e.job);
  key.append(reinterpret_cast<const char*>(&e.worker), sizeof e.worker);
  key.append(reinterpret_cast<const char*>(&e.partition), sizeof e.partition);
  key.append(reinterpret_cast<const char*>(&e.device), sizeof e.device);
  key.append(reinterpret_cast<const char*>(&e.duration_ns), sizeof e.duration_ns);
  key += static_cast<char>(e.kind);
  key += t.detail(e);
  return key;
}

// Entries of one moment: few are compared with each other, many through a table.
uint64_t drop_repeats(Timeline& timeline) {
  constexpr size_t kFew = 16;
  auto& entries = timeline.entries;
  size_t kept = 0;
  for (size_t begin = 0, end; begin < entries.size(); begin = end) {
    for (end = begin + 1; end < entries.size() && entries[end].time_ns == entries[begin].time_ns;) ++end;
    const size_t first = kept;
    if (end - begin == 1) {
      entries[kept++] = entries[begin];
      continue;
    }
    std::unordered_set<std::string> seen;
    for (size_t i = begin; i < end; ++i) {
      const Entry entry = entries[i];
      bool repeated = false;
      if (end - begin > kFew) {
        repeated = !seen.insert(key_of(timeline, entry)).second;
      } else {
        for (size_t k = first; k < kept && !repeated; ++k) repeated = same(timeline, entries[k], entry);
      }
      if (!repeated) entries[kept++] = entry;
    }
  }
  const uint64_t dropped = entries.size() - kept;
  entries.resize(kept);
  return dropped;
}

// A log that gives both the begin and the measured length of a stretch tells when its clock jumped between.
uint64_t count_forward_jumps(const Timeline& timeline) {
  constexpr int64_t kLeastNs = 1'000'000'000;
  struct Stretch {
    int64_t begin, end;
  };
  std::unordered_map<uint64_t, int64_t> begun;
  std::vector<Stretch> wrong;
  for (const Entry& e : timeline.entries) {
    const bool synthesis = e.kind == EventKind::kSynthStart || e.kind == EventKind::kSynthEnd;
    const bool device = e.kind == EventKind::kDeviceStart || e.kind == EventKind::kDeviceEnd;
    if (!synthesis && !device) continue;
    const uint64_t key = (static_cast<uint64_t>(e.job) << 32) ^
                         (static_cast<uint64_t>(static_cast<uint32_t>(e.partition)) << 1) ^
                         static_cast<uint64_t>(device);
    if (e.kind == EventKind::kSynthStart || e.kind == EventKind::kDeviceStart) {
      begun[key] = e.time_ns;
      continue;
    }
    auto it = begun.find(key);
    if (it == begun.end()) continue;
    const int64_t distance = e.time_ns - it->second;
    if (e.duration_ns >= 0 && distance - e.duration_ns > kLeastNs + e.duration_ns / 4)
      wrong.push_back({it->second, e.time_ns});
    begun.erase(it);
  }
  std::sort(wrong.begin(), wrong.end(), [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
  uint64_t jumps = 0;
  int64_t common_end = INT64_MIN;
  for (const Stretch& s : wrong) {  // stretches that overlap saw the same jump
    if (s.begin >= common_end) {
      ++jumps;
      common_end = s.end;
    }
    common_end = std::min(common_end, s.end);
  }
  return jumps;
}

}  // namespace

Cleaning clean(Timeline& timeline) {
  Cleaning out;
  out.duplicated = drop_repeats(timeline);
  if (timeline.source == timeline::Source::kReferenceLog) out.forward_jumps = count_forward_jumps(timeline);
  return out;
}

}  // namespace cuzk::diagnosis
