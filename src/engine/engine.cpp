#include "engine/engine.hpp"

#include <cstdio>
#include <utility>

#include "base/check.hpp"
#include "base/cpu_time.hpp"
#include "engine/guarded.hpp"
#include "engine/self_test.hpp"

namespace cuzk::engine {

using timeline::EventKind;

namespace {
using SteadyTime = std::chrono::steady_clock::time_point;

int64_t ns_between(SteadyTime from, SteadyTime to) {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(to - from).count();
}
int64_t ns_since(SteadyTime from) {
  return ns_between(from, std::chrono::steady_clock::now());
}

uint64_t host_bytes(const MemoryPlan& plan) {
  return plan.pinned_bytes + plan.host_bytes;
}

// An event about a partition.
timeline::Fields fields_of(const std::string& job, PartitionRef ref, int64_t duration_ns = -1,
                           int32_t device = -1, std::string_view detail = {}) {
  return {.job = job,
          .partition = static_cast<int32_t>(ref.index),
          .device = device,
          .duration_ns = duration_ns,
          .detail = detail};
}
// The throttle, with what it costs written down.
class Pauses final : public PausePoint {
 public:
  Pauses(SynthesisThrottle& throttle, timeline::Recorder::Lane& lane, PartitionRef ref)
      : throttle_(throttle), lane_(lane), ref_(ref) {}
  void pause() const override {
    if (!throttle_.wanted()) return;
    std::string name = job_name(ref_.job);
    lane_.record(EventKind::kThrottleBegin, fields_of(name, ref_));
    int64_t waited = throttle_.pause().count();
    lane_.record(EventKind::kThrottleEnd, fields_of(name, ref_, waited));
  }

