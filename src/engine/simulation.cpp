#include "engine/simulation.hpp"

#include <cmath>
#include <numbers>

#include "base/check.hpp"

namespace cuzk::engine {

using timeline::EventKind;

namespace {
constexpr double kNsPerMs = 1e6;
}

Simulation::Simulation(const SimulationConfig& config, std::unique_ptr<timeline::Sink> sink)
    : config_(config), random_(config.seed), cpus_(config.cpus) {
  recorder_ =
      std::make_unique<timeline::Recorder>(std::move(sink), [this] { return now_; }, /*threaded=*/false);
  bench_lane_ = &recorder_->lane("bench");
  scheduler_ = std::make_unique<Scheduler>(config.scheduler, recorder_->lane("scheduler"));
  auto make = [&](std::vector<Worker>& workers, size_t count, const std::string& name) {
    for (size_t i = 0; i < count; ++i)
      workers.push_back({&recorder_->lane(name + std::to_string(i)), false, i, 0, {}, 0});
  };
  size_t lane = config.scheduler.reserved_lane ? 1 : 0;
  make(parsers_, config.parsers, "parse");
  make(key_workers_, 1, "keys");
  make(synthesis_, config.scheduler.synthesis_workers + lane, "synth");
  make(finishers_, config.finishers, "finish");
  for (size_t d = 0; d < config.scheduler.devices; ++d)
    for (size_t w = 0; w < config.scheduler.workers_per_device + lane; ++w)
      device_workers_.push_back(
          {&recorder_->lane("gpu" + std::to_string(d) + "." + std::to_string(w)), false, w, d, {}, 0});
}

TimeNs Simulation::draw(const StageTime& time) {
  if (time.recorded != nullptr && !time.recorded->empty())
    return static_cast<TimeNs>((*time.recorded)[random_.next() % time.recorded->size()] * kNsPerMs);
  if (time.spread == 0) return static_cast<TimeNs>(time.median_ms * kNsPerMs);
  // Box and Muller.
  double u = (static_cast<double>(random_.next() >> 11) + 0.5) * 0x1p-53;
  double v = static_cast<double>(random_.next() >> 11) * 0x1p-53;
  double normal = std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * v);
  return static_cast<TimeNs>(time.median_ms * kNsPerMs * std::exp(time.spread * normal));
}

TimeNs Simulation::draw(const StageTime& time, SimulatedStage stage, PartitionRef ref, std::string_view op) {
  TimeNs drawn = draw(time);
  if (!scale_) return drawn;
  return static_cast<TimeNs>(static_cast<double>(drawn) * scale_(stage, op, ref));
}

const StageTimes& Simulation::times(JobId job) const {
  auto it = times_.find(scheduler_->find(job)->request.plan.circuit);
  CUZK_CHECK(it != times_.end());
  return it->second;
}

Status Simulation::outcome(SimulatedStage stage, PartitionRef ref, size_t device) const {
  if (fault_)
    if (auto error = fault_(stage, ref, device)) return tl::unexpected<Error>(*error);
  return {};
}

void Simulation::work(const StageTime& time, TimeNs length, Done action) {
  if (config_.cpus == 0 || time.demand.cpus == 0)
    return after(length, [length, action = std::move(action)] { action(length); });
  const auto id = cpus_.begin(now_, static_cast<double>(length), time.demand);
  on_cpus_[id] = [this, begin = now_, action = std::move(action)](TimeNs) { action(now_ - begin); };
  watch_cpus();
}

// Looks again when the next stage ends, unless another begins or ends before.
void Simulation::watch_cpus() {
  const auto next = cpus_.next();
  if (!next) return;
  at(next->first, [this, id = next->second, changes = ++cpu_changes_] {
    if (changes != cpu_changes_) return;
    auto done = on_cpus_.extract(id);
    cpus_.end(now_, id);
    ++cpu_changes_;
    watch_cpus();
    done.mapped()(0);
  });
}

void Simulation::at(TimeNs time, std::function<void()> action) {
  queue_.push({std::max(time, now_), next_order_++, std::move(action)});
}

Result<Submitted> Simulation::submit(const JobRequest& request, std::function<void(const Job&)> ended) {
  CUZK_ASSIGN(Submitted submitted, scheduler_->submit(request, now_));
  if (ended) {
    const Job* job = scheduler_->find(submitted.job);
    if (job->ended_already()) {
      ended(*job);
    } else {
      on_ended_[submitted.job].push_back(std::move(ended));
    }
  }
  return submitted;
}

void Simulation::run(TimeNs until) {
  offer_work();
  while (!queue_.empty() && queue_.top().time <= until) {
    now_ = queue_.top().time;
    auto action = queue_.top().action;
    queue_.pop();
    action();
    scheduler_->tick(now_);
    offer_work();
  }
  recorder_->drain();
}

