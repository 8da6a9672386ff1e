#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "diagnosis/analysis.hpp"
#include "diagnosis/compare.hpp"

namespace cuzk::diagnosis {
namespace {

using timeline::EventKind;
using timeline::Timeline;

constexpr int64_t kMs = 1'000'000;

Analysis analysed(Timeline timeline, AnalysisOptions options = {}) {
  timeline.sort();
  auto out = analyse(std::move(timeline), "test", options);
  EXPECT_TRUE(out.has_value());
  return std::move(*out);
}

Timeline read(const std::string& text) {
  std::istringstream in(text);
  auto out = timeline::read_timeline(in, "test");
  EXPECT_TRUE(out.has_value());
  return std::move(*out);
}

// Events of one partition whose device region is [at, at + held).
void partition(Timeline& t, const std::string& job, int32_t index, const char* worker, int64_t synth_end,
               int64_t picked_up, int64_t at, int64_t held) {
  auto add = [&](int64_t ms, EventKind kind, int64_t duration, const char* who, const char* detail = "") {
    t.add({ms * kMs, duration < 0 ? -1 : duration * kMs, kind, job, who, index, 0, detail});
  };
  add(synth_end - 50, EventKind::kSynthStart, -1, "synth0");
  add(synth_end, EventKind::kSynthEnd, 50, "synth0");
  add(synth_end, EventKind::kDeviceQueue, -1, "synth0");
  add(picked_up, EventKind::kDevicePickup, -1, worker);
  add(picked_up + 5, EventKind::kPrepareEnd, 5, worker);
  add(picked_up + 5, EventKind::kDeviceStart, -1, worker);
  add(at, EventKind::kLockTaken, at - picked_up - 5, worker);
  add(at + held, EventKind::kDeviceBusy, held * 9 / 10, worker, "op=msm");
  add(at + held, EventKind::kLockReleased, held, worker);
  add(at + held, EventKind::kDeviceEnd, at + held - picked_up - 5, worker);
  add(at + held + 10, EventKind::kCheckEnd, 10, "finish0");
}

void job(Timeline& t, const std::string& name, int64_t begin, int64_t end, int partitions) {
  t.add({begin * kMs, -1, EventKind::kJobAccepted, name, "scheduler", -1, -1,
         "kind=c;partitions=" + std::to_string(partitions)});
  t.add({end * kMs, (end - begin) * kMs, EventKind::kJobDone, name, "scheduler", -1, -1, ""});
}

TEST(Gaps, EveryCauseIsTold) {
  Timeline t;
  t.add({0, -1, EventKind::kBenchBegin, "", "bench", -1, -1, ""});
  job(t, "a", 0, 1000, 3);
  job(t, "b", 0, 2100, 2);
  partition(t, "a", 0, "gpu0.0", 100, 100, 110, 90);   // lead-in up to 110: preparing included
  partition(t, "a", 1, "gpu0.0", 150, 200, 260, 100);  // ready since 150: idle 200 to 260 within the job
  partition(t, "a", 2, "gpu0.0", 500, 500, 510, 100);  // idle from 360: nothing synthesised until 500
  partition(t, "b", 0, "gpu0.0", 650, 700, 720, 100);  // idle from 610: starved to 650, then not picked up
  t.add({1300 * kMs, 400 * kMs, EventKind::kMemoryWaitEnd, "b", "scheduler", 1, -1, ""});
  partition(t, "b", 1, "gpu0.0", 1500, 1500, 1510,
            500);  // 820 to 900 starved, 900 to 1300 memory, starved again
  t.add({2100 * kMs, -1, EventKind::kBenchEnd, "", "bench", -1, -1, ""});
  const Analysis a = analysed(std::move(t));
  const Gaps& gaps = a.facts->runs[0].gaps;
  EXPECT_NEAR(gaps.total_ms(GapCause::kLeadIn), 110, 1e-6);
  EXPECT_NEAR(gaps.total_ms(GapCause::kHandover), 60, 1e-6);
  EXPECT_NEAR(gaps.total_ms(GapCause::kJobChange), 70, 1e-6);
  EXPECT_NEAR(gaps.total_ms(GapCause::kMemoryBudget), 400, 1e-6);
  EXPECT_NEAR(gaps.total_ms(GapCause::kStarvation), 150 + 40 + 80 + 210, 1e-6);
  EXPECT_NEAR(gaps.total_ms(GapCause::kDrain), 90, 1e-6);
  double sum = 0;
  for (const CauseFigures& f : gaps.by_cause) sum += f.total_ms;
  EXPECT_NEAR(sum, 2100 - 90 - 100 - 100 - 100 - 500, 1e-6);  // all idle time, and no more
}

TEST(Gaps, AKeyThatIsNotThere) {
  Timeline t;
  job(t, "a", 0, 900, 1);
  t.add({500 * kMs, 500 * kMs, EventKind::kKeyLoadEnd, "", "keys0", -1, -1, "key=c"});
  partition(t, "a", 0, "gpu0.0", 100, 500, 510, 300);
  const Analysis a = analysed(std::move(t));
  EXPECT_NEAR(a.facts->runs[0].gaps.total_ms(GapCause::kKeyLoad), 410, 1e-6);
}

TEST(Utilisation, ThreeSharesAreKeptApart) {
  Timeline t;
  job(t, "a", 0, 400, 2);
  partition(t, "a", 0, "gpu0.0", 60, 60, 100, 100);
  partition(t, "a", 1, "gpu0.1", 60, 60, 200, 100);
  const Analysis a = analysed(std::move(t));
  const Utilisation& u = a.facts->runs[0].utilisation;
  EXPECT_NEAR(u.device_busy, 0.9, 1e-9);
  EXPECT_NEAR(u.interlock_held, 1, 1e-9);
  EXPECT_NEAR(u.worker_occupied, 0.75, 1e-9);  // 100 of 200 and 200 of 200 ms
  EXPECT_FALSE(u.upper_bound);
}

std::string quiet_log(const std::vector<int64_t>& pauses_ms) {
  std::string out;
  int64_t now = 0;
  for (size_t i = 0; i <= pauses_ms.size(); ++i) {
    const std::string job = "job" + std::to_string(i);
    auto line = [&](int64_t at, const std::string& event, const std::string& detail) {
      out += "TIMELINE," + std::to_string(at) + "," + event + "," + job + "," + detail + "\n";
    };
    line(now, "SYNTH_START", "partition=0");
    line(now + 900, "SYNTH_END", "partition=0,synth_ms=900");
    line(now + 901, "GPU_START", "worker=0,partition=0");
    line(now + 2000, "GPU_END", "worker=0,partition=0,gpu_ms=1099");
    now += 2000 + (i < pauses_ms.size() ? pauses_ms[i] : 0);
  }
  return out;
}

TEST(Runs, ProofsMadeOneAtATimeStayOneRun) {
  EXPECT_EQ(analysed(read(quiet_log({2000, 2100, 1900, 2050, 2000}))).facts->runs.size(), 1u);
  EXPECT_EQ(analysed(read(quiet_log({200, 210, 3000, 190, 205}))).facts->runs.size(), 2u);
  EXPECT_EQ(analysed(read(quiet_log({200, 210, 1400, 190, 205}))).facts->runs.size(), 1u);
  AnalysisOptions options;
  options.split_gap_ns = 1'000'000'000;
  EXPECT_EQ(analysed(read(quiet_log({2000, 2100, 1900, 2050, 2000})), options).facts->runs.size(), 6u);
}

TEST(Runs, AJobAcrossABoundaryIsNamedAndLeftOut) {
  Timeline t;
  for (int r = 0; r < 2; ++r) {
    const int64_t at = r * 60000;
    for (int j = 0; j < 4; ++j) {
      const std::string name = "r" + std::to_string(r) + "j" + std::to_string(j);
      job(t, name, at + j * 100, at + 1000 + j * 100, 1);
      partition(t, name, 0, "gpu0.0", at + 100 + j * 100, at + 100 + j * 100, at + 110 + j * 100, 90);
    }
  }
  t.add({500 * kMs, -1, EventKind::kJobAccepted, "stray", "scheduler", -1, -1, "kind=c;partitions=1"});
  t.add({60500 * kMs, -1, EventKind::kJobCancelled, "stray", "scheduler", -1, -1, ""});
  const Analysis a = analysed(std::move(t));
  ASSERT_EQ(a.facts->runs.size(), 2u);
  for (const RunFacts& run : a.facts->runs) {
    EXPECT_EQ(run.model->bounds.split, Split::kGap);
    EXPECT_EQ(run.model->jobs.size(), 4u);
    ASSERT_EQ(run.model->bounds.contaminated.size(), 1u);
    EXPECT_EQ(a.timeline->jobs.name(run.model->bounds.contaminated[0]), "stray");
    EXPECT_LT(run.model->bounds.confidence, 0.85);
  }
}

TEST(Runs, AJobThatBeginsAsTheRunBeforeEndsIsNotAcross) {
  Timeline t;
  for (int r = 0; r < 2; ++r) {
    const int64_t at = r * 1000;
    t.add({at * kMs, -1, EventKind::kBenchBegin, "", "bench", -1, -1, ""});
    const std::string name = "r" + std::to_string(r);
    t.add(
        {at * kMs + kMs / 5, -1, EventKind::kJobAccepted, name, "scheduler", -1, -1, "kind=c;partitions=1"});
    partition(t, name, 0, "gpu0.0", at + 100, at + 100, at + 110, 90);
    t.add({(at + 1000) * kMs, -1, EventKind::kBenchEnd, "", "bench", -1, -1, ""});
  }
  const Analysis a = analysed(std::move(t));
  ASSERT_EQ(a.facts->runs.size(), 2u);
  for (const RunFacts& run : a.facts->runs) {
    EXPECT_EQ(run.model->jobs.size(), 1u);
    EXPECT_TRUE(run.model->bounds.contaminated.empty());
  }
}

TEST(Data, DuplicatesAndRestartsAreCounted) {
  const std::string log = quiet_log({300, 300});
  const Analysis twice = analysed(read(log + log.substr(0, log.find("job1"))));
  EXPECT_GT(twice.cleaning.duplicated, 0u);
  // A second daemon: its clock begins anew.
  std::string second = quiet_log({300, 300, 300, 300, 300, 300, 301, 302});
  for (size_t at = second.find(",job"); at != std::string::npos; at = second.find(",job", at + 1))
    second.replace(at, 4, ",new");
  const Analysis again = analysed(read(quiet_log({300, 300, 300, 300, 300, 300, 300, 300}) + second));
  EXPECT_EQ(again.timeline->quality.clock_jumps, 1u);
  EXPECT_EQ(again.facts->runs.size(), 2u);
  EXPECT_EQ(again.facts->proofs(), 18u);
}

TEST(Jobs, MissingUnfinishedAndDuplicatedPartitions) {
  std::string log = quiet_log({100, 100, 100});
  log +=
      "TIMELINE,9000,SYNTH_START,last,partition=1\nTIMELINE,9500,SYNTH_START,last,partition=0\n"
      "TIMELINE,9600,SYNTH_END,last,partition=0,synth_ms=100\nTIMELINE,9700,GPU_END,last,worker=0,partition="
      "0,gpu_ms=50\n"
      "TIMELINE,9800,GPU_END,last,worker=0,partition=0,gpu_ms=50\n";
  const Analysis a = analysed(read(log));
  const JobRecord& last = a.facts->runs[0].model->jobs.back();
  EXPECT_EQ(last.missing, std::vector<int32_t>{1});
  EXPECT_EQ(last.unfinished, std::vector<int32_t>{1});
  EXPECT_EQ(last.duplicated, std::vector<int32_t>{0});
  EXPECT_FALSE(last.complete());
  EXPECT_EQ(a.facts->proofs(), 4u);
}

TEST(Json, HasTheFieldsThatAreDocumented) {
  Timeline t;
  job(t, "a", 0, 400, 2);
  partition(t, "a", 0, "gpu0.0", 60, 60, 100, 100);
  partition(t, "a", 1, "gpu0.1", 60, 60, 200, 100);
  const auto json = nlohmann::json::parse(to_json(analysed(std::move(t))));
  for (const char* key : {"runs", "load", "hypotheses", "data"}) EXPECT_TRUE(json.contains(key)) << key;
  const auto& run = json["runs"][0];
  for (const char* key : {"begin_ms", "end_ms", "split", "confidence", "proofs_complete", "s_per_proof",
                          "jobs", "contaminated_jobs", "utilisation", "gap_causes", "gaps"})
    EXPECT_TRUE(run.contains(key)) << key;
  for (const char* key : {"device_busy", "interlock_held", "worker_occupied", "upper_bound"})
    EXPECT_TRUE(run["utilisation"].contains(key)) << key;
  for (const char* key : {"metric", "unit", "slope_per_job", "ci95", "points"})
    EXPECT_TRUE(json["load"].contains(key)) << key;
  EXPECT_EQ(json["hypotheses"].size(), 12u);
  for (const auto& h : json["hypotheses"])
    for (const char* key : {"cause", "verdict", "effect_s_per_proof", "evidence", "against", "missing"})
      EXPECT_TRUE(h.contains(key)) << key;
  for (const char* key :
       {"lines", "events", "ignored", "malformed", "reordered", "duplicated", "clock_jumps"})
    EXPECT_TRUE(json["data"].contains(key)) << key;
}

TEST(Compare, NamesWhatChangedAndWhatIsNoise) {
  auto made = [](int64_t held) {
    Timeline t;
    for (int j = 0; j < 40; ++j) {
      const std::string name = "j" + std::to_string(j);
      const int64_t at = j * 400 + j % 7;
      job(t, name, at, at + 390, 1);
      partition(t, name, 0, "gpu0.0", at + 60, at + 60, at + 80, held + j % 5);
    }
    return t;
  };
  const Analysis a = analysed(made(100)), b = analysed(made(150));
  bool held = false;
  for (const Changed& c : compare(a, b).changes) {
    if (c.metric == "device_held") held = c.larger_than_noise;
    if (c.metric == "synthesis") {
      EXPECT_FALSE(c.larger_than_noise);
    }
  }
  EXPECT_TRUE(held);
}

TEST(Html, IsOnePageAndTextStaysInItsScript) {
  Timeline t;
  job(t, "</script><b>", 0, 400, 1);
  partition(t, "</script><b>", 0, "gpu0.0", 60, 60, 100, 100);
  const std::string html = to_html(analysed(std::move(t)));
  EXPECT_EQ(html.find("</script><b>"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("/*DATA*/"), std::string::npos);
}

}  // namespace
}  // namespace cuzk::diagnosis
