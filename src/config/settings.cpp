#include "config/settings.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>

// toml++ 3.3 asserts what a damaged text does not fulfil: "[." ends a process with assertions, and is
// undefined where clang compiles without them. Here it is an error.
namespace {
[[noreturn]] void refuse_toml() {
  throw std::logic_error("not valid TOML");
}
}  // namespace
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expr) ((expr) ? static_cast<void>(0) : refuse_toml())
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace cuzk {

namespace {

constexpr uint64_t kMostCount = 4096;
constexpr uint64_t kMostBytes = uint64_t{1} << 60;
constexpr uint64_t kMostMs = 24ull * 3600 * 1000;

const Setting* find_setting(std::string_view key) {
  for (const Setting& s : setting_table())
    if (key == s.key) return &s;
  return nullptr;
}

std::string unknown_key(const std::string& key) {
  std::string known;
  for (const Setting& s : setting_table()) known += std::string(known.empty() ? "" : ", ") + s.key;
  return "unknown setting '" + key + "'; there are: " + known;
}

std::string expectation(const Setting& s) {
  switch (s.unit) {
    case Setting::Unit::kSwitch:
      return "true or false";
    case Setting::Unit::kBytes:
      return "a number of bytes, or a string like \"16 GiB\" or \"auto\"";
    default:
      return "a number from " + std::to_string(s.least) + " to " + std::to_string(s.most);
  }
}

Status set_number(Settings& settings, const Setting& s, uint64_t value) {
  if (value < s.least || value > s.most)
    return invalid(std::string(s.key) + ": found " + std::to_string(value) + ", expected " + expectation(s));
  settings.*std::get<uint64_t Settings::*>(s.field) = value;
  return {};
}

// "16 GiB", "16GiB", "1024", "auto".
std::optional<uint64_t> parse_bytes(std::string_view text) {
  if (text == "auto") return 0;
  uint64_t number;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  std::string_view suffix = text.substr(static_cast<size_t>(end - text.data()));
  while (suffix.starts_with(' ')) suffix.remove_prefix(1);
  constexpr std::string_view kSuffixes[] = {"", "KiB", "MiB", "GiB", "TiB"};
  auto it = std::find(std::begin(kSuffixes), std::end(kSuffixes), suffix);
  if (it == std::end(kSuffixes)) return std::nullopt;
  int shift = static_cast<int>(10 * (it - std::begin(kSuffixes)));
  if (number > std::numeric_limits<uint64_t>::max() >> shift) return std::nullopt;
  return number << shift;
}

Status set_text(Settings& settings, const Setting& s, std::string_view text) {
  if (s.unit == Setting::Unit::kSwitch) {
    if (text != "true" && text != "false")
      return invalid(std::string(s.key) + ": found '" + std::string(text) + "', expected " + expectation(s));
    settings.*std::get<bool Settings::*>(s.field) = text == "true";
    return {};
  }
  std::optional<uint64_t> value;
  if (s.unit == Setting::Unit::kBytes) {
    value = parse_bytes(text);
  } else {
    uint64_t number;
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc() && end == text.data() + text.size()) value = number;
  }
  if (!value)
    return invalid(std::string(s.key) + ": found '" + std::string(text) + "', expected " + expectation(s));
  return set_number(settings, s, *value);
}

Status set_node(Settings& settings, const Setting& s, const toml::node& node) {
  if (s.unit == Setting::Unit::kSwitch) {
    if (!node.is_boolean()) return invalid(std::string(s.key) + ": expected " + expectation(s));
    settings.*std::get<bool Settings::*>(s.field) = node.as_boolean()->get();
    return {};
  }
  if (auto* number = node.as_integer()) {
    if (number->get() < 0)
      return invalid(std::string(s.key) + ": found " + std::to_string(number->get()) + ", expected " +
                     expectation(s));
    return set_number(settings, s, static_cast<uint64_t>(number->get()));
  }
  if (auto* text = node.as_string(); text != nullptr && s.unit == Setting::Unit::kBytes)
    return set_text(settings, s, text->get());
  return invalid(std::string(s.key) + ": expected " + expectation(s));
}

// What no configuration has, and toml++ 3.3 cannot take. Keys of many dots: it makes a table for each and
// frees them by recursion, 50,000 end the process; with values nested in values, of which it allows 256, a
// line each, tables now stay below 10,000 deep. Letters beyond ASCII outside comments: asked whether one is a
// space, it may have no answer, which is undefined. Strings of several lines, without which a line says what
// is comment.
Status check_line(std::string_view line) {
  constexpr int kMostDots = 32;
  int dots = 0;
  char quote = 0;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (quote == 0 && c == '#') break;
    if (static_cast<unsigned char>(c) >= 0x80)
      return invalid("found a letter beyond ASCII, which only comments may have");
    if (c == '.' && ++dots > kMostDots)
      return invalid("more than " + std::to_string(kMostDots) + " dots; keys are section.name");
    if (quote != 0) {
      if (c == '\\' && quote == '"')
        ++i;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      if (line.substr(i).starts_with(std::string(3, c)))
        return invalid("found a string of several lines; no setting has one");
      quote = c;
    }
  }
  return {};
}

