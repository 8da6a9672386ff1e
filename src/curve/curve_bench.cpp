// Points and pairing, one thread. Items are points or pairings.
#include <benchmark/benchmark.h>

#include "curve/encoding.hpp"
#include "curve/glv.hpp"
#include "curve/pairing.hpp"
#include "curve/subgroup.hpp"

namespace cuzk {
namespace {

constexpr size_t kPoints = 256;

template <class G>
std::vector<typename G::Point> some_points() {
  TestRandom random(1);
  std::vector<typename G::Sum> sums;
  for (size_t i = 0; i < kPoints; ++i)
    sums.push_back(G::Sum::from_affine(G::generator()) * Fr::random(random));
  return batch_to_affine<typename G::Field>(sums);
}

void finish(benchmark::State& state) {
  state.SetItemsProcessed(static_cast<int64_t>(state.iterations()) * static_cast<int64_t>(kPoints));
}

template <class F>
void BM_field_mul(benchmark::State& state) {
  TestRandom random(1);
  F a[4], b = F::random(random);
  for (F& x : a) x = F::random(random);
  for (auto _ : state)
    for (size_t i = 0; i < kPoints / 4; ++i)
      for (F& x : a) x = x * b;
  benchmark::DoNotOptimize(a);
  finish(state);
}
template <class F>
void BM_field_square(benchmark::State& state) {
  TestRandom random(1);
  F a[4];
  for (F& x : a) x = F::random(random);
  for (auto _ : state)
    for (size_t i = 0; i < kPoints / 4; ++i)
      for (F& x : a) x = x.square();
  benchmark::DoNotOptimize(a);
  finish(state);
}
BENCHMARK(BM_field_mul<Fp>);
BENCHMARK(BM_field_mul<Fp2>);
BENCHMARK(BM_field_square<Fp2>);

template <class G>
void BM_mixed_add(benchmark::State& state) {
  auto points = some_points<G>();
  auto sum = G::Sum::infinity();
  for (auto _ : state)
    for (const auto& p : points) sum += p;
  benchmark::DoNotOptimize(sum);
  finish(state);
}
template <class G>
void BM_subgroup_check(benchmark::State& state) {
  auto points = some_points<G>();
  for (auto _ : state)
    for (const auto& p : points) benchmark::DoNotOptimize(is_in_subgroup(p));
  finish(state);
}
template <class G>
void BM_decode_uncompressed(benchmark::State& state) {
  auto points = some_points<G>();
  std::vector<uint8_t> bytes(kPoints * kUncompressedBytes<G>);
  for (size_t i = 0; i < kPoints; ++i) encode_uncompressed<G>(points[i], &bytes[i * kUncompressedBytes<G>]);
  for (auto _ : state)
    for (size_t i = 0; i < kPoints; ++i)
      benchmark::DoNotOptimize(
          decode_uncompressed<G>(&bytes[i * kUncompressedBytes<G>], static_cast<PointCheck>(state.range(0))));
  finish(state);
}
template <class G>
void BM_decode_compressed(benchmark::State& state) {
  auto points = some_points<G>();
  std::vector<uint8_t> bytes(kPoints * kCompressedBytes<G>);
  for (size_t i = 0; i < kPoints; ++i) encode_compressed<G>(points[i], &bytes[i * kCompressedBytes<G>]);
  for (auto _ : state)
    for (size_t i = 0; i < kPoints; ++i)
      benchmark::DoNotOptimize(decode_compressed<G>(&bytes[i * kCompressedBytes<G>], PointCheck::kCurve));
  finish(state);
}
BENCHMARK(BM_mixed_add<G1>);
BENCHMARK(BM_mixed_add<G2>);
BENCHMARK(BM_subgroup_check<G1>);
BENCHMARK(BM_subgroup_check<G2>);
BENCHMARK(BM_decode_uncompressed<G1>)->ArgName("check")->DenseRange(0, 2);
BENCHMARK(BM_decode_uncompressed<G2>)->ArgName("check")->DenseRange(0, 2);
BENCHMARK(BM_decode_compressed<G1>);
BENCHMARK(BM_decode_compressed<G2>);

void BM_decompose_g1(benchmark::State& state) {
  TestRandom random(1);
  std::vector<BigInt<4>> scalars;
  for (size_t i = 0; i < kPoints; ++i) scalars.push_back(Fr::random(random).to_canonical());
  for (auto _ : state)
    for (const auto& k : scalars) benchmark::DoNotOptimize(decompose_g1(k));
  finish(state);
}
void BM_decompose_g2(benchmark::State& state) {
  TestRandom random(1);
  std::vector<BigInt<4>> scalars;
  for (size_t i = 0; i < kPoints; ++i) scalars.push_back(Fr::random(random).to_canonical());
  for (auto _ : state)
    for (const auto& k : scalars) benchmark::DoNotOptimize(decompose_g2(k));
  finish(state);
}
BENCHMARK(BM_decompose_g1);
BENCHMARK(BM_decompose_g2);

void BM_miller_loop(benchmark::State& state) {
  PointPair pair{G1::generator(), G2::generator()};
  for (auto _ : state) benchmark::DoNotOptimize(miller_loop({&pair, 1}));
}
void BM_miller_loop_prepared(benchmark::State& state) {
  PreparedG2 prepared(G2::generator());
  PreparedPair pair{G1::generator(), &prepared};
  for (auto _ : state) benchmark::DoNotOptimize(miller_loop({}, {&pair, 1}));
}
void BM_final_exponentiation(benchmark::State& state) {
  PointPair pair{G1::generator(), G2::generator()};
  Fp12 f = miller_loop({&pair, 1});
  for (auto _ : state) benchmark::DoNotOptimize(final_exponentiation(f));
}
void BM_pairing(benchmark::State& state) {
  for (auto _ : state) benchmark::DoNotOptimize(pairing(G1::generator(), G2::generator()));
}
BENCHMARK(BM_miller_loop);
BENCHMARK(BM_miller_loop_prepared);
BENCHMARK(BM_final_exponentiation);
BENCHMARK(BM_pairing);

}  // namespace
}  // namespace cuzk
