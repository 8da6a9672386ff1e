// Witnesses of full partitions, plain and compact; making, opening and evaluating stored matrices; reading
// and checking a C1. bench/filecoin.py compares the times with what they may be.
//
//   filecoin_bench [--benchmark_...] [FOLDER]     matrices are kept in FOLDER; without it, until the end
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include "filecoin/circuit_matrices.hpp"
#include "filecoin/gen/generate.hpp"
#include "filecoin/inputs/porep_input.hpp"
#include "filecoin/inputs/post_input.hpp"
#include "filecoin/inputs/update_input.hpp"
#include "filecoin/inputs/write_inputs.hpp"
#include "filecoin/sector.hpp"
#include "r1cs/assignment_system.hpp"
#include "r1cs/template_evaluate.hpp"

namespace cuzk {
namespace {

// Made-up inputs that satisfy their circuits, kept for the benchmarks after the first: witnesses and rows
// branch on values of bits, so that zeros would show nothing.
constexpr uint64_t kSeed = 1;

const PorepInput& porep_of(uint64_t sector_bytes) {
  static std::mutex mutex;
  static std::map<uint64_t, PorepInput> made;
  const std::lock_guard lock(mutex);
  const auto [entry, added] = made.try_emplace(sector_bytes);
  if (added) {
    ThreadPool pool;
    entry->second = generate_porep(sector_bytes, kSeed, pool);
  }
  return entry->second;
}

// Of one sector, which the circuit repeats until the partition is full.
PostInput window_of(uint64_t sector_bytes) {
  ThreadPool pool;
  return generate_window(sector_bytes, 1, kSeed, pool);
}

size_t values(const CompactWitness& w) {
  return 32 * w.bits.size() + w.wide.size();
}

void BM_NaivePorep(benchmark::State& state) {
  const PorepInput& input = porep_of(static_cast<uint64_t>(state.range(0)));
  for (auto _ : state) {
    AssignmentSystem cs;
    benchmark::DoNotOptimize(synthesize_porep(input, 0, cs));
    state.counters["aux"] = static_cast<double>(cs.aux().size());
  }
}
BENCHMARK(BM_NaivePorep)->Arg(2048)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_CompactPorep(benchmark::State& state) {
  const PorepInput& input = porep_of(static_cast<uint64_t>(state.range(0)));
  ThreadPool pool(static_cast<size_t>(state.range(1)));
  for (auto _ : state) {
    const auto w = compact_porep(input, 0, pool);
    state.counters["values"] = static_cast<double>(values(*w));
  }
}
BENCHMARK(BM_CompactPorep)
    ->Args({2048, 1})
    ->Args({2048, 2})
    ->Args({32 * kGiB, 1})
    ->Args({32 * kGiB, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Threads that share nothing, a witness each: how much a second thread can bring here. Time: a witness.
void BM_CompactPorepEach(benchmark::State& state) {
  const PorepInput& input = porep_of(static_cast<uint64_t>(state.range(0)));
  InlineExecutor inline_executor;
  for (auto _ : state) benchmark::DoNotOptimize(compact_porep(input, 0, inline_executor));
}
BENCHMARK(BM_CompactPorepEach)->Arg(2048)->Threads(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_CompactWindow(benchmark::State& state) {
  const PostInput input = window_of(static_cast<uint64_t>(state.range(0)));
  ThreadPool pool(static_cast<size_t>(state.range(1)));
  for (auto _ : state) {
    const auto w = compact_post(input, 0, pool);
    state.counters["values"] = static_cast<double>(values(*w));
  }
}
BENCHMARK(BM_CompactWindow)
    ->Args({512 * kMiB, 1})
    ->Args({32 * kGiB, 1})
    ->Args({32 * kGiB, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

void BM_CompactSnap(benchmark::State& state) {
  const UpdateInputs inputs = generate_update(static_cast<uint64_t>(state.range(0)), kSeed);
  ThreadPool pool(static_cast<size_t>(state.range(1)));
  for (auto _ : state) {
    const CompactWitness w = compact_update(inputs.partitions[0], pool);
    state.counters["values"] = static_cast<double>(values(w));
  }
}
BENCHMARK(BM_CompactSnap)
    ->Args({32 * kGiB, 1})
    ->Args({32 * kGiB, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Where matrices stay for the benchmarks after the one that makes them, which takes a minute in full size.
std::string& folder() {
  static std::string path;
  return path;
}

void BM_MakeMatrices(benchmark::State& state, const char* name) {
  ThreadPool pool;
  for (auto _ : state) {
    const CircuitId circuit = *parse_circuit_name(name);
    const auto made = make_matrices(circuit, pool);
    if (!made || !(*made)->save(matrices_path(folder(), circuit))) return state.SkipWithError("not made");
    state.counters["MiB"] = static_cast<double>((*made)->stored_bytes()) / 1048576.0;
    state.counters["forms"] = static_cast<double>((*made)->arrays().forms.size());
    state.counters["pieces"] = static_cast<double>((*made)->arrays().pieces.size());
  }
}
void BM_OpenMatrices(benchmark::State& state, const char* name) {
  for (auto _ : state) {
    const auto opened = StoredMatrices::open(matrices_path(folder(), *parse_circuit_name(name)));
    if (!opened) return state.SkipWithError("not there");
  }
}
void BM_Evaluate(benchmark::State& state, const char* name) {
  const CircuitId circuit = *parse_circuit_name(name);
  const auto opened = StoredMatrices::open(matrices_path(folder(), circuit));
  if (!opened) return state.SkipWithError("not there");
  ThreadPool pool;
  const CompactWitness w = circuit.kind == ProofKind::kPorep
                               ? *compact_porep(porep_of(circuit.sector_bytes), 0, pool)
                               : *compact_post(window_of(circuit.sector_bytes), 0, pool);
  const StoredEvaluator evaluator(*opened);
  const size_t rows = (*opened)->num_constraints();
  for (auto _ : state) {
    // Fresh memory, as a proof has it.
    const std::unique_ptr<Fr[]> a(new Fr[rows]), b(new Fr[rows]);
    evaluator.evaluate(w, {a.get(), rows}, {b.get(), rows}, {}, pool);
    benchmark::ClobberMemory();
  }
}
#define CUZK_MATRICES(name)                                                                     \
  BENCHMARK_CAPTURE(BM_MakeMatrices, name, name)                                                \
      ->Unit(benchmark::kMillisecond)                                                           \
      ->Iterations(1)                                                                           \
      ->UseRealTime();                                                                          \
  BENCHMARK_CAPTURE(BM_OpenMatrices, name, name)->Unit(benchmark::kMillisecond)->UseRealTime(); \
  BENCHMARK_CAPTURE(BM_Evaluate, name, name)->Unit(benchmark::kMillisecond)->UseRealTime()
CUZK_MATRICES("porep-2k");
CUZK_MATRICES("porep-32g");
CUZK_MATRICES("window-32g");

// The C1 of a 32 GiB sector, made up.
const std::string& full_c1() {
  static const std::string text = porep_input_to_json(porep_of(32 * kGiB));
  return text;
}
Bytes as_bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

void BM_ParseC1(benchmark::State& state) {
  const std::string& text = full_c1();
  for (auto _ : state) {
    const auto input = parse_porep_input(as_bytes(text));
    if (!input) return state.SkipWithError(input.error().message.c_str());
  }
  state.counters["MB"] = static_cast<double>(text.size()) / 1e6;
}
BENCHMARK(BM_ParseC1)->Unit(benchmark::kMillisecond)->UseRealTime();

// From the file's bytes to ten witnesses, everything checked.
void BM_AllPartitions(benchmark::State& state) {
  const std::string& text = full_c1();
  ThreadPool pool(static_cast<size_t>(state.range(0)));
  for (auto _ : state) {
    const auto input = parse_porep_input(as_bytes(text));
    if (!input) return state.SkipWithError(input.error().message.c_str());
    for (uint32_t i = 0; i < input->partitions.size(); ++i) {
      if (!check_porep_input(*input, i, pool)) return state.SkipWithError("the input does not hold");
      benchmark::DoNotOptimize(compact_porep(*input, i, pool));
    }
  }
}
BENCHMARK(BM_AllPartitions)->Arg(2)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace cuzk

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  std::string made = (std::filesystem::temp_directory_path() / "cuzk-bench-XXXXXX").string();
  if (argc > 1) {
    cuzk::folder() = argv[1];
  } else if (mkdtemp(made.data()) != nullptr) {
    cuzk::folder() = made;
  } else {
    std::perror(made.c_str());
    return 1;
  }
  benchmark::RunSpecifiedBenchmarks();
  if (argc == 1) std::filesystem::remove_all(made);
  return 0;
}
