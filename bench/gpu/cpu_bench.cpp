// Times of fields, transforms and multi-scalar multiplication with every instruction set that this CPU has,
// without a benchmark library. For bench/gpu/cpu_ifma.sh. An argument limits the size: log2 of the longest
// transform (default 22).
#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "field/simd/batch.hpp"
#include "msm/fixed_base.hpp"
#include "msm/msm.hpp"
#include "poly/domain.hpp"

namespace cuzk {
namespace {

// The shortest of several runs, in nanoseconds.
template <class Body>
double shortest(int runs, Body&& body) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) {
    auto start = std::chrono::steady_clock::now();
    body();
    std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

void row(const char* isa, const char* what, double value, const char* unit) {
  std::printf("%-22s %-34s %10.2f %s\n", isa, what, value, unit);
  std::fflush(stdout);
}

template <class F>
std::vector<F> random_elements(size_t count) {
  TestRandom random(1);
  std::vector<F> out(count);
  for (F& x : out) x = F::random(random);
  return out;
}

void check(bool right, const char* isa, const char* what) {
  if (right) return;
  std::printf("%s: WRONG: %s\n", isa, what);
  std::exit(1);
}

// The vector kernels of the moment against plain code.
void check_against_plain(const char* isa, Executor& executor) {
  auto fr = random_elements<Fr>(1000), fr_out = fr;
  auto fp = random_elements<Fp>(1000), fp_out = fp;
  mul_batch(fr_out, fr, std::span<const Fr>(fr_out));
  mul_batch(fp_out, fp, std::span<const Fp>(fp_out));
  for (size_t i = 0; i < fr.size(); ++i) {
    check(fr_out[i] == fr[i].mul_portable(fr[i]), isa, "mul_batch, Fr");
    check(fp_out[i] == fp[i].mul_portable(fp[i]), isa, "mul_batch, Fp");
  }
  for (size_t log2_size = 4; log2_size <= 17; ++log2_size) {
    auto plain = Domain::create(size_t{1} << log2_size, executor, DomainRoot::kBellman, nullptr);
    auto vector = Domain::create(size_t{1} << log2_size, executor);
    auto a = random_elements<Fr>(plain->size()), b = a;
    plain->forward_on_coset(a, executor);
    vector->forward_on_coset(b, executor);
    check(a == b, isa, "forward_on_coset");
    plain->extend_to_coset(a, executor);
    vector->extend_to_coset(b, executor);
    check(a == b, isa, "extend_to_coset");
  }
}

template <class F>
void bench_field(const char* isa, const std::string& name) {
  auto a = random_elements<F>(128), b = a, c = a;
  F x = a[0];
  double latency = shortest(50, [&] {
    for (int i = 0; i < 10000; ++i) x = x * b[1];
  });
  double throughput = shortest(50, [&] {
    for (int i = 0; i < 1000; ++i)
      for (int j = 0; j < 8; ++j) a[j] = a[j] * b[1];
  });
  double batched = shortest(50, [&] {
    for (int i = 0; i < 100; ++i) mul_batch(c, a, b);
  });
  if (x.is_zero() || c[3].is_zero()) std::puts("zero");
  row(isa, (name + " mul, latency").c_str(), latency / 10000, "ns");
  row(isa, (name + " mul, throughput").c_str(), throughput / 8000, "ns");
  row(isa, (name + " mul, batched").c_str(), batched / 12800, "ns");
}

void bench_ntt(const char* isa, size_t log2_size, Executor& executor) {
  size_t n = size_t{1} << log2_size;
  auto domain = Domain::create(n, executor);
  auto a = random_elements<Fr>(n);
  std::string threads = ", threads " + std::to_string(executor.concurrency());
  double butterflies = static_cast<double>(n / 2 * log2_size);
  double forward = shortest(3, [&] { domain->forward(a, executor, ValueOrder::kBitReversed); });
  double inverse = shortest(3, [&] { domain->inverse(a, executor, ValueOrder::kBitReversed); });
  std::string name = "2^" + std::to_string(log2_size) + threads + ", a butterfly";
  row(isa, ("NTT " + name).c_str(), forward / butterflies, "ns");
  row(isa, ("inverse " + name).c_str(), inverse / butterflies, "ns");
}

template <class G>
std::vector<typename G::Point> points(size_t n, Executor& executor) {
  auto scalars = random_elements<Fr>(n);
  std::vector<typename G::Point> out(n);
  FixedBase<G> table(G::generator(), n, executor);
  table.multiply(scalars, out, executor);
  return out;
}

template <class G>
void bench_msm(const char* isa, const char* name, const std::vector<typename G::Point>& bases,
               Executor& executor) {
  auto scalars = random_elements<Fr>(bases.size());
  static typename G::Sum first_sums[64];  // by the logarithm of the length, of the first instruction set
  static bool known[64];
  double time = shortest(2, [&] {
    auto sum = msm<G>(SpanSource<G>(bases), Scalars{scalars}, executor);
    size_t length = static_cast<size_t>(std::bit_width(bases.size()));
    if (!known[length]) first_sums[length] = *sum, known[length] = true;
    check(*sum == first_sums[length], isa, name);
  });
  std::string what = std::string(name) + " " + std::to_string(bases.size()) + ", threads " +
                     std::to_string(executor.concurrency());
  row(isa, what.c_str(), time / 1e6, "ms");
}

void run(size_t most) {
  std::ifstream cpuinfo("/proc/cpuinfo");
  for (std::string line; std::getline(cpuinfo, line);)
    if (line.rfind("model name", 0) == 0) {
      std::printf("%s\n", line.c_str());
      break;
    }
  InlineExecutor one;
  ThreadPool all;
  auto g1 = points<G1>(size_t{1} << std::min<size_t>(most, 20), all);
  auto g2 = points<G2>(size_t{1} << std::min<size_t>(most, 16), all);
  std::vector<typename G1::Point> g1_short(
      g1.begin(), g1.begin() + static_cast<long>(std::min<size_t>(g1.size(), 1 << 18)));
  for (Isa isa : {Isa{}, Isa{.adx = true}, Isa{.adx = true, .avx2_fma = true},
                  Isa{.adx = true, .avx2_fma = true, .ifma = true}}) {
    ScopedIsa scope(isa);
    if (active_isa.ifma != isa.ifma || active_isa.avx2_fma != isa.avx2_fma) continue;
    std::string name = active_isa.describe();
    check_against_plain(name.c_str(), all);
    bench_field<Fr>(name.c_str(), "Fr");
    bench_field<Fp>(name.c_str(), "Fp");
    if (!isa.adx) continue;
    for (size_t log2_size : {most - 2, most}) bench_ntt(name.c_str(), log2_size, one);
    bench_ntt(name.c_str(), most, all);
    bench_msm<G1>(name.c_str(), "G1 MSM", g1_short, one);
    bench_msm<G1>(name.c_str(), "G1 MSM", g1, one);
    bench_msm<G2>(name.c_str(), "G2 MSM", g2, one);
    bench_msm<G1>(name.c_str(), "G1 MSM", g1, all);
  }
}

}  // namespace
}  // namespace cuzk

int main(int count, char** arguments) {
  cuzk::run(count > 1 ? static_cast<size_t>(std::max(6, std::atoi(arguments[1]))) : 22);
  return 0;
}
