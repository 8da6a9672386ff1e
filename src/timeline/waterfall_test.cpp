#include "timeline/waterfall.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "timeline/summary.hpp"

namespace cuzk::timeline {
namespace {

constexpr int64_t kMs = 1'000'000;

Timeline sample() {
  Timeline t;
  auto add = [&](int64_t ms, EventKind kind, const char* worker, int64_t duration_ms, int partition,
                 const char* detail) {
    t.add({ms * kMs, duration_ms < 0 ? -1 : duration_ms * kMs, kind,
           kind == EventKind::kBenchBegin ? "" : "job-1", worker, partition, 0, detail});
  };
  add(0, EventKind::kBenchBegin, "bench", -1, -1, "c=2;j=1");
  add(100, EventKind::kSynthEnd, "synth0", 100, 0, "");
  add(200, EventKind::kSynthEnd, "synth0", 90, 1, "");
  add(105, EventKind::kPrepareEnd, "gpu0.0", 5, 0, "");
  add(106, EventKind::kLockTaken, "gpu0.0", 1, 0, "");
  add(150, EventKind::kDeviceBusy, "gpu0.0", 40, 0, "op=msm");
  add(156, EventKind::kLockReleased, "gpu0.0", 50, 0, "");
  add(1856, EventKind::kLockReleased, "gpu0.0", 50, 1, "");
  add(200, EventKind::kMemoryReserved, "scheduler", -1, 1, "tag=witness;bytes=4096;used=4096");
  add(1900, EventKind::kSampleHost, "sampler", -1, -1, "rss_bytes=1000;note=x");
  add(2000, EventKind::kBenchEnd, "bench", -1, -1, "");
  t.sort();
  return t;
}

TEST(Waterfall, TracksSpansAndGaps) {
  Timeline t = sample();
  auto runs = select_runs(t, "last");
  ASSERT_TRUE(runs.has_value());
  Waterfall w = build_waterfall(t, runs->front());
  ASSERT_EQ(w.tracks.size(), 3u);
  EXPECT_EQ(w.tracks[0].name, "device 0");
  EXPECT_EQ(w.tracks[1].name, "gpu0.0");
  EXPECT_EQ(w.tracks[2].name, "synth0");
  ASSERT_EQ(w.gaps.size(), 1u);
  ASSERT_EQ(w.gaps[0].gaps.size(), 1u);
  EXPECT_EQ(w.gaps[0].gaps[0].duration_ns(), 1650 * kMs);
  EXPECT_EQ(w.gaps[0].gaps[0].next_partition, 1);
  std::string text = render_text(t, w, "", {});
  EXPECT_NE(text.find("1650 ms before job-1 p1 <<<"), std::string::npos) << text;
  EXPECT_NE(text.find("c=2;j=1"), std::string::npos);
  std::string html = render_html(t, {w});
  EXPECT_NE(html.find("host rss_bytes"), std::string::npos);
  EXPECT_EQ(html.find("/*DATA*/null"), std::string::npos);
  std::string trace = render_trace(t, {w});
  EXPECT_NE(trace.find("\"ph\":\"X\""), std::string::npos);
  EXPECT_NE(
      trace.find(
          R"({"ph":"C","pid":1,"tid":0,"ts":1900000.000,"name":"host rss_bytes","args":{"value":1000}})"),
      std::string::npos)
      << trace;
  EXPECT_NE(trace.find(R"("ts":200000.000,"name":"memory reserved","args":{"value":4096})"),
            std::string::npos);
  EXPECT_EQ(trace.find("note"), std::string::npos);  // not a number
}

TEST(Waterfall, JobFilterAndBadRuns) {
  Timeline t = sample();
  EXPECT_TRUE(build_waterfall(t, find_runs(t).front(), "job-9").tracks.empty());
  for (const char* bad : {"0", "2", "x", ""}) EXPECT_FALSE(select_runs(t, bad).has_value()) << bad;
  EXPECT_EQ(select_runs(t, "all")->size(), 1u);
}

TEST(Waterfall, ForeignLogSaysUpperBoundAndSpreadsSynthesis) {
  std::istringstream in(
      "TIMELINE,0,SYNTH_START,a,partition=0\nTIMELINE,0,SYNTH_START,a,partition=1\n"
      "TIMELINE,500,SYNTH_END,a,partition=0,synth_ms=500\nTIMELINE,600,SYNTH_END,a,partition=1,synth_ms=600\n"
      "TIMELINE,900,GPU_END,a,worker=0,partition=0,gpu_ms=300\nTIMELINE,2900,GPU_END,a,worker=0,partition=1,"
      "gpu_ms=300\n");
  auto t = read_timeline(in, "log");
  ASSERT_TRUE(t.has_value());
  Waterfall w = build_waterfall(*t, find_runs(*t).front());
  EXPECT_TRUE(w.upper_bound);
  ASSERT_EQ(w.tracks.size(), 3u);  // one device worker, two synthesis lanes
  EXPECT_EQ(w.gaps[0].longest_ns(), 1700 * kMs);
  EXPECT_NE(render_text(*t, w, "", {}).find("upper bounds"), std::string::npos);
}

// Slices of one thread nest, although a foreign worker begins a partition before the last one's tail has
// ended.
TEST(Waterfall, TraceSlicesNest) {
  std::istringstream in(
      "TIMELINE,900,GPU_END,a,worker=0,partition=0,gpu_ms=500\nTIMELINE,1200,GPU_END,a,worker=0,partition=1,"
      "gpu_ms=500\n"
      "TIMELINE,1300,GPU_END,a,worker=0,partition=2,gpu_ms=100\n");
  auto t = read_timeline(in, "log");
  ASSERT_TRUE(t.has_value());
  std::string trace = render_trace(*t, {build_waterfall(*t, find_runs(*t).front())});
  auto tid_of = [&](const char* label) {
    size_t name = trace.find("\"name\":\"" + std::string(label));
    size_t tid = trace.rfind("\"tid\":", name);
    return trace.substr(tid, trace.find(',', tid) - tid);
  };
  EXPECT_EQ(tid_of("a p0"), "\"tid\":1");
  EXPECT_EQ(tid_of("a p1"), "\"tid\":2");
  EXPECT_EQ(tid_of("a p2"), "\"tid\":1");
}

TEST(Waterfall, TextCannotLeaveItsScript) {
  Timeline t;
  t.add({kMs, kMs / 2, EventKind::kSynthEnd, "</script><b>", "w\"x\\", 0, -1, ""});
  t.sort();
  std::string html = render_html(t, {build_waterfall(t, find_runs(t).front())});
  EXPECT_EQ(html.find("</script><b>"), std::string::npos);
}

}  // namespace
}  // namespace cuzk::timeline

