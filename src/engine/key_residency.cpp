#include "engine/key_residency.hpp"

#include "base/check.hpp"

namespace cuzk::engine {

using timeline::EventKind;

KeyResidency::Key& KeyResidency::entry(const CircuitPlan& plan) {
  auto [it, fresh] = keys_.try_emplace(plan.circuit);
  if (fresh) it->second.plan = plan;
  return it->second;
}

std::optional<KeyState> KeyResidency::state(const std::string& circuit) const {
  auto it = keys_.find(circuit);
  if (it == keys_.end()) return std::nullopt;
  return it->second.state;
}

uint32_t KeyResidency::users(const std::string& circuit) const {
  auto it = keys_.find(circuit);
  return it == keys_.end() ? 0 : it->second.users;
}

bool KeyResidency::has_place(const std::string& circuit) const {
  auto it = keys_.find(circuit);
  return it != keys_.end() && it->second.reserved && it->second.state != KeyState::kEvicting;
}

void KeyResidency::record_memory(EventKind kind, const Key& key, TimeNs now) {
  lane_.record(
      kind, {.detail = memory_detail(MemoryTag::kKey, key.plan.key_bytes, memory_.used()), .time_ns = now});
}

// Unless one is on its way out already.
void KeyResidency::evict_oldest_idle(const Key& except) {
  Key* oldest = nullptr;
  for (auto& [name, key] : keys_) {
    if (key.state == KeyState::kEvicting) return;
    bool idle = key.state == KeyState::kResident && key.users == 0 && &key != &except;
    if (idle && (oldest == nullptr || key.last_used < oldest->last_used)) oldest = &key;
  }
  if (oldest != nullptr) oldest->state = KeyState::kEvicting;
}

void KeyResidency::make_room(Key& key, uint64_t beside, bool critical) {
  if (key.state == KeyState::kEvicting) return;
  if (!key.reserved) key.reserved = memory_.try_reserve(MemoryTag::kKey, key.plan.key_bytes, critical);
  if (!key.reserved || !memory_.fits(beside, critical)) evict_oldest_idle(key);
}

void KeyResidency::make_room(const CircuitPlan& plan, uint64_t beside, bool critical) {
  make_room(entry(plan), beside, critical);
}

std::optional<KeyTask> KeyResidency::next_task(TimeNs now) {
  for (auto& [name, key] : keys_)
    if (key.wanted_ahead && key.state == KeyState::kWanted) make_room(key, 0, false);
  for (auto& [name, key] : keys_)
    if (key.state == KeyState::kEvicting && key.users == 0 && !key.evicting) {
      key.evicting = true;
      lane_.record(
          EventKind::kKeyEvict,
          {.detail = "key=" + name + ";bytes=" + std::to_string(key.plan.key_bytes), .time_ns = now});
      return KeyTask{KeyTask::Kind::kEvict, name};
    }
  for (auto& [name, key] : keys_)
    if (key.state == KeyState::kWanted && key.reserved) {
      key.state = KeyState::kLoading;
      record_memory(EventKind::kMemoryReserved, key, now);
      return KeyTask{KeyTask::Kind::kLoad, name};
    }
  return std::nullopt;
}

void KeyResidency::loaded(const std::string& circuit, bool good, TimeNs now) {
  Key& key = keys_.at(circuit);
  key.wanted_ahead = false;
  if (good) {
    key.state = KeyState::kResident;
    key.last_used = now;
    return;
  }
  // The entry stays: partitions that already counted on the key are still among its users.
  key.state = KeyState::kWanted;
  key.reserved = false;
  memory_.release(MemoryTag::kKey, key.plan.key_bytes);
  record_memory(EventKind::kMemoryReleased, key, now);
}

void KeyResidency::evicted(const std::string& circuit, TimeNs now) {
  Key& key = keys_.at(circuit);
  CUZK_CHECK(key.state == KeyState::kEvicting && key.users == 0);
  memory_.release(MemoryTag::kKey, key.plan.key_bytes);
  record_memory(EventKind::kMemoryReleased, key, now);
  keys_.erase(circuit);
}

void KeyResidency::give_back(const std::string& circuit, TimeNs now) {
  Key& key = keys_.at(circuit);
  CUZK_CHECK(key.users > 0);
  --key.users;
  key.last_used = now;
}

}  // namespace cuzk::engine
