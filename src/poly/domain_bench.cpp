// BM_ntt/<log2 size>/<threads>: one forward transform, values in bit-reversed order. Real time. Items are
// butterflies.
#include <benchmark/benchmark.h>

#include <vector>

#include "poly/domain.hpp"

namespace cuzk {
namespace {

enum class Kind { kForward, kForwardNatural, kInverse, kExtend };

void transform(benchmark::State& state, Kind kind) {
  size_t n = size_t{1} << state.range(0);
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  auto domain = Domain::create(n, executor);
  TestRandom random(1);
  std::vector<Fr> a(n);
  for (Fr& x : a) x = Fr::random(random);
  for (auto _ : state) switch (kind) {
      case Kind::kForward:
        domain->forward(a, executor, ValueOrder::kBitReversed);
        break;
      case Kind::kForwardNatural:
        domain->forward(a, executor);
        break;
      case Kind::kInverse:
        domain->inverse(a, executor, ValueOrder::kBitReversed);
        break;
      case Kind::kExtend:
        domain->extend_to_coset(a, executor, Fr::generator(), ValueOrder::kBitReversed);
        break;
    }
  state.SetItemsProcessed(state.iterations() * static_cast<int64_t>(n / 2) * state.range(0));
}

void BM_ntt(benchmark::State& state) {
  transform(state, Kind::kForward);
}
void BM_ntt_natural(benchmark::State& state) {
  transform(state, Kind::kForwardNatural);
}
void BM_ntt_inverse(benchmark::State& state) {
  transform(state, Kind::kInverse);
}
void BM_ntt_extend(benchmark::State& state) {
  transform(state, Kind::kExtend);
}

void BM_domain_create(benchmark::State& state) {
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  for (auto _ : state) benchmark::DoNotOptimize(Domain::create(size_t{1} << state.range(0), executor));
}

#define CUZK_NTT_SIZES \
  ->Args({12, 1})      \
      ->Args({16, 1})  \
      ->Args({20, 1})  \
      ->Args({20, 2})  \
      ->Args({22, 1})  \
      ->Args({22, 2})  \
      ->UseRealTime()  \
      ->Unit(benchmark::kMillisecond)
BENCHMARK(BM_ntt) CUZK_NTT_SIZES;
BENCHMARK(BM_ntt_natural) CUZK_NTT_SIZES;
BENCHMARK(BM_ntt_inverse) CUZK_NTT_SIZES;
BENCHMARK(BM_ntt_extend) CUZK_NTT_SIZES;
BENCHMARK(BM_domain_create)->Args({20, 1})->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace cuzk