Status check_lines(std::string_view text, const std::string& name) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (size_t line = 1; !text.empty(); ++line) {
    const size_t size = std::min(text.find('\n'), text.size() - 1) + 1;
    if (Status status = check_line(text.substr(0, size)); !status)
      return tl::unexpected<Error>(status.error().at(name + ", line " + std::to_string(line)));
    text.remove_prefix(size);
  }
  return {};
}

std::string place(const std::string& name, const toml::source_region& where) {
  return name + ", line " + std::to_string(where.begin.line);
}

}  // namespace

const std::vector<Setting>& setting_table() {
  using enum Setting::Unit;
  static const std::vector<Setting> table = {
      {"synthesis.workers", kCount, &Settings::synthesis_workers, 0, kMostCount, "as many as CPUs",
       "partitions synthesised at the same time"},
      {"synthesis.throttle", kSwitch, &Settings::throttle, 0, 0, nullptr,
       "synthesis pauses while a tail on the CPU runs (at most 2 s at a time)"},
      {"synthesis.max_ready_partitions", kCount, &Settings::max_ready_partitions, 0, kMostCount,
       "only memory limits it", "partitions synthesised ahead of the devices, at most"},
      {"gpus.gpu_workers_per_device", kCount, &Settings::gpu_workers_per_device, 1, 64, nullptr,
       "workers that share a device: one computes, the others prepare or finish"},
      {"gpus.reserved_lane", kSwitch, &Settings::reserved_lane, 0, 0, nullptr,
       "one more synthesis worker, and one more worker a device, that take critical jobs only"},
      {"cpu.device_threads", kCount, &Settings::device_threads, 0, kMostCount, "all CPUs the process may use",
       "threads of the CPU device"},
      {"cpu.finishers", kCount, &Settings::finishers, 1, kMostCount, nullptr,
       "partitions whose tail, assembly and check run at the same time"},
      {"cpu.tail_threads", kCount, &Settings::tail_threads, 0, kMostCount,
       "the sum in G2 is made on the device's threads, while the device is held",
       "threads of the CPU device's tail, the sum in G2 after the device was let go"},
      {"memory.budget", kBytes, &Settings::memory_budget, 0, kMostBytes,
       "seven eighths of the memory that the machine and its control group allow",
       "keys, witnesses and scratch together never exceed it"},
      {"memory.critical_reserve", kBytes, &Settings::critical_reserve, 0, kMostBytes, "none",
       "part of the budget that only critical jobs may use"},
      {"memory.deferred_release", kSwitch, &Settings::deferred_release, 0, 0, nullptr,
       "large buffers are freed by one thread, one after the other"},
      {"memory.huge_pages", kSwitch, &Settings::huge_pages, 0, 0, nullptr,
       "the CPU device's vectors ask for transparent huge pages"},
      {"memory.buffer_pool", kBytes, &Settings::buffer_pool, 0, kMostBytes, "they are unmapped",
       "idle vectors of the CPU device kept for the next proof, at most; taken off the budget"},
      {"timeline.record", kSwitch, &Settings::record, 0, 0, nullptr,
       "events are recorded; without them a benchmark says nothing of stages and devices"},
      {"timeline.samples", kSwitch, &Settings::samples, 0, 0, nullptr,
       "a recorded timeline also holds samples of the host and of the devices"},
      {"timeline.sample_period_ms", kMilliseconds, &Settings::sample_period_ms, 10, 3'600'000, nullptr,
       "from one sample to the next"},
      {"timeline.memory_probe", kSwitch, &Settings::memory_probe, 0, 0, nullptr,
       "samples time loads from memory: 256 MiB, and a millisecond of a CPU each"},
      {"retry.max_attempts", kCount, &Settings::max_attempts, 1, 100, nullptr,
       "attempts a partition, the first included"},
      {"retry.pause_ms", kMilliseconds, &Settings::retry_pause_ms, 0, kMostMs, nullptr,
       "pause before another attempt"},
      {"retry.quarantine_after", kCount, &Settings::quarantine_after, 1, 1000, nullptr,
       "failures in a row after which a device gets no more work"},
      {"retry.quarantine_pause_ms", kMilliseconds, &Settings::quarantine_pause_ms, 1, kMostMs, nullptr,
       "pause before a quarantined device is tested, and between tests"},
  };
  return table;
}

