#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "timeline/csv.hpp"
#include "timeline/kept_events.hpp"
#include "timeline/reader.hpp"
#include "timeline/recorder.hpp"

namespace cuzk::timeline {
namespace {

TEST(TimelineCsv, RoundTripsEveryKindAndOddTexts) {
  for (size_t k = 0; k < kEventKinds; ++k) {
    Event event{1234567000, k % 2 ? -1 : 42000, static_cast<EventKind>(k), "job-7", "gpu0.1", 3,
                0,          "a=1;b=x"};
    auto parsed =
        parse_event(std::string_view(format_event(event)).substr(0, format_event(event).size() - 1));
    ASSERT_TRUE(parsed.has_value()) << event_name(event.kind);
    EXPECT_EQ(*parsed, event);
  }
  Event odd{0, 0, EventKind::kJobFailed, "a,\"b\"", "#w", -1, -1, "error=no, \"really\""};
  std::string line = format_event(odd);
  line.pop_back();
  EXPECT_EQ(parse_event(line), odd);
  EXPECT_EQ(parse_event(line + "\r"), odd);
}

TEST(TimelineCsv, RefusesWhatItCannotRead) {
  for (const char* line :
       {"", "x", "1.0,SYNTH_END", "1.0,NOPE,j,w,1,0,1.0,", "x,SYNTH_END,j,w,1,0,1.0,",
        "1.0,SYNTH_END,j,w,one,0,1.0,", "1.0,SYNTH_END,j,w,1,0,-5,", "1.0,SYNTH_END,\"j,w,1,0,1.0,",
        "1.0,SYNTH_END,j,w,1,0,1.0,d,e", "inf,SYNTH_END,j,w,1,0,1.0,", "1e300,SYNTH_END,j,w,1,0,1,"})
    EXPECT_FALSE(parse_event(line).has_value()) << line;
}

TEST(TimelineReader, ReadsReferenceLinesBehindPrefixes) {
  std::istringstream in(
      "Nov 29 10:00:00 host cuzk[123]: TIMELINE,100,SYNTH_START,job-a,partition=0\n"
      "other output\n"
      "TIMELINE,250,SYNTH_END,job-a,partition=0,synth_ms=150\n"
      "TIMELINE,240,GPU_QUEUE,job-b,monolithic\n"
      "TIMELINE,260,GPU_START,job-a,worker=1,partition=0\r\n"
      "TIMELINE,900,GPU_END,job-a,worker=1,partition=0,gpu_ms=640\n"
      "TIMELINE,xx,GPU_END,job-a,worker=1\n"
      "TIMELINE,901,GPU_END\n"
      "MYTIMELINE,902,GPU_END,job-a\n");
  auto timeline = read_timeline(in, "log");
  ASSERT_TRUE(timeline.has_value()) << timeline.error().message;
  EXPECT_EQ(timeline->source, Source::kReferenceLog);
  EXPECT_EQ(timeline->quality.events, 5u);
  EXPECT_EQ(timeline->quality.malformed, 2u);
  EXPECT_EQ(timeline->quality.ignored, 2u);
  EXPECT_EQ(timeline->quality.reordered, 1u);
  const Entry& last = timeline->entries.back();
  EXPECT_EQ(last.duration_ns, 640'000'000);
  EXPECT_EQ(last.partition, 0);
  EXPECT_EQ(timeline->worker(last), "gpu-worker1");
  EXPECT_EQ(timeline->job(last), "job-a");
  EXPECT_EQ(timeline->detail(timeline->entries[1]), "monolithic");
}

// What the reference writes beside its events, and what loggers put in front of them.
TEST(TimelineReader, LivesWithRealLogs) {
  std::istringstream in(
      "-- Journal begins at Mon 2026-11-02 08:00:00 UTC. --\n"
      "2026-11-29T10:00:00+0000 host cuzk[123]: TIMELINE,100,GPU_PICKUP,a,worker=0,partition=3\n"
      "Nov 29 10:00:00 host cuzk[123]: CUZK_TIMING: gpu_tid=0 ntt_msm_h_ms=690\n"
      "2026-11-29T10:00:01.123456Z stderr F TIMELINE,110,GPU_START,a,worker=0,partition=3\n"
      "prover  | TIMELINE,120,CHAN_SEND,b,partition=1\n"
      "\x1b[2m2026-11-29\x1b[0m \x1b[32m INFO\x1b[0m cuzk: TIMELINE of the run follows\n"
      "TIMELINE,130,SYNTH_START,c,kind=porep-c2\n"
      "TIMELINE,140,SYNTH_END,c,synth_ms=10\n"
      "\x1b[33mTIMELINE,150,GPU_END,a,worker=0,partition=3,gpu_ms=40\x1b[0m\n"
      "TIMELINE,160,GPU_END,a,worker=0,partition=3,gpu_");  // cut off
  auto timeline = read_timeline(in, "log");
  ASSERT_TRUE(timeline.has_value()) << timeline.error().message;
  EXPECT_EQ(timeline->quality.lines, 10u);
  EXPECT_EQ(timeline->quality.events, 7u);
  EXPECT_EQ(timeline->quality.malformed, 0u);
  EXPECT_EQ(timeline->entries[2].kind, EventKind::kDeviceQueue);
  EXPECT_EQ(timeline->detail(timeline->entries[3]), "kind=porep-c2");
  EXPECT_EQ(timeline->entries[5].duration_ns, 40'000'000);
  EXPECT_EQ(timeline->entries[6].duration_ns, -1);
}

TEST(TimelineReader, SaysWhenThereIsNothing) {
  std::istringstream in("hello\n");
  auto timeline = read_timeline(in, "x.log");
  ASSERT_FALSE(timeline.has_value());
  EXPECT_NE(timeline.error().message.find("x.log"), std::string::npos);
  EXPECT_FALSE(read_timeline("/nonexistent/t.csv").has_value());
}

TEST(Recorder, ThreadsWriteOneFile) {
  std::string path = (std::filesystem::temp_directory_path() / "cuzk_recorder_test.csv").string();
  {
    auto sink = open_csv(path, make_header("test", "threads=4"));
    ASSERT_TRUE(sink.has_value());
    Recorder recorder(std::move(*sink), monotonic_clock(), /*threaded=*/true);
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      auto& lane = recorder.lane("w" + std::to_string(t));
      threads.emplace_back([&lane] {
        for (int i = 0; i < 500; ++i)
          lane.record(EventKind::kSynthEnd, {.job = "j", .partition = i, .duration_ns = 5});
      });
    }
  }
  auto timeline = read_timeline(path);
  ASSERT_TRUE(timeline.has_value()) << timeline.error().message;
  EXPECT_EQ(timeline->source, Source::kCuzk);
  EXPECT_EQ(timeline->entries.size(), 2000u);
  EXPECT_EQ(timeline->header.config, "threads=4");
  EXPECT_EQ(timeline->quality.malformed, 0u);
  EXPECT_EQ(timeline->workers.size(), 5u);
  std::filesystem::remove(path);
}

TEST(Recorder, CountsWhatItDrops) {
  std::vector<Event> events;
  int64_t now = 0;
  Recorder recorder(std::make_unique<KeptEvents>(events), [&] { return now++; }, /*threaded=*/false);
  auto& lane = recorder.lane("w");
  for (int i = 0; i < 1500; ++i) lane.record(EventKind::kDeviceQueue);
  recorder.drain();
  ASSERT_EQ(events.size(), 1025u);
  EXPECT_EQ(events.back().kind, EventKind::kDropped);
  EXPECT_EQ(detail_value(events.back().detail, "count"), "476");
  lane.record(EventKind::kDeviceQueue);
  recorder.drain();
  EXPECT_EQ(events.size(), 1026u);
}

TEST(Recorder, OffDoesNothing) {
  Recorder recorder(nullptr, monotonic_clock(), true);
  auto& lane = recorder.lane("w");
  for (int i = 0; i < 3000; ++i) lane.record(EventKind::kDeviceQueue, {.detail = std::string(1000, 'x')});
  recorder.drain();
  EXPECT_FALSE(recorder.is_on());
}

TEST(DetailValue, FindsWholeKeysOnly) {
  EXPECT_EQ(detail_value("bytes=5;tag=srs;x_tag=1", "tag"), "srs");
  EXPECT_EQ(detail_value("x_tag=1", "tag"), std::nullopt);
  EXPECT_EQ(detail_value("a=", "a"), "");
  EXPECT_EQ(detail_value("", "a"), std::nullopt);
}

}  // namespace
}  // namespace cuzk::timeline
