#include "timeline/sampler.hpp"

#include <condition_variable>
#include <mutex>
#include <optional>

#include "timeline/host_counters.hpp"
#include "timeline/memory_probe.hpp"
#include "timeline/memory_traffic.hpp"
#include "timeline/nvml.hpp"

namespace cuzk::timeline {

namespace {

// One sample may need several lines: all carry the same time and length.
void record_pairs(Recorder::Lane& lane, EventKind kind, int32_t device, int64_t time_ns, int64_t duration_ns,
                  const std::vector<std::string>& pairs) {
  for (const std::string& detail : join_pairs(pairs, Recorder::kDetailBytes))
    lane.record(kind, {.device = device, .duration_ns = duration_ns, .detail = detail, .time_ns = time_ns});
}

}  // namespace

// Where samples come from; each source that is not there is left out.
class Sampler::Sources {
 public:
  explicit Sources(const SamplerConfig& config) {
    if (config.memory_probe) probe_.emplace();
    bool any = false;
    for (const std::string& id : config.device_bus_ids) any |= !id.empty();
    if (any) nvml_ = Nvml::open(config.nvml_library);
    for (const std::string& id : config.device_bus_ids)
      cards_.push_back(nvml_ != nullptr && !id.empty() ? nvml_->find(id) : nullptr);
  }
  Reading host() const {
    Reading out;
    read_host(out);
    read_resctrl(out);
    uncore_.read(out);
    return out;
  }
  std::optional<double> probe() { return probe_ ? probe_->measure() : std::nullopt; }
  size_t devices() const { return cards_.size(); }
  Reading device(size_t index) const {
    Reading out;
    if (cards_[index] != nullptr) nvml_->read(cards_[index], out);
    return out;
  }

 private:
  std::optional<MemoryProbe> probe_;
  UncoreMemory uncore_;
  std::unique_ptr<Nvml> nvml_;
  std::vector<void*> cards_;
};

Sampler::Sampler(Recorder& recorder, SamplerConfig config)
    : recorder_(recorder), config_(std::move(config)), lane_(recorder.lane("sampler")) {
  if (!recorder_.is_on()) return;
  sources_ = std::make_unique<Sources>(config_);
  thread_ = std::jthread([this](std::stop_token stop) { run(stop); });
}

Sampler::~Sampler() = default;  // the thread ends first

void Sampler::run(std::stop_token stop) {
  Sources& sources = *sources_;
  std::mutex mutex;
  std::condition_variable_any wake;
  Reading before = sources.host();
  int64_t before_ns = recorder_.now_ns();
  auto next = std::chrono::steady_clock::now();
  do {  // a run shorter than the period has one sample, too
    next += config_.period;
    {
      std::unique_lock lock(mutex);
      wake.wait_until(lock, stop, next, [] { return false; });
    }
    auto probe = stop.stop_requested() ? std::nullopt : sources.probe();
    Reading now = sources.host();
    const int64_t now_ns = recorder_.now_ns(), length = now_ns - before_ns;
    if (probe) now.level("probe_ns", *probe);
    record_pairs(lane_, EventKind::kSampleHost, -1, now_ns, length,
                 describe(before, now, static_cast<double>(length) * 1e-9));
    for (size_t d = 0; d < sources.devices() && !stop.stop_requested(); ++d)
      record_pairs(lane_, EventKind::kSampleDevice, static_cast<int32_t>(d), recorder_.now_ns(), length,
                   describe({}, sources.device(d), 0));
    before = std::move(now);
    before_ns = now_ns;
    // A sample that took longer than the period leaves out those it missed.
    next = std::max(next, std::chrono::steady_clock::now() - config_.period);
  } while (!stop.stop_requested());
}

}  // namespace cuzk::timeline
