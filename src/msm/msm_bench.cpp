// Multi-scalar and fixed-base multiplication. Items are points. Arguments: log2 of the length, threads.
#include <benchmark/benchmark.h>

#include "msm/fixed_base.hpp"
#include "msm/kernel.hpp"
#include "msm/msm.hpp"
#include "msm/subgroup_batch.hpp"

namespace cuzk {
namespace {

// 2^log2_size distinct points with unknown relations for the algorithm's purposes: (s + i·t)·G.
template <class G>
std::vector<typename G::Point> bench_points(size_t log2_size) {
  TestRandom random(1);
  ThreadPool executor;
  size_t n = size_t{1} << log2_size;
  FixedBase<G> table(G::generator(), n, executor);
  std::vector<Fr> scalars(n);
  for (auto& s : scalars) s = Fr::random(random);
  std::vector<typename G::Point> points(n);
  table.multiply(scalars, points, executor);
  return points;
}

std::vector<Fr> bench_scalars(size_t log2_size) {
  TestRandom random(2);
  std::vector<Fr> scalars(size_t{1} << log2_size);
  for (auto& s : scalars) s = Fr::random(random);
  return scalars;
}

void count_items(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) << state.range(0));
}

template <class G>
void bench_msm(benchmark::State& state) {
  auto points = bench_points<G>(static_cast<size_t>(state.range(0)));
  auto scalars = bench_scalars(static_cast<size_t>(state.range(0)));
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(msm<G>(SpanSource<G>(points), Scalars{scalars}, executor));
  count_items(state);
}
void BM_msm_g1(benchmark::State& state) {
  bench_msm<G1>(state);
}
void BM_msm_g2(benchmark::State& state) {
  bench_msm<G2>(state);
}

// All points good, one thread.
template <class G>
void bench_subgroup(benchmark::State& state) {
  const auto points = bench_points<G>(static_cast<size_t>(state.range(0)));
  SystemRandom random;
  for (auto _ : state) benchmark::DoNotOptimize(first_outside_subgroup<G>(points, random));
  count_items(state);
}
void BM_subgroup_g1(benchmark::State& state) {
  bench_subgroup<G1>(state);
}
void BM_subgroup_g2(benchmark::State& state) {
  bench_subgroup<G2>(state);
}

template <class G>
void bench_fixed_base(benchmark::State& state) {
  auto scalars = bench_scalars(static_cast<size_t>(state.range(0)));
  std::vector<typename G::Point> out(scalars.size());
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  for (auto _ : state) {
    FixedBase<G> table(G::generator(), scalars.size(), executor);
    table.multiply(scalars, out, executor);
  }
  count_items(state);
}
void BM_fixed_base_g1(benchmark::State& state) {
  bench_fixed_base<G1>(state);
}
void BM_fixed_base_g2(benchmark::State& state) {
  bench_fixed_base<G2>(state);
}

template <class G>
void bench_batch_sum(benchmark::State& state) {
  auto points = bench_points<G>(static_cast<size_t>(state.range(0)));
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(batch_sum<G>(SpanSource<G>(points), executor));
  count_items(state);
}
void BM_batch_sum_g1(benchmark::State& state) {
  bench_batch_sum<G1>(state);
}
void BM_batch_sum_g2(benchmark::State& state) {
  bench_batch_sum<G2>(state);
}

// The instruction sets that a benchmark's argument names: 0 plain and ADX, 1 AVX2, 2 IFMA.
Isa isa_of(int64_t argument) {
  return {.adx = true, .avx2_fma = argument == 1, .ifma = argument == 2};
}

// Additions that share one inversion, operands in the cache. Items are additions. Arguments: jobs,
// instruction set.
template <class G>
void bench_batch_add(benchmark::State& state) {
  auto points = bench_points<G>(11);
  ScopedIsa scope(isa_of(state.range(1)));
  auto n = static_cast<size_t>(state.range(0));
  std::vector<typename G::Point> out(n);
  std::vector<detail::AddJob<typename G::Field>> jobs;
  for (size_t i = 0; i < n; ++i) jobs.push_back({&points[i], {&points[(i + 1) % n], i % 2 == 0}, &out[i]});
  const auto* kernels = detail::BatchAdder<G>::active_kernels();
  state.SetLabel(kernels == nullptr ? "scalar" : kernels->name);
  detail::BatchAdder<G> adder(kernels);
  for (auto _ : state) adder.run(jobs);
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * state.range(0));
}
void BM_batch_add_g1(benchmark::State& state) {
  bench_batch_add<G1>(state);
}
void BM_batch_add_g2(benchmark::State& state) {
  bench_batch_add<G2>(state);
}

// One thread, by instruction set. Arguments: log2 of the length, instruction set.
template <class G>
void bench_msm_isa(benchmark::State& state) {
  auto points = bench_points<G>(static_cast<size_t>(state.range(0)));
  auto scalars = bench_scalars(static_cast<size_t>(state.range(0)));
  ScopedIsa scope(isa_of(state.range(1)));
  InlineExecutor executor;
  for (auto _ : state) benchmark::DoNotOptimize(msm<G>(SpanSource<G>(points), Scalars{scalars}, executor));
  count_items(state);
}
void BM_msm_g1_isa(benchmark::State& state) {
  bench_msm_isa<G1>(state);
}
void BM_msm_g2_isa(benchmark::State& state) {
  bench_msm_isa<G2>(state);
}
BENCHMARK(BM_batch_add_g1)->ArgsProduct({{64, 512, 2048}, {0, 1, 2}});
BENCHMARK(BM_batch_add_g2)->ArgsProduct({{64, 512, 2048}, {0, 1, 2}});
BENCHMARK(BM_subgroup_g1)->Arg(8)->Arg(10)->Arg(12)->Arg(14)->Arg(16)->Arg(18)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_subgroup_g2)->Arg(8)->Arg(10)->Arg(12)->Arg(14)->Arg(15)->Arg(17)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_msm_g1_isa)->ArgsProduct({{18}, {0, 1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(BM_msm_g2_isa)->ArgsProduct({{16}, {0, 1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond);

#define CUZK_SIZES(...) ->ArgsProduct({{__VA_ARGS__}, {1, 2}})->UseRealTime()->Unit(benchmark::kMillisecond)
BENCHMARK(BM_msm_g1) CUZK_SIZES(8, 10, 12, 14, 16, 18, 20);
BENCHMARK(BM_msm_g2) CUZK_SIZES(8, 10, 12, 14, 16, 18);
BENCHMARK(BM_fixed_base_g1) CUZK_SIZES(12, 16, 18);
BENCHMARK(BM_fixed_base_g2) CUZK_SIZES(12, 16);
BENCHMARK(BM_batch_sum_g1) CUZK_SIZES(16, 20);
BENCHMARK(BM_batch_sum_g2) CUZK_SIZES(16);

}  // namespace
}  // namespace cuzk