Status apply_toml(Settings& settings, const std::string& text, const std::string& name) {
  CUZK_TRY(check_lines(text, name));
  toml::table root;
  try {
    root = toml::parse(text, name);
  } catch (const toml::parse_error& e) {
    return invalid(place(name, e.source()) + ": " + std::string(e.description()));
  } catch (const std::logic_error& e) {
    return invalid(name + ": " + e.what());
  }
  Settings changed = settings;
  for (const auto& [section, node] : root) {
    std::string section_name(section.str());
    const toml::table* table = node.as_table();
    if (table == nullptr) return invalid(place(name, node.source()) + ": " + unknown_key(section_name));
    for (const auto& [key, value] : *table) {
      std::string full = section_name + "." + std::string(key.str());
      const Setting* setting = find_setting(full);
      if (setting == nullptr) return invalid(place(name, value.source()) + ": " + unknown_key(full));
      auto status = set_node(changed, *setting, value);
      if (!status) return tl::unexpected<Error>(status.error().at(place(name, value.source())));
    }
  }
  settings = changed;
  return {};
}

Status apply_toml_file(Settings& settings, const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return fail(ErrorCode::kNotFound, path + ": cannot open the configuration file");
  std::ostringstream text;
  text << file.rdbuf();
  return apply_toml(settings, text.str(), path);
}

Status apply_assignment(Settings& settings, const std::string& assignment) {
  size_t eq = assignment.find('=');
  if (eq == std::string::npos) return invalid("--set " + assignment + ": expected key=value");
  std::string key = assignment.substr(0, eq);
  const Setting* setting = find_setting(key);
  if (setting == nullptr) return invalid("--set: " + unknown_key(key));
  auto status = set_text(settings, *setting, std::string_view(assignment).substr(eq + 1));
  if (!status) return tl::unexpected<Error>(status.error().at("--set"));
  return {};
}

std::string setting_value(const Settings& settings, const Setting& s) {
  if (s.unit == Setting::Unit::kSwitch)
    return settings.*std::get<bool Settings::*>(s.field) ? "true" : "false";
  uint64_t value = settings.*std::get<uint64_t Settings::*>(s.field);
  if (s.unit == Setting::Unit::kBytes && value == 0 && s.key == std::string_view("memory.budget"))
    return "\"auto\"";
  return std::to_string(value);
}

std::string describe_changes(const Settings& settings) {
  std::string out;
  const Settings defaults;
  for (const Setting& s : setting_table()) {
    std::string value = setting_value(settings, s);
    if (value != setting_value(defaults, s)) out += std::string(out.empty() ? "" : ";") + s.key + "=" + value;
  }
  return out;
}

std::string settings_page() {
  std::string out =
      "# Configuration\n\n"
      "Made from the table in `src/config/settings.cpp`; a test keeps this page equal to it.\n\n"
      "A TOML file (`--config FILE`), then `--set section.name=value` flags, which win. Unknown keys and "
      "values that cannot\n"
      "be read are errors that name the line. Bytes are numbers, or strings like `\"16 GiB\"`. Only comments "
      "may\n"
      "hold letters beyond ASCII.\n\n"
      "| key | default | range | what |\n|---|---|---|---|\n";
  const Settings defaults;
  for (const Setting& s : setting_table()) {
    std::string range = s.unit == Setting::Unit::kSwitch ? "true, false"
                        : s.unit == Setting::Unit::kBytes
                            ? "bytes"
                            : std::to_string(s.least) + " to " + std::to_string(s.most);
    out += std::string("| `") + s.key + "` | `" + setting_value(defaults, s) + "` | " + range + " | " +
           s.help + (s.zero != nullptr ? std::string("; 0: ") + s.zero : std::string()) + " |\n";
  }
  return out;
}

}  // namespace cuzk
