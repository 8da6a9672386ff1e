#include "timeline/host_counters.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <unordered_map>

#include "base/executor.hpp"

namespace cuzk::timeline {

namespace {

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

void read_own_usage(Reading& reading) {
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return;
  reading.count("process_cpus", seconds(usage.ru_utime) + seconds(usage.ru_stime));
  reading.count("process_system_cpus", seconds(usage.ru_stime));
  reading.count("minor_faults_per_s", static_cast<double>(usage.ru_minflt));
  reading.count("major_faults_per_s", static_cast<double>(usage.ru_majflt));
  reading.count("voluntary_switches_per_s", static_cast<double>(usage.ru_nvcsw));
  reading.count("involuntary_switches_per_s", static_cast<double>(usage.ru_nivcsw));
}

// "Key: 123 kB" lines.
std::unordered_map<std::string, double> read_table(const std::string& path) {
  std::unordered_map<std::string, double> out;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string key, unit;
    double value;
    if (!(in >> key >> value)) continue;
    if (!key.empty() && key.back() == ':') key.pop_back();
    if (in >> unit && unit == "kB") value *= 1024;
    out[key] = value;
  }
  return out;
}

using Table = std::unordered_map<std::string, double>;
void add_level(Reading& reading, const Table& table, const char* name, const char* key) {
  if (auto it = table.find(name); it != table.end()) reading.level(key, it->second);
}
void add_count(Reading& reading, const Table& table, const char* name, const char* key) {
  if (auto it = table.find(name); it != table.end()) reading.count(key, it->second);
}

void read_stat(Reading& reading, const std::string& proc) {
  std::ifstream file(proc + "/stat");
  const double ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  int cpus = 0;
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string key;
    in >> key;
    if (key == "cpu") {
      double user = 0, nice = 0, system = 0, idle = 0, wait = 0, irq = 0, soft = 0, steal = 0;
      if (!(in >> user >> nice >> system >> idle >> wait >> irq >> soft)) continue;
      reading.count("host_cpus", (user + nice + system + irq + soft) / ticks);
      if (in >> steal) reading.count("stolen_cpus", steal / ticks);
    } else if (key.starts_with("cpu")) {
      ++cpus;
    } else if (double value; key == "ctxt" && in >> value) {
      reading.count("context_switches_per_s", value);
    } else if (key == "procs_running" && in >> value) {
      reading.level("run_queue", value);
    }
  }
  if (cpus > 0) reading.level("cpus", cpus);
}

// How long threads that live were ready to run and had no CPU (the second number of schedstat).
void read_waiting(Reading& reading, const std::string& proc) {
  double waited_ns = 0;
  bool any = false;
  std::error_code error;
  for (std::filesystem::directory_iterator it(proc + "/self/task", error), end; !error && it != end;
       it.increment(error)) {
    std::ifstream file(it->path() / "schedstat");
    double ran, waited;
    if (!(file >> ran >> waited)) continue;
    waited_ns += waited;
    any = true;
  }
  if (any) reading.count("waiting_threads", waited_ns * 1e-9);
}

// The sum over all CPUs of the row "TLB:".
void read_shootdowns(Reading& reading, const std::string& proc) {
  std::ifstream file(proc + "/interrupts");
  for (std::string line; std::getline(file, line);) {
    std::istringstream in(line);
    std::string key;
    in >> key;
    if (key != "TLB:") continue;
    double sum = 0;
    for (double of_cpu; in >> of_cpu;) sum += of_cpu;
    reading.count("tlb_shootdowns_per_s", sum);
    return;
  }
}

}  // namespace

void read_host(Reading& reading, const std::string& proc) {
  const Table status = read_table(proc + "/self/status");
  add_level(reading, status, "VmRSS", "rss_bytes");
  add_level(reading, status, "Threads", "threads");
  read_own_usage(reading);
  read_stat(reading, proc);
  reading.level("allowed_cpus", static_cast<double>(usable_cpus()));
  read_waiting(reading, proc);
  read_shootdowns(reading, proc);
  const Table memory = read_table(proc + "/meminfo");
  add_level(reading, memory, "MemAvailable", "available_bytes");
  add_level(reading, memory, "AnonHugePages", "host_anon_huge_bytes");
  add_level(reading, memory, "HugePages_Total", "huge_pages_total");
  add_level(reading, memory, "HugePages_Free", "huge_pages_free");
  const Table vm = read_table(proc + "/vmstat");
  add_count(reading, vm, "thp_fault_alloc", "huge_faults_per_s");
  add_count(reading, vm, "thp_split_page", "huge_splits_per_s");
  add_count(reading, vm, "pswpout", "swap_outs_per_s");
}

}  // namespace cuzk::timeline
