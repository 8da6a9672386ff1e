#include "engine/memory_budget.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "base/check.hpp"

namespace cuzk::engine {

const char* memory_tag_name(MemoryTag tag) {
  switch (tag) {
    case MemoryTag::kKey:
      return "key";
    case MemoryTag::kWitness:
      return "witness";
    case MemoryTag::kScratch:
      return "scratch";
  }
  return "?";
}

std::string memory_detail(MemoryTag tag, uint64_t bytes, uint64_t used) {
  return std::string("tag=") + memory_tag_name(tag) + ";bytes=" + std::to_string(bytes) +
         ";used=" + std::to_string(used);
}

bool MemoryBudget::try_reserve(MemoryTag tag, uint64_t bytes, bool critical) {
  if (!fits(bytes, critical)) return false;
  used_ += bytes;
  by_tag_[static_cast<size_t>(tag)] += bytes;
  peak_ = std::max(peak_, used_);
  return true;
}

void MemoryBudget::release(MemoryTag tag, uint64_t bytes) {
  uint64_t& of_tag = by_tag_[static_cast<size_t>(tag)];
  CUZK_CHECK(bytes <= of_tag && bytes <= used_);
  of_tag -= bytes;
  used_ -= bytes;
}

namespace {

std::optional<uint64_t> read_number(const std::string& path) {
  std::ifstream file(path);
  uint64_t value;
  if (!(file >> value)) return std::nullopt;  // also "max"
  return value;
}

uint64_t physical_bytes(const std::string& proc_root) {
  std::ifstream file(proc_root + "/meminfo");
  std::string key, unit;
  uint64_t kib;
  while (file >> key >> kib) {
    if (key == "MemTotal:") return kib * 1024;
    std::getline(file, unit);
  }
  return 0;
}

// Every level from the process's own group up to the root may hold a limit.
void apply_limits(const std::string& root, std::string group, const std::string& file, uint64_t& bytes) {
  for (;;) {
    if (auto limit = read_number(root + group + "/" + file)) bytes = std::min(bytes, *limit);
    if (group.empty() || group == "/") return;
    group.resize(group.find_last_of('/'));
  }
}

}  // namespace

uint64_t automatic_budget_bytes(const std::string& proc_root, const std::string& cgroup_root) {
  uint64_t bytes = physical_bytes(proc_root);
  std::ifstream groups(proc_root + "/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {  // hierarchy:controllers:path
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    std::string controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (path.empty() || path[0] != '/') continue;
    if (controllers.empty()) apply_limits(cgroup_root, path, "memory.max", bytes);
    if (("," + controllers + ",").find(",memory,") != std::string::npos)
      apply_limits(cgroup_root + "/memory", path, "memory.limit_in_bytes", bytes);
  }
  // In a container the group's own files are often mounted at the root whatever the path says.
  apply_limits(cgroup_root, "", "memory.max", bytes);
  apply_limits(cgroup_root + "/memory", "", "memory.limit_in_bytes", bytes);
  return bytes - bytes / 8;
}

uint64_t automatic_budget_bytes() {
  return automatic_budget_bytes("/proc", "/sys/fs/cgroup");
}

}  // namespace cuzk::engine
