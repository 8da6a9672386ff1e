// Benchmarks of the CUDA kernels, each result checked. Reads lines from standard input, writes one JSON
// object a line to standard output:
//
//   field
//   ntt LOG
//   quotient LOG
//   shared LOG [bits=PERCENT]
//   msm g1|g2 LOG [bits=PERCENT] [windows=N] [rounds=N] [group=LOG] [split=0|1] [reps=N]
//
// Times: median in ms after one warm-up. msm: wall clock around the call, points and scalars resident, result
// on the host; points are 2^16 distinct ones, repeated. ntt, quotient: events on the stream.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

#include "base/executor.hpp"
#include "bench_kernels.hpp"
#include "curve/point.hpp"
#include "device/cuda/msm.hpp"
#include "device/cuda/msm_combine.hpp"
#include "device/cuda/ntt.hpp"
#include "msm/msm.hpp"

namespace cuzk::gpu {
namespace {

using Clock = std::chrono::steady_clock;

double milliseconds_since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
}

struct Times {
  std::vector<double> all;
  double median() const {
    auto sorted = all;
    std::sort(sorted.begin(), sorted.end());
    return sorted[sorted.size() / 2];
  }
  double least() const { return *std::min_element(all.begin(), all.end()); }
  double most() const { return *std::max_element(all.begin(), all.end()); }
};

std::string json_times(const Times& t) {
  char text[160];
  std::snprintf(text, sizeof text, "\"ms\": %.4f, \"min_ms\": %.4f, \"max_ms\": %.4f, \"reps\": %zu",
                t.median(), t.least(), t.most(), t.all.size());
  return text;
}

constexpr size_t kDistinct = 1 << 16;

template <class G>
const std::vector<typename G::Point>& distinct_points() {
  static const std::vector<typename G::Point> points = [] {
    TestRandom random(17);
    std::vector<typename G::Sum> sums(kDistinct);
    typename G::Sum step = G::Sum::from_affine(G::generator()) * Fr::random(random), sum = step;
    for (auto& s : sums) {
      s = sum;
      sum = sum + step + G::generator();
    }
    return batch_to_affine<typename G::Field>(sums);
  }();
  return points;
}

// Device memory that grows and is never given back while the program runs.
struct Pool {
  std::map<std::string, DeviceMemory> blocks;
  Result<char*> get(const std::string& name, size_t bytes) {
    auto& block = blocks[name];
    if (block.bytes() < bytes) {
      block = DeviceMemory();
      CUZK_ASSIGN(block, DeviceMemory::allocate(bytes));
    }
    return block.get();
  }
};

struct Bench {
  Stream stream;
  CardInfo card;
  Pool pool;
  PinnedMemory pinned;
  ThreadPool threads;
  size_t resident_g1 = 0, resident_g2 = 0;

