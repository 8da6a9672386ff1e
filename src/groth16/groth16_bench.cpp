// Setup, the steps of a proof, and verification, on synthetic circuits. Arguments: log2 of the domain,
// threads.
#include <benchmark/benchmark.h>

#include "base/check.hpp"
#include "device/cpu/cpu_device.hpp"
#include "groth16/circuits_test.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"

namespace cuzk {
namespace {

enum class Values { kWide, kBits };

// About as many variables as constraints, in a domain that is nearly full.
TestCircuit circuit_of(size_t log2_domain, Values values) {
  const size_t constraints = (size_t{1} << log2_domain) - 16;
  TestCircuit test = random_circuit(8, constraints - 8, constraints, 5);
  if (values == Values::kBits) {
    // Bits for evaluation and sums; C is no longer right, which nothing here looks at.
    for (size_t v = 1; v < test.witness.size(); ++v)
      if (v % 64 != 0) test.witness[v] = v % 3 == 0 ? Fr::one() : Fr::zero();
  }
  return test;
}

SetupSecrets secrets() {
  TestRandom random(3);
  return SetupSecrets::random(random);
}

void arguments(benchmark::internal::Benchmark* b) {
  b->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
  for (int log2_domain : {14, 17})
    for (int threads : {1, 2}) b->Args({log2_domain, threads});
}

void bench_setup(benchmark::State& state) {
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  const TestCircuit test = circuit_of(static_cast<size_t>(state.range(0)), Values::kWide);
  for (auto _ : state) CUZK_CHECK(setup(*test.circuit, secrets(), kBellmanForm, executor));
}
BENCHMARK(bench_setup)->Apply(arguments);

void bench_sums(benchmark::State& state, Values values) {
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  const TestCircuit test = circuit_of(static_cast<size_t>(state.range(0)), values);
  auto key = setup(*test.circuit, secrets(), kBellmanForm, executor);
  CUZK_CHECK(key);
  CpuDevice device(executor);
  auto resident = ResidentKey::load(device, *key, test.circuit);
  CUZK_CHECK(resident);
  for (auto _ : state) {
    auto pending = device.start((*resident)->on_device(), std::span<const Fr>(test.witness), false);
    CUZK_CHECK(pending && (*pending)->wait());
  }
}
BENCHMARK_CAPTURE(bench_sums, wide, Values::kWide)->Apply(arguments);
BENCHMARK_CAPTURE(bench_sums, bits, Values::kBits)->Apply(arguments);

void bench_evaluate_and_quotient(benchmark::State& state) {
  ThreadPool executor(static_cast<size_t>(state.range(1)));
  const TestCircuit test = circuit_of(static_cast<size_t>(state.range(0)), Values::kWide);
  CpuDevice device(executor);
  auto matrices = device.load_matrices(test.circuit);
  CUZK_CHECK(matrices);
  std::vector<Fr> a(size_t{1} << state.range(0)), b(a.size()), h(a.size());
  for (auto _ : state) {
    CUZK_CHECK(device.evaluate(**matrices, std::span<const Fr>(test.witness), a, b));
    CUZK_CHECK(device.quotient(QuotientBasis::kCoefficients, DomainRoot::kBellman, a, b, h));
  }
}
BENCHMARK(bench_evaluate_and_quotient)->Apply(arguments);

void bench_verify(benchmark::State& state) {
  InlineExecutor executor;
  const TestCircuit test = random_circuit(static_cast<size_t>(state.range(0)), 5, 4, 1);
  auto key = setup(*test.circuit, secrets(), kBellmanForm, executor);
  CUZK_CHECK(key);
  const PreparedVerifyingKey vk(key->vk);
  const Proof proof{G1::generator(), G2::generator(), G1::generator()};
  for (auto _ : state) benchmark::DoNotOptimize(verify(vk, proof, test.inputs()));
}
BENCHMARK(bench_verify)->Arg(1)->Arg(2)->Arg(129)->Unit(benchmark::kMicrosecond);

void bench_prepare_verifying_key(benchmark::State& state) {
  InlineExecutor executor;
  auto key = setup(*random_circuit(2, 5, 4, 1).circuit, secrets(), kBellmanForm, executor);
  CUZK_CHECK(key);
  for (auto _ : state) benchmark::DoNotOptimize(PreparedVerifyingKey(key->vk));
}
BENCHMARK(bench_prepare_verifying_key)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace cuzk
