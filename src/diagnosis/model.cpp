#include "diagnosis/model.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace cuzk::diagnosis {

using timeline::Entry;
using timeline::EventKind;
using timeline::Timeline;

namespace {

constexpr int32_t kMostPartitions = 1 << 20;
constexpr size_t kMostDevices = 1024;

uint64_t key_of(uint32_t job, int32_t partition) {
  return (static_cast<uint64_t>(job) << 32) | static_cast<uint32_t>(std::max(partition, 0));
}

uint64_t number_of(std::string_view text) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// -1: not recorded.
int64_t cpu_ns(std::string_view detail) {
  constexpr double kMostMs = 1e12;
  const auto text = timeline::detail_value(detail, "cpu_ms");
  double ms = -1;
  if (!text || std::from_chars(text->data(), text->data() + text->size(), ms).ec != std::errc() ||
      !(ms >= 0 && ms < kMostMs))
    return -1;
  return static_cast<int64_t>(ms * 1e6);
}

bool is_transfer(std::string_view detail) {
  auto op = timeline::detail_value(detail, "op");
  return op && op->starts_with("transfer");
}

// The events of one run, partition by partition.
class Builder {
 public:
  Builder(const Timeline& timeline, const RunBounds& bounds) : timeline_(timeline) {
    model_.bounds = bounds;
    model_.upper_bound = timeline.source == timeline::Source::kReferenceLog;
    for (uint32_t job : bounds.jobs) {
      job_at_[job] = static_cast<uint32_t>(model_.jobs.size());
      model_.jobs.push_back({});
      model_.jobs.back().job = job;
    }
    outside_.insert(bounds.contaminated.begin(), bounds.contaminated.end());
  }

  void take(const Entry& e);
  RunModel finish(const std::vector<std::pair<std::string, uint32_t>>& expected);

 private:
  Partition& current(const Entry& e);
  bool again(const Entry& e, bool already);
  void take_job(const Entry& e, JobRecord& job);
  void take_partition(const Entry& e, JobRecord& job);
  void take_memory(const Entry& e);
  void take_outside(const Entry& e);
  template <class T>
  std::vector<T>& of_device(std::vector<std::vector<T>>& lists, int32_t device) {
    const size_t index = std::min<size_t>(static_cast<size_t>(std::max(device, 0)), kMostDevices - 1);
    if (lists.size() <= index) lists.resize(index + 1);
    return lists[index];
  }
  void settle_jobs(const std::vector<std::pair<std::string, uint32_t>>& expected);
  void settle_regions();

