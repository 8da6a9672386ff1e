#include "engine/scheduler.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "base/check.hpp"

namespace cuzk::engine {

using timeline::EventKind;

namespace {
constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();

// What a partition holds beside its key.
uint64_t own_bytes(const CircuitPlan& plan) {
  return plan.witness_bytes + plan.device_host_bytes;
}

// Worth another attempt: the fault may lie with a device or with memory, not with the request.
bool is_retriable(const Error& error) {
  return error.code == ErrorCode::kInternal || error.code == ErrorCode::kUnavailable;
}
}  // namespace

const char* priority_name(Priority priority) {
  constexpr const char* kNames[] = {"critical", "high", "normal", "low"};
  return kNames[static_cast<size_t>(priority)];
}

std::optional<Priority> priority_from_name(std::string_view name) {
  for (size_t i = 0; i < kPriorities; ++i)
    if (name == priority_name(static_cast<Priority>(i))) return static_cast<Priority>(i);
  return std::nullopt;
}

const char* job_state_name(JobState state) {
  constexpr const char* kNames[] = {"parsing", "running", "done", "failed", "cancelled"};
  return kNames[static_cast<size_t>(state)];
}

std::string job_name(JobId job) {
  return "job-" + std::to_string(job);
}

struct Scheduler::Rank {
  Priority priority;
  TimeNs deadline;
  uint32_t client_begun;
  JobId job;
  uint32_t index;