// Asks for every idle worker until nobody finds anything: one answer can make room for another.
void Simulation::offer_work() {
  bool progress = true;
  while (progress) {
    progress = false;
    for (Worker& w : parsers_) progress |= offer_parser(w);
    for (Worker& w : key_workers_) progress |= offer_key_worker(w);
    for (Worker& w : synthesis_) progress |= offer_synthesis(w);
    for (Worker& w : device_workers_) progress |= offer_lock(w) || offer_device(w);
    for (Worker& w : finishers_) progress |= offer_finisher(w);
    progress |= deliver_ended();
  }
  auto wakeup = scheduler_->next_wakeup();
  if (wakeup && (!wakeup_ || *wakeup < *wakeup_ || *wakeup_ <= now_) && *wakeup > now_) {
    wakeup_ = wakeup;
    at(*wakeup, [] {});
  }
  recorder_->drain();
}

// True if anything was given back or told: others may go on because of it.
bool Simulation::deliver_ended() {
  const auto dropped = scheduler_->take_dropped();
  for (PartitionRef ref : dropped) {
    scheduler_->witness_released(ref, now_);
    scheduler_->scratch_released(ref, now_);
  }
  const auto ended = scheduler_->take_ended();
  for (JobId id : ended) {
    const Job* job = scheduler_->find(id);
    auto it = on_ended_.find(id);
    if (it == on_ended_.end()) continue;
    auto callbacks = std::move(it->second);
    on_ended_.erase(it);
    for (auto& callback : callbacks) callback(*job);
  }
  return !dropped.empty() || !ended.empty();
}

bool Simulation::offer_parser(Worker& worker) {
  if (worker.busy) return false;
  auto job = scheduler_->next_parse();
  if (!job) return false;
  worker.busy = true;
  const StageTime& time = times(*job).parse;
  work(time, draw(time, SimulatedStage::kParse, {*job, 0}), [this, &worker, id = *job](TimeNs duration) {
    worker.busy = false;
    Status status = outcome(SimulatedStage::kParse, {id, 0});
    worker.lane->record(EventKind::kJobParsed, {.job = job_name(id), .duration_ns = duration});
    scheduler_->parsed(id, status, now_);
  });
  return true;
}

bool Simulation::offer_key_worker(Worker& worker) {
  if (worker.busy) return false;
  auto task = scheduler_->next_key_task(now_);
  if (!task) return false;
  if (task->kind == KeyTask::Kind::kEvict) {
    scheduler_->key_evicted(task->circuit, now_);
    return true;
  }
  worker.busy = true;
  worker.lane->record(EventKind::kKeyLoadStart, {.detail = "key=" + task->circuit});
  TimeNs duration = draw(times_.at(task->circuit).key_load);
  after(duration, [this, &worker, circuit = task->circuit, duration] {
    worker.busy = false;
    worker.lane->record(EventKind::kKeyLoadEnd, {.duration_ns = duration, .detail = "key=" + circuit});
    scheduler_->key_loaded(circuit, outcome(SimulatedStage::kKeyLoad, {}), now_);
  });
  return true;
}

bool Simulation::offer_synthesis(Worker& worker) {
  if (worker.busy) return false;
  auto ref = scheduler_->next_synthesis(worker.index, now_);
  if (!ref) return false;
  worker.busy = true;
  int32_t index = static_cast<int32_t>(ref->index);
  worker.lane->record(EventKind::kSynthStart, {.job = job_name(ref->job), .partition = index});
  const StageTime& time = times(ref->job).synthesis;
  const TimeNs length = draw(time, SimulatedStage::kSynthesis, *ref);
  work(time, length, [this, &worker, ref = *ref, index](TimeNs duration) {
    worker.busy = false;
    Status status = outcome(SimulatedStage::kSynthesis, ref);
    if (status) {
      worker.lane->record(EventKind::kSynthEnd,
                          {.job = job_name(ref.job), .partition = index, .duration_ns = duration});
      worker.lane->record(EventKind::kDeviceQueue, {.job = job_name(ref.job), .partition = index});
    } else {
      scheduler_->witness_released(ref, now_);
      scheduler_->scratch_released(ref, now_);
    }
    scheduler_->synthesised(ref, status, now_);
  });
  return true;
}