  const Timeline& timeline_;
  RunModel model_;
  std::unordered_map<uint32_t, uint32_t> job_at_;
  std::unordered_set<uint32_t> outside_;
  std::unordered_map<uint64_t, uint32_t> current_;  // partition to its latest attempt
  std::unordered_map<uint64_t, int> retries_;       // attempts that a retry announced
  std::set<uint64_t> duplicated_;
  std::set<uint32_t> device_workers_, synthesisers_, finishers_;
  bool has_checks_ = false, has_regions_ = false;
};

Partition& Builder::current(const Entry& e) {
  auto [it, fresh] =
      current_.try_emplace(key_of(e.job, e.partition), static_cast<uint32_t>(model_.partitions.size()));
  if (fresh) {
    Partition p;
    p.job = e.job;
    p.index = std::max(e.partition, 0);
    model_.partitions.push_back(p);
  }
  return model_.partitions[it->second];
}

// An event that this attempt has already: a new attempt if a retry was announced, a duplicate otherwise.
bool Builder::again(const Entry& e, bool already) {
  if (!already) return false;
  const uint64_t key = key_of(e.job, e.partition);
  if (auto it = retries_.find(key); it != retries_.end() && it->second > 0) {
    --it->second;
    current_.erase(key);
    return false;
  }
  duplicated_.insert(key);
  return true;
}

void Builder::take_job(const Entry& e, JobRecord& job) {
  switch (e.kind) {
    case EventKind::kJobAccepted:
      if (auto n = timeline::detail_value(timeline_.detail(e), "partitions")) {
        job.expected = static_cast<uint32_t>(std::min<uint64_t>(number_of(*n), kMostPartitions));
        job.expected_known = job.expected > 0;
      }
      break;
    case EventKind::kJobParsed:
      job.parse_ns = e.duration_ns;
      break;
    case EventKind::kJobDone:
      job.done = true;
      break;
    case EventKind::kJobFailed:
      job.failed = true;
      break;
    case EventKind::kJobCancelled:
      job.cancelled = true;
      break;
    default:
      break;
  }
  if (job.kind.empty()) job.kind = job_kind(timeline_.job(e), timeline_.detail(e));
  if (e.kind != EventKind::kMemoryReleased && e.kind != EventKind::kReleaseEnd) {
    job.begin_ns = std::min(job.begin_ns, e.begin_ns());
    job.end_ns = std::max(job.end_ns, e.time_ns);
  }
}

void Builder::take_partition(const Entry& e, JobRecord&) {
  switch (e.kind) {
    case EventKind::kSynthStart: {
      auto it = current_.find(key_of(e.job, e.partition));
      if (it != current_.end() && again(e, model_.partitions[it->second].synth_begin != kNever)) return;
      current(e).synth_begin = e.time_ns;
      break;
    }
    case EventKind::kSynthEnd: {
      Partition& p = current(e);
      if (p.synth_end != kNever) {
        again(e, true);
        return;
      }
      p.synth_end = e.time_ns;
      p.synthesiser = e.worker;
      if (e.worker != timeline::NameTable::kNone) synthesisers_.insert(e.worker);
      if (p.synth_begin == kNever) p.synth_begin = e.begin_ns();
      p.synth_ns = e.duration_ns >= 0 ? e.duration_ns : e.time_ns - p.synth_begin;
      p.synth_cpu_ns = cpu_ns(timeline_.detail(e));
      break;
    }
    case EventKind::kDevicePickup:
      current(e).picked_up = e.time_ns;
      break;
    case EventKind::kPrepareEnd:
      current(e).prepare_ns = e.duration_ns;
      break;
    case EventKind::kDeviceStart:
      current(e).asked = e.time_ns;
      break;
    case EventKind::kLockTaken: {
      Partition& p = current(e);
      p.wait_ns = e.duration_ns;
      p.region_begin = e.time_ns;
      break;
    }
    case EventKind::kDeviceBusy: {
      if (e.duration_ns < 0) return;
      Partition& p = current(e);
      int64_t& sum = is_transfer(timeline_.detail(e)) ? p.transfer_ns : p.compute_ns;
      sum = std::max<int64_t>(sum, 0) + e.duration_ns;
      of_device(model_.busy, e.device).push_back({e.begin_ns(), e.time_ns});
      break;
    }
    case EventKind::kLockReleased: {
      Partition& p = current(e);
      if (p.region_end != kNever) {
        again(e, true);
        return;
      }
      has_regions_ = true;
      p.region_end = e.time_ns;
      if (e.duration_ns >= 0) p.region_begin = e.begin_ns();
      if (p.region_begin != kNever) p.held_ns = p.region_end - p.region_begin;
      p.held_cpu_ns = cpu_ns(timeline_.detail(e));
      p.device = e.device;
      p.worker = e.worker;
      device_workers_.insert(e.worker);
      break;
    }
    case EventKind::kDeviceEnd: {
      Partition& p = current(e);
      if (p.worker_end != kNever) {
        again(e, true);
        return;
      }
      p.worker_end = e.time_ns;
      if (p.asked == kNever && e.duration_ns >= 0) p.asked = e.begin_ns();
      p.worker_ns = e.duration_ns >= 0 ? e.duration_ns : p.asked == kNever ? -1 : e.time_ns - p.asked;
      if (p.worker == timeline::NameTable::kNone) p.worker = e.worker;
      if (p.device < 0) p.device = e.device;
      device_workers_.insert(e.worker);
      break;
    }
    case EventKind::kTailEnd:
    case EventKind::kAssembleEnd:
    case EventKind::kCheckEnd: {
      Partition& p = current(e);
      if (e.duration_ns >= 0) p.finish_ns = std::max<int64_t>(p.finish_ns, 0) + e.duration_ns;
      const int64_t cpu = cpu_ns(timeline_.detail(e));
      if (e.kind == EventKind::kTailEnd) {
        p.tail_ns = e.duration_ns;
        p.tail_cpu_ns = cpu;
      } else if (cpu >= 0) {
        p.check_cpu_ns = std::max<int64_t>(p.check_cpu_ns, 0) + cpu;
      }
      if (e.kind != EventKind::kCheckEnd) break;
      has_checks_ = true;
      p.finished = e.time_ns;
      if (e.worker != timeline::NameTable::kNone) finishers_.insert(e.worker);
      break;
    }
    case EventKind::kReleaseEnd:
      if (auto it = current_.find(key_of(e.job, e.partition)); it != current_.end())
        model_.partitions[it->second].released = e.begin_ns();
      break;
    case EventKind::kPartitionFailed:
      current(e).failed = true;
      ++model_.failures;
      if (auto error = timeline::detail_value(timeline_.detail(e), "error");
          error && model_.errors.size() < 5)
        model_.errors.emplace_back(*error);
      break;
    case EventKind::kPartitionRetry:
      ++retries_[key_of(e.job, e.partition)];
      ++model_.retries;
      break;
    default:
      break;
  }
}

void Builder::take_memory(const Entry& e) {
  const std::string_view detail = timeline_.detail(e);
  if (auto used = timeline::detail_value(detail, "used"))
    model_.peak_bytes = std::max(model_.peak_bytes, number_of(*used));
  if (e.kind != EventKind::kMemoryReserved) return;
  auto tag = timeline::detail_value(detail, "tag"), bytes = timeline::detail_value(detail, "bytes");
  if (!tag || !bytes) return;
  uint64_t& most = *tag == "key"       ? model_.key_bytes
                   : *tag == "witness" ? model_.witness_bytes
                                       : model_.scratch_bytes;
  most = std::max(most, number_of(*bytes));
}

// What a job of another run does on the devices is not this run's work, nor is the device idle.
void Builder::take_outside(const Entry& e) {
  if (e.kind == EventKind::kLockReleased || e.kind == EventKind::kDeviceEnd ||
      e.kind == EventKind::kDeviceBusy)
    model_.outside.push_back({e.begin_ns(), e.time_ns});
}

void Builder::take(const Entry& e) {
  switch (e.kind) {
    case EventKind::kKeyLoadEnd:
      model_.key_loads.push_back({e.begin_ns(), e.time_ns});
      return;
    case EventKind::kMemoryWaitEnd:
      model_.memory_waits.push_back({e.begin_ns(), e.time_ns});
      break;
    case EventKind::kReleaseEnd:
      model_.releases.push_back({e.begin_ns(), e.time_ns});
      break;
    case EventKind::kThrottleEnd:
      ++model_.throttle_events;
      break;
    case EventKind::kDropped:
      if (auto n = timeline::detail_value(timeline_.detail(e), "count"))
        model_.dropped_events += number_of(*n);
      break;
    case EventKind::kMemoryReserved:
    case EventKind::kMemoryReleased:
      take_memory(e);
      break;
    default:
      break;
  }
  if (e.job == timeline::NameTable::kNone) return;
  auto job = job_at_.find(e.job);
  if (job == job_at_.end()) {
    if (outside_.contains(e.job)) take_outside(e);
    return;
  }
  JobRecord& record = model_.jobs[job->second];
  take_job(e, record);
  if (e.kind != EventKind::kMemoryReleased && e.partition < kMostPartitions) take_partition(e, record);
}

// Regions: what holds the device. Without interlock events, the worker's span is all there is.
void Builder::settle_regions() {
  if (!has_regions_) model_.upper_bound = true;
  for (uint32_t i = 0; i < model_.partitions.size(); ++i) {
    Partition& p = model_.partitions[i];
    if (!has_regions_) {
      p.region_end = p.worker_end;
      p.region_begin = p.asked;
      p.held_ns = p.worker_ns;
      if (p.worker_ns >= 0 && p.worker_end != kNever) p.region_begin = p.worker_end - p.worker_ns;
    }
    if (p.in_region() && p.region_end >= p.region_begin)
      of_device(model_.regions, p.device).push_back({p.region_begin, p.region_end, i});
  }
  if (model_.busy.size() > model_.regions.size()) model_.regions.resize(model_.busy.size());
  model_.busy.resize(model_.regions.size());
  for (auto& list : model_.regions)
    std::sort(list.begin(), list.end(), [](const Region& a, const Region& b) {
      return std::tie(a.begin_ns, a.end_ns) < std::tie(b.begin_ns, b.end_ns);
    });
  // A device number that never does anything is a gap in the numbering, not a device that is idle.
  for (size_t d = model_.regions.size(); d-- > 0;)
    if (model_.regions[d].empty() && model_.busy[d].empty()) {
      model_.regions.erase(model_.regions.begin() + static_cast<std::ptrdiff_t>(d));
      model_.busy.erase(model_.busy.begin() + static_cast<std::ptrdiff_t>(d));
    }
}

void Builder::settle_jobs(const std::vector<std::pair<std::string, uint32_t>>& expected) {
  struct State {
    bool completed = false;
  };
  std::vector<std::map<int32_t, State>> states(model_.jobs.size());
  for (const Partition& p : model_.partitions) {
    State& state = states[job_at_.at(p.job)][p.index];
    state.completed |= (has_checks_ ? p.finished : p.worker_end) != kNever && !p.failed;
  }
  for (uint64_t key : duplicated_) {
    auto job = job_at_.find(static_cast<uint32_t>(key >> 32));
    if (job != job_at_.end())
      model_.jobs[job->second].duplicated.push_back(static_cast<int32_t>(key & 0xffffffff));
  }
  for (size_t j = 0; j < model_.jobs.size(); ++j) {
    JobRecord& job = model_.jobs[j];
    if (!job.expected_known) {
      for (const auto& [kind, count] : expected)
        if (kind == job.kind) job.expected = count;
      if (!states[j].empty())
        job.expected = std::max(job.expected, static_cast<uint32_t>(states[j].rbegin()->first) + 1);
    }
    for (const auto& [index, state] : states[j])
      (state.completed ? job.seen : job.unfinished).push_back(index);
    for (int32_t i = 0; i < static_cast<int32_t>(job.expected); ++i)
      if (!std::binary_search(job.seen.begin(), job.seen.end(), i)) job.missing.push_back(i);
    if (job.begin_ns > job.end_ns) job.begin_ns = job.end_ns = model_.bounds.begin_ns;
    std::sort(job.duplicated.begin(), job.duplicated.end());
  }
}

RunModel Builder::finish(const std::vector<std::pair<std::string, uint32_t>>& expected) {
  settle_regions();
  settle_jobs(expected);
  for (const JobRecord& job : model_.jobs) model_.in_flight.add(job.begin_ns, job.end_ns);
  for (const Partition& p : model_.partitions) {
    if (p.synth_begin != kNever && p.synth_end != kNever) model_.synthesising.add(p.synth_begin, p.synth_end);
    if (p.synth_end == kNever || p.region_begin == kNever) continue;
    const bool taken = p.picked_up != kNever && p.picked_up < p.region_begin;
    model_.ready.add(p.synth_end, taken ? p.picked_up : p.region_begin);
  }
  model_.in_flight.finish();
  model_.synthesising.finish();
  model_.ready.finish();
  auto ascending = [](std::vector<Stretch>& list) {
    std::sort(list.begin(), list.end(),
              [](const Stretch& a, const Stretch& b) { return a.begin_ns < b.begin_ns; });
  };
  for (auto* list : {&model_.outside, &model_.key_loads, &model_.memory_waits, &model_.releases})
    ascending(*list);
  for (auto& list : model_.busy) ascending(list);
  device_workers_.erase(timeline::NameTable::kNone);
  model_.device_workers.assign(device_workers_.begin(), device_workers_.end());
  model_.synthesisers.assign(synthesisers_.begin(), synthesisers_.end());
  model_.finishers.assign(finishers_.begin(), finishers_.end());
  return std::move(model_);
}

}  // namespace

