// Where one run ends and the next begins, and which jobs belong to which.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "timeline/reader.hpp"

namespace cuzk::diagnosis {

// How a run's bounds were found.
enum class Split : uint8_t {
  kMarker,  // BENCH_BEGIN and BENCH_END
  kQuiet,   // nothing was in flight before and after it
  kGap,     // nothing happened for long, though a job was in flight: that job is left out
};
const char* split_name(Split split);

struct RunBounds {
  int64_t begin_ns = 0, end_ns = 0;
  size_t first = 0, last = 0;  // entries within [begin, end]
  Split split = Split::kQuiet;
  double confidence = 1;               // of the less certain of the two bounds
  std::string parameters;              // of the benchmark
  bool unfinished = false;             // a benchmark that has no end
  std::vector<uint32_t> jobs;          // that lie wholly inside
  std::vector<uint32_t> contaminated;  // that lie partly outside: their events are left out
};

// A job is in flight from its first event to its last. Quiet is the time before a job begins in which none
// is. A log without markers ends a run where it is quiet for longer than `split_gap_ns`; without a value:
// 1.5 s, or three times the median quiet time over all jobs if that is more, so that the proofs of a log
// that makes one at a time stay one run.
struct Runs {
  std::vector<RunBounds> runs;  // ascending
  int64_t split_gap_ns = 0;     // the one that was used; 0 with markers
};
Runs find_runs(const timeline::Timeline& timeline, std::optional<int64_t> split_gap_ns);

// "all", "last", a number from 1, or several: "1,3". Errors: kInvalidInput, with the number of runs there
// are.
Result<std::vector<size_t>> select_runs(size_t runs, const std::string& which);

}  // namespace cuzk::diagnosis
