#include "timeline/sampler.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "timeline/host_counters.hpp"
#include "timeline/kept_events.hpp"
#include "timeline/memory_probe.hpp"
#include "timeline/memory_traffic.hpp"
#include "timeline/nvml.hpp"

namespace cuzk::timeline {
namespace {

namespace fs = std::filesystem;

struct Folder {
  explicit Folder(const char* name) : path(fs::temp_directory_path() / name) { fs::remove_all(path); }
  ~Folder() { fs::remove_all(path); }
  void write(const std::string& name, const std::string& text) const {
    fs::create_directories((path / name).parent_path());
    std::ofstream(path / name) << text;
  }
  fs::path path;
};

double value_of(const Reading& reading, const char* key) {
  const Quantity* q = reading.find(key);
  return q == nullptr ? -1 : q->value;
}

TEST(Readings, RatesOfCountsLevelsAsTheyAre) {
  Reading before, now;
  before.count("faults_per_s", 100);
  before.count("reset_per_s", 100);
  now.count("faults_per_s", 150);
  now.count("reset_per_s", 5);
  now.count("new_per_s", 5);
  now.level("rss_bytes", 12345678901.0);
  now.level("share", 0.12345);
  EXPECT_EQ(describe(before, now, 2),
            (std::vector<std::string>{"faults_per_s=25", "rss_bytes=12345678901", "share=0.123"}));
  EXPECT_EQ(describe(before, now, 0).size(), 2u);
  EXPECT_EQ(join_pairs({"a=1", "b=2", "c=3"}, 7), (std::vector<std::string>{"a=1;b=2", "c=3"}));
}

TEST(HostCounters, ReadGivenFiles) {
  Folder folder("cuzk_proc_test");
  folder.write("self/status", "Name:\tx\nVmRSS:\t   2048 kB\nThreads:\t7\n");
  folder.write("stat",
               "cpu  100 10 50 1000 5 2 3 40 0 0\ncpu0 1 1 1 1 1 1 1 1 0 0\ncpu1 1 1 1 1 1 1 1 1 0 0\n"
               "ctxt 777\nprocs_running 3\n");
  folder.write("interrupts", "   CPU0  CPU1\nLOC:  5  6  Local timer\nTLB:  30  12   TLB shootdowns\n");
  folder.write("meminfo", "MemAvailable:  4 kB\nAnonHugePages:  2048 kB\nHugePages_Total:  9\n");
  folder.write("vmstat", "thp_fault_alloc 11\npswpout 0\n");
  folder.write("self/task/7/schedstat", "5000 1500000000 2\n");
  folder.write("self/task/8/schedstat", "5000 500000000 2\n");
  Reading r;
  read_host(r, folder.path.string());
  EXPECT_EQ(value_of(r, "rss_bytes"), 2048 * 1024);
  EXPECT_EQ(value_of(r, "threads"), 7);
  EXPECT_EQ(value_of(r, "tlb_shootdowns_per_s"), 42);
  EXPECT_EQ(value_of(r, "context_switches_per_s"), 777);
  EXPECT_EQ(value_of(r, "run_queue"), 3);
  EXPECT_EQ(value_of(r, "cpus"), 2);
  EXPECT_GE(value_of(r, "allowed_cpus"), 1);
  EXPECT_DOUBLE_EQ(value_of(r, "waiting_threads"), 2);
  EXPECT_DOUBLE_EQ(value_of(r, "host_cpus"), 165.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
  EXPECT_DOUBLE_EQ(value_of(r, "stolen_cpus"), 40.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
  EXPECT_EQ(value_of(r, "host_anon_huge_bytes"), 2048 * 1024);
  EXPECT_EQ(value_of(r, "huge_pages_total"), 9);
  EXPECT_EQ(value_of(r, "huge_pages_free"), -1);  // not there: not measured
  EXPECT_EQ(value_of(r, "huge_faults_per_s"), 11);
  EXPECT_EQ(value_of(r, "swap_outs_per_s"), 0);
}

TEST(HostCounters, AbsentFilesAreNotMeasured) {
  Reading r;
  read_host(r, "/nonexistent");
  EXPECT_EQ(r.find("rss_bytes"), nullptr);
  EXPECT_EQ(r.find("waiting_threads"), nullptr);
  EXPECT_EQ(r.find("tlb_shootdowns_per_s"), nullptr);
}

TEST(MemoryTraffic, ResctrlSumsItsDomainsOrSaysNothing) {
  Folder folder("cuzk_resctrl_test");
  folder.write("mon_data/mon_L3_00/mbm_total_bytes", "1000\n");
  folder.write("mon_data/mon_L3_01/mbm_total_bytes", "234\n");
  Reading r;
  read_resctrl(r, folder.path.string());
  EXPECT_EQ(value_of(r, "resctrl_bytes_per_s"), 1234);
  folder.write("mon_data/mon_L3_01/mbm_total_bytes", "Unavailable\n");
  Reading half;
  read_resctrl(half, folder.path.string());
  EXPECT_TRUE(half.quantities().empty());
  read_resctrl(half, "/nonexistent");
  EXPECT_TRUE(half.quantities().empty());
}

TEST(MemoryTraffic, EncodesEventsAndLivesWithoutCounters) {
  Folder folder("cuzk_pmu_test");
  folder.write("uncore_imc_0/format/event", "config:0-7\n");
  folder.write("uncore_imc_0/format/umask", "config:8-15\n");
  std::string format = (folder.path / "uncore_imc_0/format").string();
  uint64_t config = 0;
  ASSERT_TRUE(encode_perf_event("event=0x05,umask=0xcf", format, config));
  EXPECT_EQ(config, 0xcf05u);
  EXPECT_FALSE(encode_perf_event("event=0x05,edge=1", format, config));
  EXPECT_FALSE(encode_perf_event("event=x", format, config));
  folder.write("uncore_imc_0/type", "99999\n");  // no such PMU: opening fails
  folder.write("uncore_imc_0/cpumask", "0\n");
  folder.write("uncore_imc_0/events/cas_count_read", "event=0x05,umask=0xcf\n");
  UncoreMemory none(folder.path.string()), nowhere("/nonexistent");
  Reading r;
  none.read(r);
  nowhere.read(r);
  EXPECT_TRUE(r.quantities().empty());
}

TEST(MemoryProbe, VisitsEveryLineAndMeasuresALatency) {
  MemoryProbe small(size_t{1} << 20);
  ASSERT_TRUE(small.ready());
  auto ns = small.measure();
  ASSERT_TRUE(ns.has_value());
  EXPECT_GT(*ns, 0.1);
  EXPECT_LT(*ns, 1e5);
}

TEST(Nvml, AbsentLibraryOrCardIsNotMeasured) {
  EXPECT_EQ(Nvml::open("libcuzk-no-such-library.so"), nullptr);
  EXPECT_EQ(Nvml::open("libm.so.6"), nullptr);  // not a management library
}

TEST(Nvml, ReadsWhatTheCardTells) {
  auto nvml = Nvml::open(CUZK_FAKE_NVML);
  ASSERT_NE(nvml, nullptr);
  EXPECT_EQ(nvml->find("0000:66:00.0"), nullptr);
  void* card = nvml->find("0000:65:00.0");
  ASSERT_NE(card, nullptr);
  Reading r;
  nvml->read(card, r);
  EXPECT_EQ(value_of(r, "clock_sm_mhz"), 1980);
  EXPECT_EQ(value_of(r, "clock_memory_mhz"), 2619);
  EXPECT_EQ(value_of(r, "power_w"), 123.5);
  EXPECT_EQ(value_of(r, "temperature_c"), 41);
  EXPECT_EQ(value_of(r, "throttle_reasons"), 0x20);
  EXPECT_EQ(value_of(r, "throttle_thermal"), 1);
  EXPECT_EQ(value_of(r, "throttle_power"), 0);
  EXPECT_EQ(value_of(r, "pcie_width"), 8);
  EXPECT_EQ(value_of(r, "pcie_rx_bytes_per_s"), 3000 * 1024);
  for (const char* key : {"power_limit_w", "pcie_gen", "memory_used_bytes", "kernel_share"})
    EXPECT_EQ(r.find(key), nullptr) << key;
}

TEST(Sampler, WritesSamplesUntilItEnds) {
  std::vector<Event> events;
  {
    Recorder recorder(std::make_unique<KeptEvents>(events), monotonic_clock(), /*threaded=*/false);
    Sampler sampler(recorder, {.period = std::chrono::milliseconds(20),
                               .memory_probe = false,
                               .device_bus_ids = {"", "0000:65:00.0"},
                               .nvml_library = CUZK_FAKE_NVML});
    std::this_thread::sleep_for(std::chrono::milliseconds(400));
  }
  std::set<int64_t> times;
  bool clock = false, rss = false;
  for (const Event& e : events) {
    EXPECT_EQ(e.worker, "sampler");
    EXPECT_GT(e.duration_ns, 0);
    EXPECT_EQ(e.detail.find('~'), std::string::npos);
    if (e.kind == EventKind::kSampleHost) times.insert(e.time_ns);
    rss |= e.kind == EventKind::kSampleHost && detail_value(e.detail, "rss_bytes").has_value();
    if (e.kind == EventKind::kSampleDevice) {
      EXPECT_EQ(e.device, 1);
      clock |= detail_value(e.detail, "clock_sm_mhz") == "1980";
    }
  }
  EXPECT_GE(times.size(), 2u);
  EXPECT_TRUE(rss && clock);
}

TEST(Sampler, ARecorderThatIsOffHasNoSampler) {
  Recorder off(nullptr, monotonic_clock(), true);
  Sampler sampler(off, {.period = std::chrono::milliseconds(1)});
}

}  // namespace
}  // namespace cuzk::timeline