 private:
  SynthesisThrottle& throttle_;
  timeline::Recorder::Lane& lane_;
  PartitionRef ref_;
};
}  // namespace

Engine::Engine(const EngineConfig& config, std::vector<Device*> devices,
               std::vector<std::shared_ptr<Circuit>> circuits, timeline::Recorder& recorder,
               RandomSource& random)
    : config_(config),
      devices_(std::move(devices)),
      recorder_(recorder),
      random_(random),
      throttle_(config.throttle_synthesis),
      release_lane_(recorder.lane("release")) {
  for (auto& circuit : circuits) circuits_[circuit->name()] = std::move(circuit);
  SchedulerConfig scheduler_config = config.scheduler;
  scheduler_config.devices = devices_.size();
  scheduler_ = std::make_unique<Scheduler>(scheduler_config, recorder_.lane("scheduler"));
  start_threads();
}

Engine::~Engine() {
  abort();
  for (auto& thread : threads_) thread.request_stop();
  changed_.notify_all();
  threads_.clear();
}

void Engine::changed() {
  offer_devices();
  // Nothing is freed here: the lock is held.
  for (PartitionRef ref : scheduler_->take_dropped())
    releaser_.defer([this, ref, pending = take_pending(ref), witness = take_witness(ref)]() mutable {
      pending.reset();  // first: it may read the witness
      free_witness(release_lane_, ref, std::move(witness));
    });
  for (JobId id : scheduler_->take_ended()) {
    const Job& job = *scheduler_->find(id);
    auto work = work_.extract(id).mapped();
    auto [result, fresh] =
        results_.try_emplace(id, JobResult{id, job.state, {}, job.error, job.accepted, job.ended});
    if (fresh && job.state == JobState::kDone) result->second.proofs = std::move(work->proofs);
    releaser_.defer([held = std::move(work)]() mutable { held.reset(); });
  }
  forget_ended();
  changed_.notify_all();
}

void Engine::forget_ended() {
  std::erase_if(results_, [&](const auto& entry) { return scheduler_->find(entry.first) == nullptr; });
}

template <class Take, class Do>
void Engine::loop(std::stop_token stop, Take take, Do work) {
  Lock lock(mutex_);
  for (;;) {
    decltype(take()) task;
    changed_.wait(lock, stop, [&] { return (task = take()).has_value(); });
    if (!task) return;
    lock.unlock();
    work(*task);
    lock.lock();
  }
}

void Engine::start_threads() {
  const SchedulerConfig& c = scheduler_->config();
  size_t lane = c.reserved_lane ? 1 : 0;
  auto spawn = [&](const std::string& name, auto take, auto work) {
    Lane& events = recorder_.lane(name);
    threads_.emplace_back([this, take, work, &events](std::stop_token stop) {
      loop(stop, take, [&](const auto& task) { work(events, task); });
    });
  };
  for (size_t i = 0; i < config_.parsers; ++i)
    spawn(
        "parse" + std::to_string(i), [this] { return scheduler_->next_parse(); },
        [this](Lane& events, JobId job) { parse(events, job); });
  for (size_t i = 0; i < config_.key_loaders; ++i)
    spawn(
        "keys" + std::to_string(i), [this] { return scheduler_->next_key_task(now()); },
        [this](Lane& events, const KeyTask& task) { run_key_task(events, task); });
  for (size_t i = 0; i < c.synthesis_workers + lane; ++i)
    spawn(
        "synth" + std::to_string(i), [this, i] { return scheduler_->next_synthesis(i, now()); },
        [this](Lane& events, PartitionRef ref) { synthesise(events, ref); });
  for (size_t d = 0; d < devices_.size(); ++d)
    for (size_t w = 0; w < c.workers_per_device + lane; ++w)
      spawn(
          "gpu" + std::to_string(d) + "." + std::to_string(w),
          [this, d, w] { return scheduler_->next_device(d, w, now()); },
          [this, d](Lane& events, PartitionRef ref) { prove(events, ref, d); });
  for (size_t d = 0; d < devices_.size(); ++d)
    spawn(
        "test" + std::to_string(d),
        [this, d] { return scheduler_->take_test(d, now()) ? std::optional<size_t>(d) : std::nullopt; },
        [this](Lane&, size_t device) { test_device(device); });
  for (size_t i = 0; i < config_.finishers; ++i)
    spawn(
        "finish" + std::to_string(i), [this] { return scheduler_->next_finish(); },
        [this](Lane& events, PartitionRef ref) { finish(events, ref); });
  threads_.emplace_back([this](std::stop_token stop) { keep_time(stop); });
}

// Wakes when a retry's pause ends, a deadline passes or a device is to be tested.
void Engine::keep_time(std::stop_token stop) {
  Lock lock(mutex_);
  while (!stop.stop_requested()) {
    auto wakeup = scheduler_->next_wakeup();
    if (wakeup && *wakeup <= now()) {
      scheduler_->tick(now());
      changed();
      // A device test that is due stays due until it was made: look again soon.
      changed_.wait_for(lock, stop, std::chrono::milliseconds(20), [] { return false; });
    } else if (wakeup) {
      changed_.wait_for(lock, stop, std::chrono::nanoseconds(*wakeup - now()),
                        [&] { return scheduler_->next_wakeup() != wakeup; });
    } else {
      changed_.wait(lock, stop, [&] { return scheduler_->next_wakeup().has_value(); });
    }
  }
}

// --- jobs

Result<CircuitPlan> Engine::plan_of(const Circuit& circuit) const {
  CUZK_ASSIGN(ProofShape shape, circuit.shape());
  CircuitPlan plan{circuit.name(), 0, circuit.witness_bytes(), 0};
  for (const Device* device : devices_) {
    plan.key_bytes += host_bytes(device->plan_key(shape));
    plan.device_host_bytes = std::max(plan.device_host_bytes, host_bytes(device->plan_proof(shape)));
  }
  return plan;
}

Result<Submitted> Engine::submit(const std::string& circuit, std::shared_ptr<const JobInput> input,
                                 const JobOptions& options) {
  auto found = circuits_.find(circuit);
  if (found == circuits_.end()) {
    std::string known;
    for (const auto& [name, unused] : circuits_) known += (known.empty() ? "" : ", ") + name;
    return invalid("circuit '" + circuit + "' is not known; there are: " + known);
  }
  JobRequest request;
  CUZK_ASSIGN(request.plan, plan_of(*found->second));
  request.request_id = options.request_id;
  request.input_digest = options.request_id.empty() ? "" : input->digest();
  request.client = options.client;
  request.priority = options.priority;
  request.partitions = input->partitions();
  Lock lock(mutex_);
  if (options.timeout) request.deadline = now() + *options.timeout;
  CUZK_ASSIGN(Submitted submitted, scheduler_->submit(request, now()));
  if (!submitted.joined) {
    auto work = std::make_shared<Work>(request.partitions);
    work->input = std::move(input);
    work->circuit = found->second;
    work_[submitted.job] = std::move(work);
  }
  changed();
  return submitted;
}

Result<JobResult> Engine::wait(JobId job) {
  Lock lock(mutex_);
  if (scheduler_->find(job) == nullptr)
    return fail(ErrorCode::kNotFound,
                job_name(job) + " is not known (ended jobs are remembered for a while only)");
  changed_.wait(lock, [&] { return results_.contains(job) || scheduler_->find(job) == nullptr; });
  auto it = results_.find(job);
  if (it == results_.end()) return fail(ErrorCode::kNotFound, job_name(job) + " ended and was forgotten");
  return it->second;
}

void Engine::cancel(JobId job) {
  Lock lock(mutex_);
  if (auto it = work_.find(job); it != work_.end()) it->second->stop = true;
  scheduler_->cancel(job, now());
  changed();
}

Status Engine::preload(const std::string& circuit) {
  auto found = circuits_.find(circuit);
  if (found == circuits_.end()) return invalid("circuit '" + circuit + "' is not known");
  CUZK_ASSIGN(CircuitPlan plan, plan_of(*found->second));
  Lock lock(mutex_);
  CUZK_TRY(scheduler_->preload(plan, now()));
  changed();
  return {};
}

bool Engine::drain(std::chrono::nanoseconds patience,
                   std::optional<std::chrono::nanoseconds> abort_patience) {
  {
    Lock lock(mutex_);
    scheduler_->drain();
    if (changed_.wait_for(lock, patience, [&] { return scheduler_->idle(); })) return true;
  }
  return abort(abort_patience);
}

bool Engine::abort(std::optional<std::chrono::nanoseconds> patience) {
  Lock lock(mutex_);
  for (auto& [id, work] : work_) work->stop = true;
  scheduler_->abort(now());
  changed();
  auto idle = [&] { return scheduler_->idle(); };
  if (!patience) {
    changed_.wait(lock, idle);
    return true;
  }
  if (changed_.wait_for(lock, *patience, idle)) return true;
  for (JobId id : scheduler_->abandon(now())) {
    const Job& job = *scheduler_->find(id);
    results_.try_emplace(id, JobResult{id, JobState::kCancelled, {}, job.error, job.accepted, now()});
  }
  changed();
  return false;
}

uint64_t Engine::peak_memory_bytes() const {
  Lock lock(mutex_);
  return scheduler_->memory().peak();
}

uint64_t Engine::memory_used(MemoryTag tag) const {
  Lock lock(mutex_);
  return scheduler_->memory().used(tag);
}

// --- stages, each on its own threads

void Engine::parse(Lane& lane, JobId id) {
  std::shared_ptr<Work> work;
  {
    Lock lock(mutex_);
    work = work_.at(id);
  }
  auto begin = std::chrono::steady_clock::now();
  Status status = guarded("checking the input", [&] { return work->circuit->check_input(*work->input); });
  lane.record(EventKind::kJobParsed, {.job = job_name(id), .duration_ns = ns_since(begin)});
  Lock lock(mutex_);
  scheduler_->parsed(id, status, now());
  changed();
}

void Engine::run_key_task(Lane& lane, const KeyTask& task) {
  if (task.kind == KeyTask::Kind::kEvict) {
    Loaded old;
    {
      Lock lock(mutex_);
      if (auto node = keys_.extract(task.circuit)) old = std::move(node.mapped());
    }
    old = {};  // frees without the lock
    Lock lock(mutex_);
    scheduler_->key_evicted(task.circuit, now());
    changed();
    return;
  }
  auto loaded = guarded("loading the key", [&] { return load(lane, task.circuit); });
  Lock lock(mutex_);
  if (loaded) keys_[task.circuit] = std::move(*loaded);
  scheduler_->key_loaded(task.circuit, loaded ? Status{} : Status(tl::unexpected<Error>(loaded.error())),
                         now());
  changed();
}

Result<Engine::Loaded> Engine::load(Lane& lane, const std::string& name) {
  auto begin = std::chrono::steady_clock::now();
  std::string detail = "key=" + name;
  lane.record(EventKind::kKeyLoadStart, {.detail = detail});
  CUZK_ASSIGN(CircuitKey key, circuits_.at(name)->load_key());
  Loaded loaded;
  for (Device* device : devices_) {
    CUZK_ASSIGN(auto resident, ResidentKey::load(*device, key.key, key.circuit));
    loaded.on_device.push_back(std::move(resident));
  }
  lane.record(EventKind::kKeyLoadEnd, {.duration_ns = ns_since(begin), .detail = detail});
  return loaded;
}

// What a stage takes from here on: time, and CPU time of its thread and of pools on its behalf.
class Engine::StageClock {
 public:
  int64_t ns() const { return ns_since(begin_); }
  int64_t cpu_ns() const { return thread_cpu_ns() - cpu_begin_; }