namespace cuzk::timeline {
namespace {

TEST(Summary, SeparatesBusyHeldAndOccupied) {
  Timeline t;
  auto add = [&](int64_t at_ms, EventKind kind, const char* worker, int64_t duration_ms) {
    t.add({at_ms * kMs, duration_ms < 0 ? -1 : duration_ms * kMs, kind, "job-1", worker, 0, 0, ""});
  };
  add(0, EventKind::kJobAccepted, "scheduler", -1);
  add(100, EventKind::kDeviceBusy, "gpu0.0", 60);
  add(100, EventKind::kLockReleased, "gpu0.0", 80);
  add(100, EventKind::kDeviceEnd, "gpu0.0", 100);
  add(200, EventKind::kDeviceBusy, "gpu0.1", 60);
  add(200, EventKind::kLockReleased, "gpu0.1", 80);
  add(200, EventKind::kDeviceEnd, "gpu0.1", 200);
  for (int64_t done : {210, 310, 410}) add(done, EventKind::kJobDone, "scheduler", 200);
  t.sort();
  Summary s = summarise(t, find_runs(t).front());
  EXPECT_DOUBLE_EQ(s.utilisation.device_busy, 0.6);
  EXPECT_DOUBLE_EQ(s.utilisation.interlock_held, 0.8);
  EXPECT_DOUBLE_EQ(s.utilisation.worker_occupied, 0.75);  // 100 and 200 of 200 ms
  EXPECT_EQ(s.jobs_done, 3u);
  EXPECT_DOUBLE_EQ(s.steady_s_per_proof, 0.1);
  EXPECT_NE(to_text(s).find("device busy       60.0 %"), std::string::npos) << to_text(s);
}

TEST(Summary, EmptyRunHasNoFigures) {
  Timeline t;
  t.add({kMs, -1, EventKind::kBenchBegin, "", "bench", -1, -1, ""});
  Summary s = summarise(t, find_runs(t).front());
  EXPECT_EQ(s.jobs_done, 0u);
  EXPECT_LT(s.utilisation.device_busy, 0);
  EXPECT_NE(to_text(s).find("not measured"), std::string::npos);
}

}  // namespace
}  // namespace cuzk::timeline