bool Simulation::offer_device(Worker& worker) {
  if (worker.busy) return false;
  if (scheduler_->take_test(worker.device, now_)) {
    bool good = outcome(SimulatedStage::kDeviceTest, {}, worker.device).has_value();
    scheduler_->device_tested(worker.device, good, now_);
    return true;
  }
  auto ref = scheduler_->next_device(worker.device, worker.index, now_);
  if (!ref) return false;
  worker.busy = true;
  int32_t index = static_cast<int32_t>(ref->index), device = static_cast<int32_t>(worker.device);
  worker.lane->record(EventKind::kDevicePickup,
                      {.job = job_name(ref->job), .partition = index, .device = device});
  const StageTime& time = times(ref->job).prepare;
  const TimeNs length = draw(time, SimulatedStage::kPrepare, *ref);
  work(time, length, [this, &worker, ref = *ref, index, device](TimeNs duration) {
    Status status = outcome(SimulatedStage::kPrepare, ref, worker.device);
    worker.lane->record(
        EventKind::kPrepareEnd,
        {.job = job_name(ref.job), .partition = index, .device = device, .duration_ns = duration});
    bool goes_on = status && !scheduler_->is_ending(ref.job);
    if (goes_on) {
      worker.waiting_for_lock = ref;
      worker.lock_asked = now_;
      worker.lane->record(EventKind::kDeviceStart,
                          {.job = job_name(ref.job), .partition = index, .device = device});
    } else {
      worker.busy = false;
      scheduler_->witness_released(ref, now_);
      scheduler_->scratch_released(ref, now_);
    }
    scheduler_->prepared(ref, status, now_);
  });
  return true;
}

bool Simulation::offer_lock(Worker& worker) {
  if (!worker.waiting_for_lock) return false;
  PartitionRef ref = *worker.waiting_for_lock;
  if (scheduler_->is_ending(ref.job)) {
    worker.waiting_for_lock.reset();
    worker.busy = false;
    scheduler_->abandoned(ref, now_);
    scheduler_->witness_released(ref, now_);
    scheduler_->scratch_released(ref, now_);
    return true;
  }
  if (!scheduler_->try_lock(ref)) return false;
  worker.waiting_for_lock.reset();
  run_device_region(worker, ref);
  return true;
}

void Simulation::run_device_region(Worker& worker, PartitionRef ref) {
  int32_t index = static_cast<int32_t>(ref.index), device = static_cast<int32_t>(worker.device);
  std::string name = job_name(ref.job);
  TimeNs taken = now_;
  worker.lane->record(
      EventKind::kLockTaken,
      {.job = name, .partition = index, .device = device, .duration_ns = taken - worker.lock_asked});
  std::vector<TimeNs> lengths;
  for (const auto& [op, time] : times(ref.job).device)
    lengths.push_back(draw(time, SimulatedStage::kDevice, ref, op));
  after(static_cast<TimeNs>(config_.handover_ms * kNsPerMs),
        [this, &worker, ref, lengths, taken] { run_device_work(worker, ref, lengths, 0, taken); });
}

// What the device does from the given number on, then the release.
void Simulation::run_device_work(Worker& worker, PartitionRef ref, std::vector<TimeNs> lengths, size_t number,
                                 TimeNs taken) {
  int32_t index = static_cast<int32_t>(ref.index), device = static_cast<int32_t>(worker.device);
  std::string name = job_name(ref.job);
  if (number < lengths.size()) {
    const auto& [op, time] = times(ref.job).device[number];
    work(time, lengths[number], [=, this, &worker, op = op](TimeNs duration) {
      worker.lane->record(
          EventKind::kDeviceBusy,
          {.job = name, .partition = index, .device = device, .duration_ns = duration, .detail = "op=" + op});
      run_device_work(worker, ref, lengths, number + 1, taken);
    });
    return;
  }
  Status status = outcome(SimulatedStage::kDevice, ref, worker.device);
  worker.busy = false;
  worker.lane->record(EventKind::kLockReleased,
                      {.job = name, .partition = index, .device = device, .duration_ns = now_ - taken});
  worker.lane->record(
      EventKind::kDeviceEnd,
      {.job = name, .partition = index, .device = device, .duration_ns = now_ - worker.lock_asked});
  if (!status || !config_.tail_reads_witness) {
    scheduler_->witness_released(ref, now_);
    scheduler_->scratch_released(ref, now_);
  }
  scheduler_->unlocked(ref, status, now_);
}

bool Simulation::offer_finisher(Worker& worker) {
  if (worker.busy) return false;
  auto ref = scheduler_->next_finish();
  if (!ref) return false;
  worker.busy = true;
  int32_t index = static_cast<int32_t>(ref->index);
  const StageTimes& stages = times(ref->job);
  TimeNs tail = draw(stages.tail, SimulatedStage::kFinish, *ref, "tail");
  TimeNs check = draw(stages.check, SimulatedStage::kFinish, *ref, "check");
  work(stages.tail, tail, [this, &worker, &stages, ref = *ref, index, check](TimeNs tail_took) {
    worker.lane->record(EventKind::kTailEnd,
                        {.job = job_name(ref.job), .partition = index, .duration_ns = tail_took});
    work(stages.check, check, [this, &worker, ref, index](TimeNs check_took) {
      worker.busy = false;
      worker.lane->record(EventKind::kCheckEnd,
                          {.job = job_name(ref.job), .partition = index, .duration_ns = check_took});
      if (config_.tail_reads_witness) {
        scheduler_->witness_released(ref, now_);
        scheduler_->scratch_released(ref, now_);
      }
      scheduler_->finished(ref, outcome(SimulatedStage::kFinish, ref), now_);
    });
  });
  return true;
}

}  // namespace cuzk::engine
