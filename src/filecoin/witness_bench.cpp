// Witnesses of full partitions, plain and compact; making, opening and evaluating stored matrices; reading
// and checking a C1. Inputs are blank where nothing takes longer or shorter for other values.
// bench/filecoin.py compares the times with what they may be.
#include <benchmark/benchmark.h>

#include <map>
#include <memory>

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

PorepInput blank_porep(uint64_t bytes) {
  PorepInput input;
  input.sector_bytes = bytes;
  PorepVanillaProof proof;
  proof.circuit = blank_porep_challenge(input.tree(), sector_nodes(bytes), porep_layers(bytes));
  proof.replica_root = proof.column.root = Fr::zero();
  input.partitions.assign(1, std::vector(porep_challenges_per_partition(bytes), proof));
  return input;
}

PostInput blank_window(uint64_t bytes) {
  PostInput input;
  input.sector_bytes = bytes;
  PostSectorProof sector;
  sector.circuit = blank_post_sector(sector_tree(bytes), sector_nodes(bytes), kWindowChallengesPerSector);
  input.sectors.assign(1, sector);
  return input;
}

size_t values(const CompactWitness& w) {
  return 32 * w.bits.size() + w.wide.size();
}

void BM_NaivePorep(benchmark::State& state) {
  const PorepInput input = blank_porep(static_cast<uint64_t>(state.range(0)));
  for (auto _ : state) {
    AssignmentSystem cs;
    benchmark::DoNotOptimize(synthesize_porep(input, 0, cs));
    state.counters["aux"] = static_cast<double>(cs.aux().size());
  }
}
BENCHMARK(BM_NaivePorep)->Arg(2048)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_CompactPorep(benchmark::State& state) {
  const PorepInput input = blank_porep(static_cast<uint64_t>(state.range(0)));
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
  const PorepInput input = blank_porep(static_cast<uint64_t>(state.range(0)));
  InlineExecutor inline_executor;
  for (auto _ : state) benchmark::DoNotOptimize(compact_porep(input, 0, inline_executor));
}
BENCHMARK(BM_CompactPorepEach)->Arg(2048)->Threads(2)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_CompactWindow(benchmark::State& state) {
  const PostInput input = blank_window(static_cast<uint64_t>(state.range(0)));
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
  UpdateInput input;
  input.sector_bytes = static_cast<uint64_t>(state.range(0));
  input.circuit = blank_update_witness(input.sector_bytes);
  ThreadPool pool(static_cast<size_t>(state.range(1)));
  for (auto _ : state) {
    const CompactWitness w = compact_update(input, pool);
    state.counters["values"] = static_cast<double>(values(w));
  }
}
BENCHMARK(BM_CompactSnap)
    ->Args({32 * kGiB, 1})
    ->Args({32 * kGiB, 2})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

// Kept for the benchmarks after it: making matrices of full size takes a minute.
const std::string& matrices_path(const char* name) {
  static std::map<std::string, std::string> made;
  std::string& path = made[name];
  if (path.empty()) path = std::string("/tmp/cuzk-bench-") + name + ".matrices";
  return path;
}

void BM_MakeMatrices(benchmark::State& state, const char* name) {
  ThreadPool pool;
  for (auto _ : state) {
    const auto made = make_matrices(*parse_circuit_name(name), pool);
    if (!made || !(*made)->save(matrices_path(name))) return state.SkipWithError("not made");
    state.counters["MiB"] = static_cast<double>((*made)->stored_bytes()) / 1048576.0;
    state.counters["forms"] = static_cast<double>((*made)->arrays().forms.size());
    state.counters["pieces"] = static_cast<double>((*made)->arrays().pieces.size());
  }
}
void BM_OpenMatrices(benchmark::State& state, const char* name) {
  for (auto _ : state) {
    const auto opened = StoredMatrices::open(matrices_path(name));
    if (!opened) return state.SkipWithError("not there");
  }
}
void BM_Evaluate(benchmark::State& state, const char* name) {
  const auto opened = StoredMatrices::open(matrices_path(name));
  if (!opened) return state.SkipWithError("not there");
  ThreadPool pool;
  const CircuitId circuit = *parse_circuit_name(name);
  CompactWitness w = circuit.kind == ProofKind::kPorep
                         ? *compact_porep(blank_porep(circuit.sector_bytes), 0, pool)
                         : *compact_post(blank_window(circuit.sector_bytes), 0, pool);
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
  static const std::string text = [] {
    ThreadPool pool;
    return porep_input_to_json(generate_porep(32 * kGiB, 1, pool));
  }();
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
