#include "diagnosis/utilisation.hpp"

#include <algorithm>
#include <map>

namespace cuzk::diagnosis {

namespace {

using Lists = std::vector<std::vector<Stretch>>;

// What each worker is occupied by: from pick-up to the end, or as much of it as the log has.
Lists worker_stretches(const RunModel& model) {
  std::map<uint32_t, std::vector<Stretch>> by_worker;
  for (const Partition& p : model.partitions) {
    if (p.worker == timeline::NameTable::kNone) continue;
    int64_t begin = p.picked_up != kNever ? p.picked_up : p.asked;
    if (begin == kNever) begin = p.region_begin;
    int64_t end = p.worker_end != kNever ? p.worker_end : p.region_end;
    if (begin == kNever || end == kNever || end <= begin) continue;
    by_worker[p.worker].push_back({begin, end});
  }
  Lists out;
  for (auto& [worker, list] : by_worker) out.push_back(merged(std::move(list)));
  return out;
}

Lists merged_all(const Lists& lists) {
  Lists out;
  for (const auto& list : lists) out.push_back(merged(list));
  return out;
}

Lists held_stretches(const RunModel& model) {
  Lists out;
  for (const auto& regions : model.regions) {
    std::vector<Stretch> list;
    for (const Region& r : regions) list.push_back({r.begin_ns, r.end_ns});
    out.push_back(merged(std::move(list)));
  }
  return out;
}

double share(const Lists& lists, int64_t begin, int64_t end, int64_t outside) {
  if (lists.empty() || end - begin - outside <= 0) return -1;
  double sum = 0;
  for (const auto& list : lists) sum += static_cast<double>(covered(list, begin, end));
  return sum / (static_cast<double>(end - begin - outside) * static_cast<double>(lists.size()));
}

std::vector<double> curve(const Lists& lists, int64_t begin, int64_t end, size_t steps) {
  std::vector<double> out(steps, 0.0);
  const double width = static_cast<double>(end - begin) / static_cast<double>(steps);
  if (lists.empty() || !(width > 0)) return {};
  for (const auto& list : lists)
    for (const Stretch& s : list) {
      const double from = std::max(static_cast<double>(s.begin_ns - begin) / width, 0.0);
      const double to = std::min(static_cast<double>(s.end_ns - begin) / width, static_cast<double>(steps));
      for (size_t i = static_cast<size_t>(from); i < steps && static_cast<double>(i) < to; ++i)
        out[i] += std::min(to, static_cast<double>(i + 1)) - std::max(from, static_cast<double>(i));
    }
  for (double& v : out) v /= static_cast<double>(lists.size());
  return out;
}

}  // namespace

std::vector<Stretch> merged(std::vector<Stretch> list) {
  std::sort(list.begin(), list.end(),
            [](const Stretch& a, const Stretch& b) { return a.begin_ns < b.begin_ns; });
  std::vector<Stretch> out;
  for (const Stretch& s : list) {
    if (!out.empty() && s.begin_ns <= out.back().end_ns) {
      out.back().end_ns = std::max(out.back().end_ns, s.end_ns);
    } else {
      out.push_back(s);
    }
  }
  return out;
}

int64_t covered(const std::vector<Stretch>& list, int64_t begin_ns, int64_t end_ns) {
  auto it = std::lower_bound(list.begin(), list.end(), begin_ns,
                             [](const Stretch& s, int64_t time) { return s.end_ns <= time; });
  int64_t sum = 0;
  for (; it != list.end() && it->begin_ns < end_ns; ++it)
    sum += std::min(it->end_ns, end_ns) - std::max(it->begin_ns, begin_ns);
  return sum;
}

Utilisation utilisation(const RunModel& model, size_t curve_steps) {
  Utilisation out;
  out.upper_bound = model.upper_bound;
  const Lists workers = worker_stretches(model), held = held_stretches(model), busy = merged_all(model.busy);
  int64_t begin = INT64_MAX, end = INT64_MIN;
  for (const auto& list : held)
    if (!list.empty()) {
      begin = std::min(begin, list.front().begin_ns);
      end = std::max(end, list.back().end_ns);
    }
  if (begin >= end) return out;
  const int64_t outside = covered(merged(model.outside), begin, end);
  out.worker_occupied = share(workers, begin, end, outside);
  const int64_t run_begin = model.bounds.begin_ns, run_end = model.bounds.end_ns;
  out.curve.step_ms = static_cast<double>(run_end - run_begin) * 1e-6 / static_cast<double>(curve_steps);
  out.curve.worker_occupied = curve(workers, run_begin, run_end, curve_steps);
  if (model.upper_bound) {
    out.any_worker = share(held, begin, end, outside);
    return out;
  }
  out.interlock_held = share(held, begin, end, outside);
  out.any_worker = out.interlock_held;
  out.curve.interlock_held = curve(held, run_begin, run_end, curve_steps);
  const bool measured = std::any_of(busy.begin(), busy.end(), [](const auto& list) { return !list.empty(); });
  if (!measured) return out;
  out.device_busy = share(busy, begin, end, outside);
  out.curve.device_busy = curve(busy, run_begin, run_end, curve_steps);
  return out;
}

}  // namespace cuzk::diagnosis
