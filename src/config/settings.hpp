// Settings of the engine. One table (settings.cpp) gives the TOML keys, the --set flags, the defaults, the
// ranges and the documentation page (docs/configuration.md).
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"

namespace cuzk {

struct Settings {
  // [synthesis]
  uint64_t synthesis_workers = 0;
  bool throttle = false;
  uint64_t max_ready_partitions = 0;
  // [gpus]
  uint64_t gpu_workers_per_device = 2;
  bool reserved_lane = true;
  // [cpu]
  uint64_t device_threads = 0;
  uint64_t finishers = 1;
  uint64_t tail_threads = 0;
  // [memory]
  uint64_t memory_budget = 0;
  uint64_t critical_reserve = 0;
  bool deferred_release = true;
  bool huge_pages = false;
  uint64_t buffer_pool = 0;
  // [timeline]
  bool record = true;
  bool samples = true;
  uint64_t sample_period_ms = 1000;
  bool memory_probe = true;
  // [retry]
  uint64_t max_attempts = 3;
  uint64_t retry_pause_ms = 5000;
  uint64_t quarantine_after = 3;
  uint64_t quarantine_pause_ms = 30000;
};

// One row of the table.
struct Setting {
  const char* key;  // "section.name"
  enum class Unit { kCount, kBytes, kMilliseconds, kSwitch } unit;
  std::variant<uint64_t Settings::*, bool Settings::*> field;
  uint64_t least, most;  // of numbers
  const char* zero;      // what 0 means, or nullptr
  const char* help;
};
const std::vector<Setting>& setting_table();

// Reads a TOML text on top of `settings`. Errors name the line: unknown keys, wrong types, values out of
// range. Bytes are numbers, or strings with a suffix KiB, MiB, GiB, TiB, or "auto" for 0.
Status apply_toml(Settings& settings, const std::string& text, const std::string& name);
Status apply_toml_file(Settings& settings, const std::string& path);
// "section.name=value", as on a command line; after the file.
Status apply_assignment(Settings& settings, const std::string& assignment);

// The value as it would be written in a file.
std::string setting_value(const Settings& settings, const Setting& setting);
// "section.name=value;…" of what differs from the defaults.
std::string describe_changes(const Settings& settings);
// docs/configuration.md.
std::string settings_page();

}  // namespace cuzk