  bool operator<(const Rank& o) const {
    return std::tie(priority, deadline, client_begun, job, index) <
           std::tie(o.priority, o.deadline, o.client_begun, o.job, o.index);
  }
};

Scheduler::Scheduler(const SchedulerConfig& config, timeline::Recorder::Lane& lane)
    : config_(config),
      lane_(lane),
      memory_(config.memory_bytes, config.critical_reserve_bytes),
      keys_(memory_, lane),
      devices_(config.devices) {
  CUZK_CHECK(config.critical_reserve_bytes <= config.memory_bytes && config.devices > 0);
}

// --- order

Scheduler::Rank Scheduler::rank(const Job& job, uint32_t index) const {
  auto of_client = begun_.find({job.request.client, job.request.priority});
  uint32_t begun = of_client == begun_.end() ? 0 : of_client->second;
  return {job.request.priority, job.request.deadline.value_or(kNever), begun, job.id, index};
}

template <class Allowed>
std::optional<PartitionRef> Scheduler::best(PartitionState state, Allowed&& allowed) const {
  std::optional<PartitionRef> found;
  std::optional<Rank> found_rank;
  for (const auto& [id, job] : jobs_) {
    if (job.state != JobState::kRunning || job.ending) continue;
    for (uint32_t i = 0; i < job.partitions.size(); ++i) {
      if (job.partitions[i].state != state || !allowed(job, job.partitions[i])) continue;
      Rank r = rank(job, i);
      if (!found_rank || r < *found_rank) {
        found_rank = r;
        found = PartitionRef{id, i};
      }
      break;  // within a job the lowest index is the best
    }
  }
  return found;
}

void Scheduler::left_worker(Job& job) {
  CUZK_CHECK(job.in_flight > 0);
  --job.in_flight;
}

// --- jobs

Result<Submitted> Scheduler::submit(const JobRequest& request, TimeNs now) {
  if (!request.request_id.empty()) {
    auto it = by_request_id_.find(request.request_id);
    if (it != by_request_id_.end()) {
      if (job(it->second).request.input_digest != request.input_digest)
        return invalid("request id '" + request.request_id + "' is already in use by " +
                       job_name(it->second) + " with another input; use a new request id");
      return Submitted{it->second, true};
    }
  }
  if (!accepting_) return fail(ErrorCode::kUnavailable, "the engine is shutting down and takes no new jobs");
  if (request.partitions == 0) return invalid("a job needs at least one partition");
  if (active_jobs_ >= config_.max_jobs)
    return fail(ErrorCode::kResourceExhausted, "the queue is full: " + std::to_string(active_jobs_) +
                                                   " jobs are accepted and not finished; try again later");
  const CircuitPlan& plan = request.plan;
  uint64_t needed = plan.key_bytes + plan.witness_bytes + plan.device_host_bytes;
  uint64_t limit = memory_.limit(request.priority == Priority::kCritical);
  if (needed > limit)
    return fail(ErrorCode::kResourceExhausted,
                "one partition of " + plan.circuit + " needs " + std::to_string(needed) +
                    " bytes (key, witness and scratch), the memory budget allows " + std::to_string(limit) +
                    "; raise memory.budget");
  Job new_job;
  new_job.id = next_job_++;
  new_job.request = request;
  new_job.accepted = now;
  new_job.partitions.resize(request.partitions);
  if (!request.request_id.empty()) by_request_id_[request.request_id] = new_job.id;
  JobId id = new_job.id;
  jobs_.emplace(id, std::move(new_job));
  to_parse_.push_back(id);
  ++active_jobs_;
  record(EventKind::kJobAccepted,
         {.job = job_name(id),
          .detail = "kind=" + plan.circuit + ";priority=" + priority_name(request.priority) +
                    ";partitions=" + std::to_string(request.partitions),
          .time_ns = now});
  return Submitted{id, false};
}

const Job* Scheduler::find(JobId id) const {
  auto it = jobs_.find(id);
  return it == jobs_.end() ? nullptr : &it->second;
}

bool Scheduler::is_ending(JobId id) const {
  const Job* j = find(id);
  return j == nullptr || j->ending || j->ended_already();
}

std::vector<JobId> Scheduler::take_ended() {
  std::vector<JobId> out(ended_.begin(), ended_.end());
  ended_.clear();
  return out;
}

std::vector<PartitionRef> Scheduler::take_dropped() {
  return std::exchange(dropped_, {});
}

void Scheduler::cancel(JobId id, TimeNs now) {
  auto it = jobs_.find(id);
  if (it == jobs_.end() || it->second.ended_already()) return;
  begin_ending(it->second, JobState::kCancelled,
               Error{ErrorCode::kCancelled, job_name(id) + " was cancelled"}, now);
}

void Scheduler::abort(TimeNs now) {
  drain();
  for (auto& [id, j] : jobs_)
    if (!j.ended_already())
      begin_ending(j, JobState::kCancelled, Error{ErrorCode::kCancelled, "shutting down"}, now);
}

// The first reason to end stays: a cancelled job that then fails was cancelled.
void Scheduler::begin_ending(Job& j, JobState how, std::optional<Error> error, TimeNs now) {
  if (!j.ending) {
    j.ending = true;
    j.error = std::move(error);
    if (how == JobState::kCancelled && j.error) j.error->code = ErrorCode::kCancelled;
  }
  std::erase(to_parse_, j.id);
  drop_idle_partitions(j, now);
  settle(j, now);
}

// Partitions in nobody's hands give back what they hold at once.
void Scheduler::drop_idle_partitions(Job& j, TimeNs now) {
  for (uint32_t i = 0; i < j.partitions.size(); ++i) {
    Partition& p = j.partitions[i];
    bool idle = p.state == PartitionState::kWaiting || p.state == PartitionState::kPausing ||
                p.state == PartitionState::kDeviceQueued ||
                (p.state == PartitionState::kFinishing && !p.with_finisher);
    if (!idle) continue;
    PartitionRef ref{j.id, i};
    if (memory_waiter_ && memory_waiter_->first == ref) end_memory_wait(ref, now);
    p.state = PartitionState::kDropped;
    release_key(ref, now);
    if (p.holds_witness || p.holds_scratch) dropped_.push_back(ref);
  }
}

// Ends the job if nothing of it is left in a worker's hands.
void Scheduler::settle(Job& j, TimeNs now) {
  if (j.ended_already()) return;
  bool complete = j.done == j.partitions.size();
  if (!complete && !(j.ending && j.in_flight == 0)) return;
  bool cancelled = j.error && j.error->code == ErrorCode::kCancelled;
  j.state = complete ? JobState::kDone : cancelled ? JobState::kCancelled : JobState::kFailed;
  if (complete) j.error.reset();
  j.ended = now;
  --active_jobs_;
  ended_.push_back(j.id);
  remembered_.push_back(j.id);
  record_end(j,
             complete    ? EventKind::kJobDone
             : cancelled ? EventKind::kJobCancelled
                         : EventKind::kJobFailed,
             now);
  forget_old_jobs();
}

void Scheduler::record_end(Job& j, EventKind kind, TimeNs now) {
  if (std::exchange(j.reported, true)) return;
  record(kind, {.job = job_name(j.id),
                .duration_ns = now - j.accepted,
                .detail = j.error ? "error=" + j.error->message : std::string(),
                .time_ns = now});
}

std::vector<JobId> Scheduler::abandon(TimeNs now) {
  std::vector<JobId> left;
  for (auto& [id, j] : jobs_) {
    if (j.ended_already() || !j.ending) continue;
    record_end(j, EventKind::kJobCancelled, now);
    left.push_back(id);
  }
  return left;
}

void Scheduler::forget_old_jobs() {
  while (remembered_.size() > config_.max_remembered) {
    auto it = jobs_.find(remembered_.front());
    bool holds_memory = std::any_of(it->second.partitions.begin(), it->second.partitions.end(),
                                    [](const Partition& p) { return p.holds_witness || p.holds_scratch; });
    if (holds_memory) return;
    auto named = by_request_id_.find(it->second.request.request_id);
    if (named != by_request_id_.end() && named->second == it->first) by_request_id_.erase(named);
    jobs_.erase(it);
    remembered_.pop_front();
  }
}

// --- time

void Scheduler::tick(TimeNs now) {
  for (auto& [id, j] : jobs_) {
    if (j.ended_already()) continue;
    if (!j.ending && j.request.deadline && *j.request.deadline <= now) {
      begin_ending(j, JobState::kFailed,
                   Error{ErrorCode::kUnavailable,
                         job_name(id) + ": its deadline passed with " + std::to_string(j.done) + " of " +
                             std::to_string(j.partitions.size()) + " partitions proved"},
                   now);
      continue;
    }
    for (uint32_t i = 0; i < j.partitions.size(); ++i) {
      Partition& p = j.partitions[i];
      if (p.state == PartitionState::kPausing && p.retry_at <= now) p.state = PartitionState::kWaiting;
    }
  }
}

std::optional<TimeNs> Scheduler::next_wakeup() const {
  TimeNs earliest = kNever;
  for (const auto& [id, j] : jobs_) {
    if (j.ended_already()) continue;
    if (!j.ending && j.request.deadline) earliest = std::min(earliest, *j.request.deadline);
    for (const Partition& p : j.partitions)
      if (p.state == PartitionState::kPausing) earliest = std::min(earliest, p.retry_at);
  }
  for (const Device& d : devices_)
    if (d.quarantined && !d.testing) earliest = std::min(earliest, d.test_at);
  if (earliest == kNever) return std::nullopt;
  return earliest;
}

// --- parsing

std::optional<JobId> Scheduler::next_parse() {
  auto best_at = to_parse_.end();
  for (auto it = to_parse_.begin(); it != to_parse_.end(); ++it)
    if (best_at == to_parse_.end() || rank(job(*it), 0) < rank(job(*best_at), 0)) best_at = it;
  if (best_at == to_parse_.end()) return std::nullopt;
  JobId id = *best_at;
  to_parse_.erase(best_at);
  ++job(id).in_flight;
  return id;
}

void Scheduler::parsed(JobId id, const Status& status, TimeNs now) {
  Job& j = job(id);
  left_worker(j);
  if (!status) {
    begin_ending(j, JobState::kFailed, status.error(), now);
  } else if (!j.ending) {
    j.state = JobState::kRunning;
  }
  settle(j, now);
}

// --- keys

Status Scheduler::preload(const CircuitPlan& plan, TimeNs) {
  if (plan.key_bytes > memory_.limit(false))
    return fail(ErrorCode::kResourceExhausted,
                "the key of " + plan.circuit + " needs " + std::to_string(plan.key_bytes) +
                    " bytes, the memory budget allows " + std::to_string(memory_.limit(false)));
  keys_.want_ahead(plan);
  return {};
}

std::optional<KeyTask> Scheduler::next_key_task(TimeNs now) {
  // Room is made for the partition that is next in line, then for keys wanted ahead of any job.
  if (auto ref = best(PartitionState::kWaiting, [](const Job&, const Partition&) { return true; })) {
    const JobRequest& request = job(ref->job).request;
    keys_.make_room(request.plan, own_bytes(request.plan), request.priority == Priority::kCritical);
  }
  return keys_.next_task(now);
}

void Scheduler::key_loaded(const std::string& circuit, const Status& status, TimeNs now) {
  keys_.loaded(circuit, status.has_value(), now);
  if (status) return;
  // A key that cannot be loaded fails the jobs that need it, not the engine; the next job tries again.
  for (auto& [id, j] : jobs_)
    if (!j.ended_already() && !j.ending && j.request.plan.circuit == circuit)
      begin_ending(j, JobState::kFailed, status.error(), now);
}

void Scheduler::release_key(PartitionRef ref, TimeNs now) {
  Partition& p = partition(ref);
  if (!std::exchange(p.holds_key, false)) return;
  const JobRequest& request = job(ref.job).request;
  keys_.give_back(request.plan.circuit, now);
  auto of_client = begun_.find({request.client, request.priority});
  if (--of_client->second == 0) begun_.erase(of_client);
}

// --- memory

void Scheduler::note_memory_wait(PartitionRef ref, uint64_t bytes, TimeNs now) {
  if (memory_waiter_ && memory_waiter_->first == ref) return;
  if (memory_waiter_) end_memory_wait(memory_waiter_->first, now);
  memory_waiter_ = {ref, now};
  record(EventKind::kMemoryWaitBegin,
         {.job = job_name(ref.job),
          .partition = static_cast<int32_t>(ref.index),
          .detail = "bytes=" + std::to_string(bytes) + ";used=" + std::to_string(memory_.used()),
          .time_ns = now});
}

void Scheduler::end_memory_wait(PartitionRef ref, TimeNs now) {
  if (!memory_waiter_ || !(memory_waiter_->first == ref)) return;
  record(EventKind::kMemoryWaitEnd, {.job = job_name(ref.job),
                                     .partition = static_cast<int32_t>(ref.index),
                                     .duration_ns = now - memory_waiter_->second,
                                     .time_ns = now});
  memory_waiter_.reset();
}

// Everything the partition needs up to its device: the key's place, its witness and its scratch, all or
// nothing, so that partitions that hold a part of it cannot wait for each other.
bool Scheduler::reserve_for_synthesis(PartitionRef ref, TimeNs now) {
  const Job& j = job(ref.job);
  const CircuitPlan& plan = j.request.plan;
  bool critical = j.request.priority == Priority::kCritical;
  const Partition& before = partition(ref);
  if (before.holds_witness || before.holds_scratch)
    return false;  // of the failed attempt: not given back yet
  uint64_t own = own_bytes(plan);
  bool has_key = keys_.has_place(plan.circuit);
  if (!has_key || !memory_.fits(own, critical)) {
    note_memory_wait(ref, own + (has_key ? 0 : plan.key_bytes), now);
    return false;
  }
  CUZK_CHECK(memory_.try_reserve(MemoryTag::kWitness, plan.witness_bytes, critical));
  CUZK_CHECK(memory_.try_reserve(MemoryTag::kScratch, plan.device_host_bytes, critical));
  Partition& p = partition(ref);
  p.holds_witness = p.holds_scratch = p.holds_key = true;
  keys_.take(plan.circuit);
  ++begun_[{j.request.client, j.request.priority}];
  end_memory_wait(ref, now);
  record(EventKind::kMemoryReserved, {.job = job_name(ref.job),
                                      .partition = static_cast<int32_t>(ref.index),
                                      .detail = memory_detail(MemoryTag::kWitness, own, memory_.used()),
                                      .time_ns = now});
  return true;
}

void Scheduler::witness_released(PartitionRef ref, TimeNs now) {
  Partition& p = partition(ref);
  if (!p.holds_witness) return;
  p.holds_witness = false;
  uint64_t bytes = job(ref.job).request.plan.witness_bytes;
  memory_.release(MemoryTag::kWitness, bytes);
  record(EventKind::kMemoryReleased, {.job = job_name(ref.job),
                                      .partition = static_cast<int32_t>(ref.index),
                                      .detail = memory_detail(MemoryTag::kWitness, bytes, memory_.used()),
                                      .time_ns = now});
}

void Scheduler::scratch_released(PartitionRef ref, TimeNs) {
  Partition& p = partition(ref);
  if (!p.holds_scratch) return;
  p.holds_scratch = false;
  memory_.release(MemoryTag::kScratch, job(ref.job).request.plan.device_host_bytes);
}

// --- synthesis

size_t Scheduler::ready_partitions() const {
  size_t count = 0;
  for (const auto& [id, j] : jobs_)
    for (const Partition& p : j.partitions)
      count += p.state == PartitionState::kSynthesising || p.state == PartitionState::kDeviceQueued;
  return count;
}

std::optional<PartitionRef> Scheduler::next_synthesis(size_t worker, TimeNs now) {
  bool reserved = worker >= config_.synthesis_workers;
  auto allowed = [&](const Job& j, const Partition&) {
    return !reserved || j.request.priority == Priority::kCritical;
  };
  auto ref = best(PartitionState::kWaiting, allowed);
  if (!ref) return std::nullopt;
  bool critical = job(ref->job).request.priority == Priority::kCritical;
  if (config_.max_ready_partitions != 0 && !critical && ready_partitions() >= config_.max_ready_partitions)
    return std::nullopt;
  // The best one waits for memory and nobody overtakes it: a large partition is not starved by small ones.
  if (!reserve_for_synthesis(*ref, now)) return std::nullopt;
  Job& j = job(ref->job);
  ++j.in_flight;
  Partition& p = partition(*ref);
  p.state = PartitionState::kSynthesising;
  ++p.attempts;
  return ref;
}

void Scheduler::synthesised(PartitionRef ref, const Status& status, TimeNs now) {
  Job& j = job(ref.job);
  left_worker(j);
  Partition& p = partition(ref);
  if (j.ending) {
    p.state = PartitionState::kDropped;
    release_key(ref, now);
    if (p.holds_witness || p.holds_scratch) dropped_.push_back(ref);
  } else if (!status) {
    fail_partition(ref, status.error(), now);
  } else {
    p.state = PartitionState::kDeviceQueued;
  }
  settle(j, now);
}

// --- devices

std::optional<PartitionRef> Scheduler::next_device(size_t device, size_t worker, TimeNs now) {
  if (devices_[device].quarantined) return std::nullopt;
  bool reserved = worker >= config_.workers_per_device;
  size_t healthy = static_cast<size_t>(
      std::count_if(devices_.begin(), devices_.end(), [](const Device& d) { return !d.quarantined; }));
  auto ref = best(PartitionState::kDeviceQueued, [&](const Job& j, const Partition& p) {
    if (reserved && j.request.priority != Priority::kCritical) return false;
    if (p.avoid_device == static_cast<int32_t>(device) && healthy > 1) return false;
    return keys_.resident(j.request.plan.circuit);
  });
  if (!ref) return std::nullopt;
  Partition& p = partition(*ref);
  p.state = PartitionState::kPreparing;
  p.device = static_cast<int32_t>(device);
  ++job(ref->job).in_flight;
  keys_.touch(job(ref->job).request.plan.circuit, now);
  return ref;
}

void Scheduler::prepared(PartitionRef ref, const Status& status, TimeNs now) {
  Job& j = job(ref.job);
  if (status && !j.ending) {
    partition(ref).state = PartitionState::kLockWaiting;
    return;
  }
  left_worker(j);
  release_key(ref, now);
  if (j.ending) {
    partition(ref).state = PartitionState::kDropped;
  } else {
    fail_partition(ref, status.error(), now);
  }
  settle(j, now);
}

bool Scheduler::try_lock(PartitionRef ref) {
  Device& device = devices_[static_cast<size_t>(partition(ref).device)];
  if (device.holder) return false;
  Rank own = rank(job(ref.job), ref.index);
  for (auto& [id, j] : jobs_)
    for (uint32_t i = 0; i < j.partitions.size(); ++i) {
      const Partition& p = j.partitions[i];
      if (p.state == PartitionState::kLockWaiting && !j.ending && p.device == partition(ref).device &&
          rank(j, i) < own)
        return false;
    }
  device.holder = ref;
  partition(ref).state = PartitionState::kOnDevice;
  return true;
}

void Scheduler::abandoned(PartitionRef ref, TimeNs now) {
  Job& j = job(ref.job);
  CUZK_CHECK(j.ending && partition(ref).state == PartitionState::kLockWaiting);
  partition(ref).state = PartitionState::kDropped;
  left_worker(j);
  release_key(ref, now);
  settle(j, now);
}

void Scheduler::unlocked(PartitionRef ref, const Status& status, TimeNs now) {
  Partition& p = partition(ref);
  Job& j = job(ref.job);
  Device& device = devices_[static_cast<size_t>(p.device)];
  CUZK_CHECK(device.holder == ref);
  device.holder.reset();
  left_worker(j);
  if (status) device.failures_in_a_row = 0;
  if (j.ending) {
    p.state = PartitionState::kDropped;
    release_key(ref, now);
    if (p.holds_witness || p.holds_scratch) dropped_.push_back(ref);
  } else if (status) {
    p.state = PartitionState::kFinishing;
  } else {
    if (is_retriable(status.error())) note_device_failure(static_cast<size_t>(p.device), now);
    fail_partition(ref, status.error(), now);
  }
  settle(j, now);
}

std::optional<PartitionRef> Scheduler::next_finish() {
  auto ref =
      best(PartitionState::kFinishing, [](const Job&, const Partition& p) { return !p.with_finisher; });
  if (!ref) return std::nullopt;
  partition(*ref).with_finisher = true;
  ++job(ref->job).in_flight;
  return ref;
}

void Scheduler::finished(PartitionRef ref, const Status& status, TimeNs now) {
  Job& j = job(ref.job);
  Partition& p = partition(ref);
  left_worker(j);
  release_key(ref, now);  // not before: the check uses the key's verifying part
  p.with_finisher = false;
  if (j.ending) {
    p.state = PartitionState::kDropped;
  } else if (status) {
    p.state = PartitionState::kDone;
    ++j.done;
  } else {
    if (status.error().code == ErrorCode::kInternal) note_device_failure(static_cast<size_t>(p.device), now);
    fail_partition(ref, status.error(), now);
  }
  settle(j, now);
}

// --- failure

void Scheduler::fail_partition(PartitionRef ref, const Error& error, TimeNs now) {
  Job& j = job(ref.job);
  Partition& p = partition(ref);
  release_key(ref, now);
  record(EventKind::kPartitionFailed,
         {.job = job_name(ref.job),
          .partition = static_cast<int32_t>(ref.index),
          .device = p.device,
          .detail = "attempt=" + std::to_string(p.attempts) + ";error=" + error.message,
          .time_ns = now});
  if (is_retriable(error) && p.attempts < config_.max_attempts) {
    p.avoid_device = p.device;
    p.retry_at = now + config_.retry_pause;
    p.state = PartitionState::kPausing;
    record(EventKind::kPartitionRetry, {.job = job_name(ref.job),
                                        .partition = static_cast<int32_t>(ref.index),
                                        .detail = "attempt=" + std::to_string(p.attempts + 1),
                                        .time_ns = now});
    return;
  }
  p.state = PartitionState::kDropped;
  Error named = error.at(job_name(ref.job) + ", partition " + std::to_string(ref.index));
  begin_ending(j, JobState::kFailed, std::move(named), now);
}

void Scheduler::note_device_failure(size_t index, TimeNs now) {
  Device& device = devices_[index];
  if (++device.failures_in_a_row < config_.quarantine_after || device.quarantined) return;
  device.quarantined = true;
  device.test_at = now + config_.quarantine_pause;
  record(EventKind::kDeviceQuarantined, {.device = static_cast<int32_t>(index),
                                         .detail = "failures=" + std::to_string(device.failures_in_a_row),
                                         .time_ns = now});
}

bool Scheduler::take_test(size_t device, TimeNs now) {
  Device& d = devices_[device];
  if (!d.quarantined || d.testing || d.test_at > now || d.holder) return false;
  return d.testing = true;
}

void Scheduler::device_tested(size_t index, bool good, TimeNs now) {
  Device& device = devices_[index];
  device.testing = false;
  if (!good) {
    device.test_at = now + config_.quarantine_pause;
    return;
  }
  device.quarantined = false;
  device.failures_in_a_row = 0;
  record(EventKind::kDeviceRestored, {.device = static_cast<int32_t>(index), .time_ns = now});
}

}  // namespace cuzk::engine
