// Field multiplication: latency by a dependent chain, throughput by independent chains. Items are
// multiplications.
#include <benchmark/benchmark.h>

#include <vector>

#include "field/fp.hpp"
#include "field/fr.hpp"
#include "field/simd/batch.hpp"

namespace cuzk {
namespace {

template <class F>
void mul_latency(benchmark::State& state) {
  TestRandom random(1);
  F a = F::random(random), b = F::random(random);
  for (auto _ : state)
    for (int i = 0; i < 1000; ++i) a *= b;
  benchmark::DoNotOptimize(a);
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * 1000);
}

template <class F>
void mul_throughput(benchmark::State& state) {
  TestRandom random(1);
  constexpr size_t kChains = 8;
  F a[kChains], b = F::random(random);
  for (F& x : a) x = F::random(random);
  for (auto _ : state)
    for (int i = 0; i < 1000; ++i)
      for (F& x : a) x *= b;
  benchmark::DoNotOptimize(a);
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * 1000 * kChains);
}

template <class F>
void mul_batched(benchmark::State& state) {
  TestRandom random(1);
  constexpr size_t kCount = 128;  // three arrays in the L1 cache
  std::vector<F> a(kCount), b(kCount), out(kCount);
  for (size_t i = 0; i < kCount; ++i) a[i] = F::random(random), b[i] = F::random(random);
  for (auto _ : state) {
    mul_batch(out, a, b);
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * kCount);
}

void BM_fp_mul_batched(benchmark::State& state) {
  mul_batched<Fp>(state);
}
void BM_fr_mul_batched(benchmark::State& state) {
  mul_batched<Fr>(state);
}
void BM_fp_mul_latency(benchmark::State& state) {
  mul_latency<Fp>(state);
}
void BM_fr_mul_latency(benchmark::State& state) {
  mul_latency<Fr>(state);
}
void BM_fp_mul_throughput(benchmark::State& state) {
  mul_throughput<Fp>(state);
}
void BM_fr_mul_throughput(benchmark::State& state) {
  mul_throughput<Fr>(state);
}
void BM_fp_inverse(benchmark::State& state) {
  TestRandom random(1);
  Fp a = Fp::random(random);
  for (auto _ : state) a = a.inverse() + Fp::one();
  benchmark::DoNotOptimize(a);
}
BENCHMARK(BM_fp_mul_latency);
BENCHMARK(BM_fr_mul_latency);
BENCHMARK(BM_fp_mul_throughput);
BENCHMARK(BM_fr_mul_throughput);
BENCHMARK(BM_fp_mul_batched);
BENCHMARK(BM_fr_mul_batched);
BENCHMARK(BM_fp_inverse);

}  // namespace
}  // namespace cuzk