 private:
  SteadyTime begin_ = std::chrono::steady_clock::now();
  int64_t cpu_begin_ = thread_cpu_ns();
};

// The end of a stage; the clock begins anew.
void Engine::record_stage(Lane& lane, EventKind kind, PartitionRef ref, StageClock& clock, int32_t device) {
  const int64_t took = clock.ns(), end = now();  // first: reading CPU time is a chance to be preempted
  char cpu[40];
  std::snprintf(cpu, sizeof cpu, "cpu_ms=%.3f", static_cast<double>(clock.cpu_ns()) * 1e-6);
  const std::string name = job_name(ref.job);
  timeline::Fields fields = fields_of(name, ref, took, device, cpu);
  fields.time_ns = end;
  lane.record(kind, fields);
  clock = {};
}

void Engine::synthesise(Lane& lane, PartitionRef ref) {
  std::shared_ptr<Work> work;
  {
    Lock lock(mutex_);
    work = work_.at(ref.job);
  }
  std::string name = job_name(ref.job);
  lane.record(EventKind::kSynthStart, fields_of(name, ref));
  StageClock clock;
  Pauses pauses(throttle_, lane, ref);
  using Witness = std::shared_ptr<const PartitionWitness>;
  auto witness = guarded("synthesis", [&]() -> Result<Witness> {
    CUZK_ASSIGN(auto made, work->circuit->synthesise(*work->input, ref.index, {pauses, work->stop}));
    return std::make_shared<const PartitionWitness>(std::move(made));
  });
  record_stage(lane, EventKind::kSynthEnd, ref, clock);
  if (witness) lane.record(EventKind::kDeviceQueue, fields_of(name, ref));
  Lock lock(mutex_);
  if (witness) {
    work->witnesses[ref.index] = std::move(*witness);
    scheduler_->synthesised(ref, {}, now());
  } else {
    scheduler_->witness_released(ref, now());
    scheduler_->scratch_released(ref, now());
    scheduler_->synthesised(ref, tl::unexpected<Error>(witness.error()), now());
  }
  changed();
}

// With the lock held: the partition's witness, for release_witness().
std::shared_ptr<const PartitionWitness> Engine::take_witness(PartitionRef ref) {
  auto it = work_.find(ref.job);
  return it == work_.end() ? nullptr : std::exchange(it->second->witnesses[ref.index], nullptr);
}

std::shared_ptr<PendingProof> Engine::take_pending(PartitionRef ref) {
  auto it = work_.find(ref.job);
  return it == work_.end() ? nullptr : std::move(it->second->pending[ref.index]);
}

// Without the lock: frees a witness that was taken, here or on the releaser's thread.
void Engine::release_witness(Lane& lane, PartitionRef ref, std::shared_ptr<const PartitionWitness> witness) {
  if (!config_.deferred_release) return free_witness(lane, ref, std::move(witness));
  releaser_.defer([this, ref, held = std::move(witness)]() mutable {
    free_witness(release_lane_, ref, std::move(held));
  });
}

void Engine::free_witness(Lane& lane, PartitionRef ref, std::shared_ptr<const PartitionWitness> witness) {
  if (witness != nullptr) {
    std::string detail =
        "bytes=" + std::to_string(4 * witness->values.bits.size() + sizeof(Fr) * witness->values.wide.size());
    auto begin = std::chrono::steady_clock::now();
    witness.reset();
    lane.record(EventKind::kReleaseEnd, fields_of(job_name(ref.job), ref, ns_since(begin), -1, detail));
  }
  Lock lock(mutex_);
  // Both at once: the partition may be synthesised again from here on.
  scheduler_->scratch_released(ref, now());
  scheduler_->witness_released(ref, now());
  changed();
}

void Engine::offer_devices() {
  std::erase_if(device_waiters_, [&](DeviceWaiter* waiter) {
    const bool ending = scheduler_->is_ending(waiter->ref.job);
    if (!ending && !scheduler_->try_lock(waiter->ref)) return false;
    std::lock_guard lock(waiter->mutex);
    waiter->holds_device = !ending;
    waiter->decided.notify_one();  // with its lock held: it is gone as soon as it knows
    return true;
  });
}

// True once the partition holds the device; false when its job is ending.
bool Engine::wait_for_device(PartitionRef ref) {
  DeviceWaiter waiter(ref);
  {
    Lock lock(mutex_);
    device_waiters_.push_back(&waiter);
    offer_devices();
  }
  {
    Lock lock(waiter.mutex);
    waiter.decided.wait(lock, [&] { return waiter.holds_device.has_value(); });
  }
  if (*waiter.holds_device) return true;
  Lock lock(mutex_);
  take_witness(ref);  // the caller has it
  scheduler_->abandoned(ref, now());
  changed();
  return false;
}

void Engine::prove(Lane& lane, PartitionRef ref, size_t device) {
  std::string name = job_name(ref.job);
  int32_t number = static_cast<int32_t>(device);
  lane.record(EventKind::kDevicePickup, fields_of(name, ref, -1, number));
  auto picked_up = std::chrono::steady_clock::now();
  std::shared_ptr<Work> work;
  std::shared_ptr<const ResidentKey> key;
  std::shared_ptr<const PartitionWitness> witness;
  Blinding blinding;
  bool ending;
  {
    Lock lock(mutex_);
    work = work_.at(ref.job);
    key = keys_.at(work->circuit->name()).on_device[device];
    witness = work->witnesses[ref.index];
    blinding = Blinding::random(random_);
    lane.record(EventKind::kPrepareEnd, fields_of(name, ref, ns_since(picked_up), number));
    ending = scheduler_->is_ending(ref.job);
    if (ending) take_witness(ref);  // the same
    scheduler_->prepared(ref, {}, now());
    changed();
  }
  if (ending) return release_witness(lane, ref, std::move(witness));
  lane.record(EventKind::kDeviceStart, fields_of(name, ref, -1, number));
  auto asked = std::chrono::steady_clock::now();
  if (!wait_for_device(ref)) return release_witness(lane, ref, std::move(witness));
  StageClock clock;
  lane.record(EventKind::kLockTaken, fields_of(name, ref, ns_since(asked), number));
  auto pending = guarded("the device's work", [&]() -> Result<std::shared_ptr<PendingProof>> {
    CUZK_ASSIGN(auto started, start(*devices_[device], std::move(key), witness->view(), blinding));
    return std::make_shared<PendingProof>(std::move(started));
  });
  record_stage(lane, EventKind::kLockReleased, ref, clock, number);
  if (pending) record_busy(lane, ref, device, *(*pending)->sums);
  lane.record(EventKind::kDeviceEnd, fields_of(name, ref, ns_since(asked), number));

  bool still_read = pending && (*pending)->sums->reads_witness();
  {
    Lock lock(mutex_);
    if (pending) work->pending[ref.index] = std::move(*pending);
    if (still_read) {
      witness.reset();  // the finisher gives it back
    } else {
      take_witness(ref);
      scheduler_->scratch_released(ref, now());
    }
    scheduler_->unlocked(ref, pending ? Status{} : Status(tl::unexpected<Error>(pending.error())), now());
    changed();
  }
  if (!still_read) release_witness(lane, ref, std::move(witness));
}

void Engine::record_busy(Lane& lane, PartitionRef ref, size_t device, const PendingSums& sums) {
  std::string name = job_name(ref.job);
  auto anchor = std::chrono::steady_clock::now();
  int64_t anchor_ns = now();
  for (const BusySpan& span : sums.busy()) {
    std::string detail = std::string("op=") + span.operation;
    auto fields =
        fields_of(name, ref, ns_between(span.begin, span.end), static_cast<int32_t>(device), detail);
    fields.time_ns = anchor_ns - ns_between(span.end, anchor);
    lane.record(EventKind::kDeviceBusy, fields);
  }
}

void Engine::finish(Lane& lane, PartitionRef ref) {
  std::shared_ptr<Work> work;
  std::shared_ptr<PendingProof> pending;
  {
    Lock lock(mutex_);
    work = work_.at(ref.job);
    pending = take_pending(ref);
  }
  Result<Proof> proof = guarded("the tail", [&] { return finish_timed(lane, ref, *pending); });
  pending.reset();  // nothing reads the witness any more
  std::shared_ptr<const PartitionWitness> witness;
  {
    Lock lock(mutex_);
    witness = take_witness(ref);
    scheduler_->scratch_released(ref, now());
    if (proof) work->proofs[ref.index] = *proof;
    scheduler_->finished(ref, proof ? Status{} : Status(tl::unexpected<Error>(proof.error())), now());
    changed();
  }
  if (witness != nullptr) release_witness(lane, ref, std::move(witness));
}

// cuzk::finish, each step recorded. Synthesis yields to the first, which may be bound by memory.
Result<Proof> Engine::finish_timed(Lane& lane, PartitionRef ref, PendingProof& pending) {
  StageClock clock;
  auto step = [&](EventKind kind) { record_stage(lane, kind, ref, clock); };
  Result<ProofSums> sums = [&] {
    SynthesisThrottle::Hold hold(throttle_);
    return pending.sums->wait();
  }();
  step(EventKind::kTailEnd);
  if (!sums) return tl::unexpected<Error>(sums.error());
  const Proof proof = assemble(pending, *sums);
  step(EventKind::kAssembleEnd);
  Status valid = check(pending, proof);
  step(EventKind::kCheckEnd);
  if (!valid) return tl::unexpected<Error>(valid.error());
  return proof;
}

void Engine::test_device(size_t device) {
  bool good = guarded("the device's test", [&] { return self_test(*devices_[device]); }).has_value();
  Lock lock(mutex_);
  scheduler_->device_tested(device, good, now());
  changed();
}

}  // namespace cuzk::engine
