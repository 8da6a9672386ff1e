#include "timeline/memory_traffic.hpp"

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>

namespace cuzk::timeline {

namespace fs = std::filesystem;

namespace {

std::string first_line(const fs::path& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

// Decimal, or hexadecimal with 0x.
std::optional<uint64_t> parse_number(std::string_view text) {
  int base = 10;
  if (text.starts_with("0x")) {
    base = 16;
    text.remove_prefix(2);
  }
  uint64_t value;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void read_resctrl(Reading& reading, const std::string& root) {
  std::error_code error;
  double sum = 0;
  bool any = false;
  for (const auto& domain : fs::directory_iterator(root + "/mon_data", error)) {
    if (!domain.path().filename().string().starts_with("mon_L3_")) continue;
    // "Unavailable" in one domain: the sum would be wrong.
    auto bytes = parse_number(first_line(domain.path() / "mbm_total_bytes"));
    if (!bytes) return;
    sum += static_cast<double>(*bytes);
    any = true;
  }
  if (any) reading.count("resctrl_bytes_per_s", sum);
}

bool encode_perf_event(const std::string& text, const std::string& format, uint64_t& config) {
  config = 0;
  for (size_t at = 0; at < text.size();) {
    size_t end = std::min(text.find(',', at), text.size());
    std::string term = text.substr(at, end - at);
    at = end + 1;
    size_t eq = term.find('=');
    auto value = eq == std::string::npos ? std::optional<uint64_t>(1) : parse_number(term.substr(eq + 1));
    std::string place = first_line(fs::path(format) / term.substr(0, eq));
    constexpr std::string_view kConfig = "config:";
    if (!value || !place.starts_with(kConfig)) return false;
    std::string low = place.substr(kConfig.size());
    low.resize(std::min(low.find('-'), low.size()));
    auto shift = parse_number(low);
    if (!shift || *shift > 63) return false;
    config |= *value << *shift;
  }
  return true;
}

UncoreMemory::UncoreMemory(const std::string& pmus) {
  std::error_code error;
  for (const auto& pmu : fs::directory_iterator(pmus, error)) {
    std::string name = pmu.path().filename().string();
    if (name.starts_with("uncore_imc_") && name.find("free_running") == std::string::npos)
      open_pmu(pmu.path().string());
  }
}

UncoreMemory::~UncoreMemory() {
  for (const Counter& c : counters_) ::close(c.fd);
}

void UncoreMemory::open_pmu(const std::string& folder) {
  open_event(folder, "cas_count_read", false);
  open_event(folder, "cas_count_write", true);
}

void UncoreMemory::open_event(const std::string& folder, const char* name, bool writes) {
  auto type = parse_number(first_line(folder + "/type"));
  uint64_t config;
  std::string event = first_line(folder + "/events/" + name);
  int opened = 0;
  if (type && !event.empty() && encode_perf_event(event, folder + "/format", config)) {
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = static_cast<uint32_t>(*type);
    attr.config = config;
    // One CPU of each socket: "0,48".
    std::string cpus = first_line(folder + "/cpumask");
    for (size_t at = 0; at < cpus.size();) {
      size_t end = std::min(cpus.find(',', at), cpus.size());
      auto cpu = parse_number(cpus.substr(at, end - at));
      at = end + 1;
      constexpr double kCacheLine = 64;
      int fd = !cpu ? -1
                    : static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, static_cast<int>(*cpu), -1,
                                               PERF_FLAG_FD_CLOEXEC));
      if (fd < 0) {
        complete_[writes] = false;
      } else {
        ++opened;
        counters_.push_back({fd, kCacheLine, writes});
      }
    }
  }
  if (opened == 0) complete_[writes] = false;
}

void UncoreMemory::read(Reading& reading) const {
  double bytes[2] = {0, 0};
  bool any[2] = {false, false};
  for (const Counter& c : counters_) {
    uint64_t count;
    if (::read(c.fd, &count, sizeof count) != sizeof count) return;
    bytes[c.writes] += static_cast<double>(count) * c.bytes_a_count;
    any[c.writes] = true;
  }
  if (any[0] && complete_[0]) reading.count("uncore_read_bytes_per_s", bytes[0]);
  if (any[1] && complete_[1]) reading.count("uncore_write_bytes_per_s", bytes[1]);
}

}  // namespace cuzk::timeline
