// Which proving keys are in memory: each is loaded once for all who need it, counted while it is used, and
// evicted, least recently used first, when its place is needed.
//
// Bookkeeping, like the scheduler that it is a part of: no threads, no clock, no keys.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/job.hpp"
#include "engine/memory_budget.hpp"
#include "timeline/recorder.hpp"

namespace cuzk::engine {

struct KeyTask {
  enum class Kind { kLoad, kEvict } kind;
  std::string circuit;
};

enum class KeyState : uint8_t { kWanted, kLoading, kResident, kEvicting };

class KeyResidency {
 public:
  KeyResidency(MemoryBudget& memory, timeline::Recorder::Lane& lane) : memory_(memory), lane_(lane) {}

  // Somebody waits for this key and for `beside` bytes of other memory: reserves the key's place, or sends
  // the oldest key that nobody uses away.
  void make_room(const CircuitPlan& plan, uint64_t beside, bool critical);
  // Wanted before anybody waits for it.
  void want_ahead(const CircuitPlan& plan) { entry(plan).wanted_ahead = true; }

  std::optional<KeyTask> next_task(TimeNs now);
  // The end of a kLoad task. After a failure the key's place is free again, and whoever wants it tries anew.
  void loaded(const std::string& circuit, bool good, TimeNs now);
  // The end of a kEvict task.
  void evicted(const std::string& circuit, TimeNs now);

  // The key is in memory, or its place is reserved and it will be.
  bool has_place(const std::string& circuit) const;
  std::optional<KeyState> state(const std::string& circuit) const;
  bool resident(const std::string& circuit) const { return state(circuit) == KeyState::kResident; }

  // A user keeps the key from being evicted. take() needs has_place().
  void take(const std::string& circuit) { ++keys_.at(circuit).users; }
  void give_back(const std::string& circuit, TimeNs now);
  void touch(const std::string& circuit, TimeNs now) { keys_.at(circuit).last_used = now; }
  uint32_t users(const std::string& circuit) const;

 private:
  struct Key {
    CircuitPlan plan;
    KeyState state = KeyState::kWanted;
    uint32_t users = 0;  // partitions from synthesis to the end of their check
    TimeNs last_used = 0;
    bool wanted_ahead = false;
    bool reserved = false;  // its bytes are reserved
    bool evicting = false;  // the eviction is in a worker's hands
  };
  Key& entry(const CircuitPlan& plan);
  void make_room(Key& key, uint64_t beside, bool critical);
  void evict_oldest_idle(const Key& except);
  void record_memory(timeline::EventKind kind, const Key& key, TimeNs now);

  MemoryBudget& memory_;
  timeline::Recorder::Lane& lane_;
  std::map<std::string, Key> keys_;
};

}  // namespace cuzk::engine