  Status field();
  Status ntt(uint32_t log);
  Status quotient(uint32_t log);
  Status shared(uint32_t log, unsigned bits);
  template <class G>
  Result<char*> resident_points(const std::string& name, size_t n);
  template <class G>
  Status msm(const char* name, uint32_t log, std::map<std::string, std::string> options);
};

Status Bench::field() {
  CUZK_ASSIGN(char* data, pool.get("field", 64 * 192));
  CUZK_TRY(stream.to_device(data, distinct_points<G2>().data(), 64 * 192));
  CUZK_ASSIGN(auto watch, Stopwatch::create());
  const char* names[] = {"Fr mul", "Fp mul", "Fr sqr", "Fp sqr", "G1 xyzz += affine", "G2 xyzz += affine"};
  for (int which = 0; which < 6; ++which) {
    bool add = which >= 4;
    for (unsigned threads_per_sm : {256u, 384u, 512u, 1024u}) {
      if (add != (threads_per_sm == 384)) {
        if (add || threads_per_sm == 384) continue;
      }
      unsigned per_block = add ? 128 : 256;
      unsigned blocks = card.multiprocessors * threads_per_sm / per_block, rounds = add ? 1500 : 400;
      Times times;
      for (int rep = 0; rep < 4; ++rep) {
        CUZK_TRY(watch.start(stream));
        CUZK_TRY(multiply_in_registers(stream, which, blocks, rounds, data));
        CUZK_TRY(watch.stop(stream));
        CUZK_ASSIGN(double ms, watch.milliseconds());
        if (rep > 0) times.all.push_back(ms);
      }
      double count = double(blocks) * per_block * rounds * (add ? 1 : 16) / (which == 5 ? 2 : 1);
      std::printf("{\"bench\": \"field\", \"what\": \"%s\", \"threads_per_sm\": %u, \"gops\": %.2f, %s}\n",
                  names[which], threads_per_sm, count / times.median() / 1e6, json_times(times).c_str());
    }
  }
  return {};
}

Status Bench::ntt(uint32_t log) {
  size_t n = size_t{1} << log, bytes = n * sizeof(Fr);
  CUZK_ASSIGN(char* original, pool.get("a", bytes));
  CUZK_ASSIGN(char* data, pool.get("b", bytes));
  CUZK_ASSIGN(char* tables, pool.get("tables", ntt_table_bytes(kMostNttLog)));
  CUZK_ASSIGN(NttDomain domain, NttDomain::create(stream, log, tables));
  CUZK_TRY(fill_random_scalars(stream, original, n, 1, 0));
  CUZK_ASSIGN(auto watch, Stopwatch::create());
  struct Case {
    const char* name;
    NttJob job;
  };
  const Case cases[] = {{"fwd NR", {}},
                        {"inv RN", {.inverse = true, .bit_reversed_in = true}},
                        {"inv NR", {.inverse = true}},
                        {"fwd RN", {.bit_reversed_in = true}},
                        {"fwd RN coset", {.bit_reversed_in = true, .coset = true}},
                        {"inv NR coset", {.inverse = true, .coset = true}}};
  const char* verdict = "not checked";
  for (const Case& c : cases) {
    Times times;
    for (int rep = 0; rep < 8; ++rep) {
      CUZK_TRY(watch.start(stream));
      CUZK_TRY(domain.run(stream, c.job, rep == 0 && &c == cases ? original : data, data));
      CUZK_TRY(watch.stop(stream));
      CUZK_ASSIGN(double ms, watch.milliseconds());
      if (rep > 0) times.all.push_back(ms);
      if (rep == 0 && &c == cases) {
        // One value by the definition, then back to the start.
        constexpr uint32_t kThreads = 1 << 14;
        uint32_t threads_now = static_cast<uint32_t>(std::min<size_t>(n, kThreads));
        size_t k = (n / 3) | 1;
        Fr base = fr_root_of_unity(log).pow(k), step = base.pow(threads_now);
        CUZK_ASSIGN(char* parts_at, pool.get("parts", kThreads * sizeof(Fr)));
        CUZK_TRY(transform_value_parts(stream, original, n, &base, &step, threads_now, parts_at));
        std::vector<Fr> parts(threads_now);
        Fr value, sum = Fr::zero();
        size_t place = 0;
        for (uint32_t i = 0; i < log; ++i) place |= ((k >> i) & 1) << (log - 1 - i);
        CUZK_TRY(stream.to_host(parts.data(), parts_at, parts.size() * sizeof(Fr)));
        CUZK_TRY(stream.to_host(&value, data + place * sizeof(Fr), sizeof(Fr)));
        CUZK_TRY(stream.wait());
        for (const Fr& p : parts) sum += p;
        uint32_t differences = 1;
        CUZK_TRY(domain.run(stream, cases[1].job, data, data));
        CUZK_TRY(count_differences(stream, original, data, n, reinterpret_cast<uint32_t*>(parts_at)));
        CUZK_TRY(stream.to_host(&differences, parts_at, 4));
        CUZK_TRY(stream.wait());
        verdict = sum == value && differences == 0 ? "ok" : "WRONG";
      }
    }
    std::printf("{\"bench\": \"ntt\", \"log\": %u, \"what\": \"%s\", %s, \"check\": \"%s\"}\n", log, c.name,
                json_times(times).c_str(), verdict);
  }
  return {};
}

Status Bench::quotient(uint32_t log) {
  size_t n = size_t{1} << log, bytes = n * sizeof(Fr);
  CUZK_ASSIGN(char* a, pool.get("a", bytes));
  CUZK_ASSIGN(char* b, pool.get("b", bytes));
  CUZK_ASSIGN(char* scratch, pool.get("c", bytes));
  CUZK_ASSIGN(char* tables, pool.get("tables", ntt_table_bytes(kMostNttLog)));
  CUZK_ASSIGN(NttDomain domain, NttDomain::create(stream, log, tables));
  CUZK_ASSIGN(auto watch, Stopwatch::create());
  CUZK_TRY(fill_random_scalars(stream, a, n, 1, 0));
  CUZK_TRY(fill_random_scalars(stream, b, n, 2, 0));
  Times times;
  Fr last = Fr::one();
  for (int rep = 0; rep < 6; ++rep) {
    CUZK_TRY(watch.start(stream));
    CUZK_TRY(domain.quotient(stream, a, b, scratch));
    CUZK_TRY(watch.stop(stream));
    CUZK_ASSIGN(double ms, watch.milliseconds());
    if (rep > 0) times.all.push_back(ms);
    CUZK_TRY(stream.to_host(&last, b + bytes - sizeof(Fr), sizeof(Fr)));
    CUZK_TRY(stream.wait());
    if (!last.is_zero()) break;
  }
  // The top coefficient of a quotient of this form is zero; wrong transforms would leave something else.
  std::printf("{\"bench\": \"quotient\", \"log\": %u, %s, \"check\": \"%s\"}\n", log,
              json_times(times).c_str(), last.is_zero() ? "ok" : "WRONG");
  return {};
}

// `n` points on the card: the distinct ones, repeated.
template <class G>
Result<char*> Bench::resident_points(const std::string& name, size_t n) {
  constexpr bool kG2 = sizeof(typename G::Point) > sizeof(G1Affine);
  using Point = typename G::Point;
  const auto& points = distinct_points<G>();
  CUZK_ASSIGN(char* bases, pool.get(name, std::max(n, kDistinct) * sizeof(Point)));
  size_t& resident = kG2 ? resident_g2 : resident_g1;
  if (resident < n) {
    CUZK_TRY(stream.to_device(bases, points.data(), kDistinct * sizeof(Point)));
    for (size_t have = kDistinct; have < n; have *= 2)
      CUZK_TRY(stream.on_device(bases + have * sizeof(Point), bases, have * sizeof(Point)));
    CUZK_TRY(stream.wait());
    resident = std::max(n, kDistinct);
  }
  return bases;
}

// Four sets over one vector of scalars, as a proof has them: two of G1 with all points, one of either group
// with every second; in one call, and in four.
Status Bench::shared(uint32_t log, unsigned bits) {
  const size_t n = size_t{1} << log, half = n / 2;
  CUZK_ASSIGN(char* g1, resident_points<G1>("g1", n));
  CUZK_ASSIGN(char* g2, resident_points<G2>("g2", half));
  CUZK_ASSIGN(char* scalars, pool.get("a", n * sizeof(Fr)));
  CUZK_TRY(fill_random_scalars(stream, scalars, n, log, bits));
  std::vector<uint32_t> marks(n / 32, 0x55555555u), before(n / 32), select(half);
  for (size_t w = 0; w < before.size(); ++w) before[w] = static_cast<uint32_t>(16 * w);
  for (size_t i = 0; i < half; ++i) select[i] = static_cast<uint32_t>(2 * i);
  CUZK_ASSIGN(char* marks_at, pool.get("marks", n / 8));
  CUZK_ASSIGN(char* before_at, pool.get("before", n / 8));
  CUZK_ASSIGN(char* select_at, pool.get("select", half * 4));
  CUZK_TRY(stream.to_device(marks_at, marks.data(), n / 8));
  CUZK_TRY(stream.to_device(before_at, before.data(), n / 8));
  CUZK_TRY(stream.to_device(select_at, select.data(), half * 4));
  CUZK_TRY(stream.wait());
  auto words = [](const char* p) { return reinterpret_cast<const uint32_t*>(p); };
  const MsmBases all{.points = g1},
      some_g1{.points = g1, .marks = words(marks_at), .before_word = words(before_at)},
      some_g2{.points = g2, .g2 = true, .marks = words(marks_at), .before_word = words(before_at)};
  const MsmBases sets[] = {all, all, some_g1, some_g2};
  const MsmBases half_g1{.points = g1}, half_g2{.points = g2, .g2 = true};
  const MsmScalars full{.values = scalars, .count = n},
      selected{.values = scalars, .select = words(select_at), .count = half};
  const MsmSets four{.g1 = true, .g2 = true, .subsets = true, .count = 4, .least_share = 0.5};
  CUZK_ASSIGN(MsmPlan together, plan_msm(n, four, tune_msm(n, four), card.multiprocessors));
  CUZK_ASSIGN(MsmPlan of_all, plan_msm(n, {}, tune_msm(n), card.multiprocessors));
  CUZK_ASSIGN(MsmPlan of_g1, plan_msm(half, {}, tune_msm(half), card.multiprocessors));
  CUZK_ASSIGN(MsmPlan of_g2, plan_msm(half, {.g1 = false, .g2 = true}, tune_msm(half), card.multiprocessors));
  CUZK_ASSIGN(char* workspace, pool.get("workspace", std::max({together.device_bytes, of_all.device_bytes,
                                                               of_g1.device_bytes, of_g2.device_bytes})));
  if (pinned.bytes() < together.pinned_bytes) {
    CUZK_ASSIGN(pinned, PinnedMemory::allocate(together.pinned_bytes));
  }
  Times one_call, four_calls;
  bool same = true;
  for (int rep = 0; rep <= 3; ++rep) {
    CUZK_TRY(stream.wait());
    auto begin = Clock::now();
    CUZK_ASSIGN(auto parts, run_msm(stream, together, workspace, pinned.get(), full, sets));
    const G1::Sum a = combine_msm<G1>(parts[1]), b = combine_msm<G1>(parts[2]);
    const G2::Sum c = combine_msm<G2>(parts[3]);
    if (rep > 0) one_call.all.push_back(milliseconds_since(begin));
    begin = Clock::now();
    CUZK_ASSIGN(parts, run_msm(stream, of_all, workspace, pinned.get(), full, {&all, 1}));
    CUZK_ASSIGN(parts, run_msm(stream, of_all, workspace, pinned.get(), full, {&all, 1}));
    same = same && a == combine_msm<G1>(parts[0]);
    CUZK_ASSIGN(parts, run_msm(stream, of_g1, workspace, pinned.get(), selected, {&half_g1, 1}));
    same = same && b == combine_msm<G1>(parts[0]);
    CUZK_ASSIGN(parts, run_msm(stream, of_g2, workspace, pinned.get(), selected, {&half_g2, 1}));
    same = same && c == combine_msm<G2>(parts[0]);
    if (rep > 0) four_calls.all.push_back(milliseconds_since(begin));
  }
  std::printf(
      "{\"bench\": \"shared\", \"log\": %u, \"bits_percent\": %u, %s, \"four_calls_ms\": %.4f, "
      "\"workspace_mib\": "
      "%zu, \"check\": \"%s\"}\n",
      log, bits, json_times(one_call).c_str(), four_calls.median(), together.device_bytes >> 20,
      same ? "ok" : "WRONG");
  return {};
}

template <class G>
Status Bench::msm(const char* name, uint32_t log, std::map<std::string, std::string> options) {
  using Point = typename G::Point;
  constexpr bool kG2 = sizeof(Point) > sizeof(G1Affine);
  auto number = [&](const char* key, size_t otherwise) -> size_t {
    auto it = options.find(key);
    return it == options.end() ? otherwise : std::stoul(it->second);
  };
  size_t n = size_t{1} << log;
  unsigned bits = static_cast<unsigned>(number("bits", 0));
  const auto& points = distinct_points<G>();
  CUZK_ASSIGN(char* bases, resident_points<G>(name, n));
  CUZK_ASSIGN(char* scalars, pool.get("a", n * sizeof(Fr)));
  CUZK_TRY(fill_random_scalars(stream, scalars, n, log, bits));

  MsmTuning tuning = tune_msm(n);
  tuning.windows = static_cast<uint32_t>(number("windows", tuning.windows));
  tuning.rounds = static_cast<uint32_t>(number("rounds", kG2 ? tuning.g2_rounds : tuning.rounds));
  tuning.g2_rounds = tuning.rounds;
  if (options.count("group")) tuning.group_entries = size_t{1} << number("group", 27);
  tuning.split = number("split", tuning.split ? 1 : 0) != 0;
  CUZK_ASSIGN(MsmPlan plan, plan_msm(n, {.g1 = !kG2, .g2 = kG2}, tuning, card.multiprocessors));
  CUZK_ASSIGN(char* workspace, pool.get("workspace", plan.device_bytes));
  if (pinned.bytes() < plan.pinned_bytes) {
    CUZK_ASSIGN(pinned, PinnedMemory::allocate(plan.pinned_bytes));
  }
  const MsmBases set{.points = bases, .g2 = kG2};
  Times times, device_times;
  auto sum = G::Sum::infinity();
  size_t reps = number("reps", log >= 26 ? 3 : 5);
  for (size_t rep = 0; rep <= reps; ++rep) {
    CUZK_TRY(stream.wait());
    auto begin = Clock::now();
    CUZK_ASSIGN(auto parts,
                run_msm(stream, plan, workspace, pinned.get(), {.values = scalars, .count = n}, {&set, 1}));
    double device = milliseconds_since(begin);
    sum = combine_msm<G>(parts.front());
    if (rep > 0) times.all.push_back(milliseconds_since(begin)), device_times.all.push_back(device);
  }
  uint32_t step = static_cast<uint32_t>(std::min(n, kDistinct));
  CUZK_ASSIGN(char* folded_at, pool.get("folded", kDistinct * sizeof(Fr)));
  CUZK_TRY(fold_scalars(stream, scalars, n, step, folded_at));
  std::vector<Fr> folded(step);
  CUZK_TRY(stream.to_host(folded.data(), folded_at, step * sizeof(Fr)));
  CUZK_TRY(stream.wait());
  const std::span<const Point> all = points;
  SpanSource<G> source(all.first(step));
  CUZK_ASSIGN(auto expected, cuzk::msm<G>(source, Scalars{folded}, threads));
  std::printf(
      "{\"bench\": \"msm\", \"group\": \"%s\", \"log\": %u, \"bits_percent\": %u, \"windows\": %u, "
      "\"rounds\": %u, "
      "\"group_log\": %.1f, \"split\": %d, %s, \"device_ms\": %.4f, \"workspace_mib\": %zu, \"check\": "
      "\"%s\"}\n",
      name, log, bits, tuning.windows, tuning.rounds, std::log2(double(tuning.group_entries)),
      tuning.split ? 1 : 0, json_times(times).c_str(), device_times.median(), plan.device_bytes >> 20,
      sum == expected ? "ok" : "WRONG");
  return {};
}

int run() {
  auto cards = list_cards();
  if (!cards) {
    std::fprintf(stderr, "%s\n", cards.error().message.c_str());
    return 3;
  }
  Bench bench;
  bench.card = cards->front();
  auto status = use_card(bench.card.index);
  auto stream = Stream::create();
  if (!status || !stream) {
    std::fprintf(stderr, "%s\n", (status ? stream.error() : status.error()).message.c_str());
    return 3;
  }
  bench.stream = std::move(*stream);
  std::printf(
      "{\"bench\": \"card\", \"name\": \"%s\", \"compute\": \"%d.%d\", \"multiprocessors\": %u, \"gib\": "
      "%.1f}\n",
      bench.card.name.c_str(), bench.card.major, bench.card.minor, bench.card.multiprocessors,
      double(bench.card.memory_bytes) / (1 << 30));
  int failures = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string what, group, option;
    uint32_t log = 0;
    Status result;
    words >> what;
    if (what.empty() || what[0] == '#') continue;
    if (what == "field") {
      result = bench.field();
    } else if (what == "ntt" && words >> log) {
      result = bench.ntt(log);
    } else if (what == "quotient" && words >> log) {
      result = bench.quotient(log);
    } else if (what == "shared" && words >> log) {
      unsigned bits = 0;
      if (words >> option) bits = static_cast<unsigned>(std::stoul(option.substr(option.find('=') + 1)));
      result = bench.shared(log, bits);
    } else if (what == "msm" && words >> group >> log) {
      std::map<std::string, std::string> options;
      while (words >> option)
        options[option.substr(0, option.find('='))] = option.substr(option.find('=') + 1);
      result = group == "g2" ? bench.msm<G2>("g2", log, options) : bench.msm<G1>("g1", log, options);
    } else {
      result = invalid("not understood: " + line);
    }
    if (!result) {
      std::printf("{\"bench\": \"error\", \"line\": \"%s\", \"error\": \"%s\"}\n", line.c_str(),
                  result.error().message.c_str());
      ++failures;
    }
    std::fflush(stdout);
  }
  return failures == 0 ? 0 : 1;
}

}  // namespace
}  // namespace cuzk::gpu

int main() {
  return cuzk::gpu::run();
}