size_t RunModel::proofs_complete() const {
  return static_cast<size_t>(std::count_if(
      jobs.begin(), jobs.end(), [](const JobRecord& j) { return j.complete() && j.expected > 0; }));
}

double RunModel::s_per_proof() const {
  const size_t proofs = proofs_complete();
  return proofs == 0 ? 0 : wall_s() / static_cast<double>(proofs);
}

RunModel build_model(const Timeline& timeline, const RunBounds& bounds,
                     const std::vector<std::pair<std::string, uint32_t>>& expected) {
  Builder builder(timeline, bounds);
  for (size_t i = bounds.first; i < bounds.last; ++i) builder.take(timeline.entries[i]);
  return builder.finish(expected);
}

std::string job_kind(std::string_view job, std::string_view detail) {
  if (auto kind = timeline::detail_value(detail, "kind")) return std::string(*kind);
  for (std::string_view known : {"ps-porep", "ps-snap", "porep", "snap", "wdpost", "winpost"})
    if (job.starts_with(known) && job.size() > known.size() && job[known.size()] == '-')
      return std::string(known);
  return "";
}

std::vector<std::pair<std::string, uint32_t>> expected_partitions(const Timeline& timeline) {
  struct Seen {
    std::string kind;
    std::set<int32_t> partitions;
    bool told = false;
  };
  std::unordered_map<uint32_t, Seen> jobs;
  for (const Entry& e : timeline.entries) {
    if (e.job == timeline::NameTable::kNone || e.kind == EventKind::kMemoryReleased) continue;
    const bool tells = e.kind == EventKind::kJobAccepted, ends = e.kind == EventKind::kDeviceEnd;
    if (!tells && !ends && e.kind != EventKind::kSynthStart) continue;
    Seen& seen = jobs[e.job];
    if (seen.kind.empty()) seen.kind = job_kind(timeline.job(e), timeline.detail(e));
    if (tells) {
      seen.told = true;
    } else if (e.partition < kMostPartitions && !seen.told) {
      seen.partitions.insert(std::max(e.partition, 0));
    }
  }
  std::map<std::string, std::map<uint32_t, size_t>> counts;
  for (const auto& [id, seen] : jobs)
    if (!seen.told && !seen.partitions.empty())
      ++counts[seen.kind][static_cast<uint32_t>(seen.partitions.size())];
  std::vector<std::pair<std::string, uint32_t>> out;
  for (const auto& [kind, by_count] : counts) {
    uint32_t mode = 0;
    size_t most = 0;
    for (auto [count, times] : by_count)  // of equals the larger: a partition is lost sooner than invented
      if (times >= most) {
        most = times;
        mode = count;
      }
    out.emplace_back(kind, mode);
  }
  return out;
}

}  // namespace cuzk::diagnosis
