// The transforms against their defining sums, and laws.
#include "poly/domain.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "base/check.hpp"
#include "poly/ntt_kernels.hpp"

namespace cuzk {
namespace {

std::vector<Fr> random_vector(size_t size, uint64_t seed) {
  TestRandom random(seed);
  std::vector<Fr> v(size);
  for (Fr& x : v) x = Fr::random(random);
  return v;
}

Domain domain_of(size_t size, Executor& executor) {
  auto domain = Domain::create(size, executor);
  CUZK_CHECK(domain.has_value());
  return std::move(*domain);
}

// Σ_j a_j x^j at x = shift·w^i, by Horner's rule.
std::vector<Fr> naive_values(const std::vector<Fr>& a, const Fr& root, const Fr& shift) {
  std::vector<Fr> values;
  Fr x = shift;
  for (size_t i = 0; i < a.size(); ++i, x *= root) {
    Fr v = Fr::zero();
    for (size_t j = a.size(); j-- > 0;) v = v * x + a[j];
    values.push_back(v);
  }
  return values;
}

std::vector<Fr> permuted(const std::vector<Fr>& a, size_t bits) {
  std::vector<Fr> out;
  for (size_t i = 0; i < a.size(); ++i) out.push_back(a[bit_reverse(i, bits)]);
  return out;
}

void check_against_naive(Executor& executor) {
  for (size_t k = 0; k <= 8; ++k) {
    auto a = random_vector(size_t{1} << k, 100 + k);
    Domain domain = domain_of(a.size(), executor);
    ASSERT_EQ(domain.size(), a.size());
    Fr odd_shift = fr_root_of_unity(k + 1);
    for (const Fr& shift : {Fr::one(), Fr::generator(), odd_shift}) {
      auto expected = naive_values(a, domain.root(), shift);
      auto b = a;
      if (shift.is_one())
        domain.forward(b, executor);
      else
        domain.forward_on_coset(b, executor, shift);
      EXPECT_EQ(b, expected) << k;
      b = a;
      if (shift.is_one())
        domain.forward(b, executor, ValueOrder::kBitReversed);
      else
        domain.forward_on_coset(b, executor, shift, ValueOrder::kBitReversed);
      EXPECT_EQ(b, permuted(expected, k)) << k;
      domain.inverse_on_coset(b, executor, shift, ValueOrder::kBitReversed);
      EXPECT_EQ(b, a) << k;
      b = expected;
      domain.inverse_on_coset(b, executor, shift);
      EXPECT_EQ(b, a) << k;
    }
    auto b = naive_values(a, domain.root(), Fr::one());
    domain.inverse(b, executor);
    EXPECT_EQ(b, a) << k;
    b = naive_values(a, domain.root(), Fr::one());
    domain.extend_to_coset(b, executor);
    EXPECT_EQ(b, naive_values(a, domain.root(), Fr::generator())) << k;
  }
}

TEST(Domain, AgainstNaive) {
  InlineExecutor executor;
  check_against_naive(executor);
}
TEST(Domain, AgainstNaivePortable) {
  ScopedIsa portable{Isa{}};
  InlineExecutor executor;
  check_against_naive(executor);
}
TEST(Domain, AgainstNaiveThreads) {
  ThreadPool executor(3);
  check_against_naive(executor);
}

TEST(Domain, Laws) {
  ThreadPool executor(2);
  for (size_t k : {9, 10, 12, 13, 15}) {
    size_t n = size_t{1} << k;
    Domain domain = domain_of(n - 1, executor);
    ASSERT_EQ(domain.size(), n);
    auto a = random_vector(n, 1), b = random_vector(n, 2), sum = a;
    Fr factor = Fr::from_u64(12345);
    for (size_t i = 0; i < n; ++i) sum[i] = a[i] + factor * b[i];
    auto fa = a, fb = b;
    domain.forward(fa, executor);
    domain.forward(fb, executor);
    domain.forward(sum, executor);
    for (size_t i = 0; i < n; ++i) ASSERT_EQ(sum[i], fa[i] + factor * fb[i]);
    auto back = fa;
    domain.inverse(back, executor);
    EXPECT_EQ(back, a);
    // One value by its definition.
    Fr x = domain.root().pow(n - 3), v = Fr::zero();
    for (size_t j = n; j-- > 0;) v = v * x + a[j];
    EXPECT_EQ(fa[n - 3], v);
    for (ValueOrder order : {ValueOrder::kNatural, ValueOrder::kBitReversed}) {
      auto c = a, d = a;
      domain.forward(c, executor, order);
      domain.extend_to_coset(c, executor, Fr::from_u64(9), order);
      domain.forward_on_coset(d, executor, Fr::from_u64(9), order);
      EXPECT_EQ(c, d);
      domain.inverse_on_coset(d, executor, Fr::from_u64(9), order);
      EXPECT_EQ(d, a);
    }
  }
}

// Every kind of kernel gives the same as plain code, for every size and number of passes.
void check_kernels(const detail::NttKernels& kernels, size_t most_levels) {
  ThreadPool executor(2);
  for (size_t k = 0; k <= most_levels; k += k < 14 ? 1 : 3) {
    size_t n = size_t{1} << k;
    DomainRoot root = k % 2 == 0 ? DomainRoot::kBellman : DomainRoot::kSnarkjs;
    auto plain = Domain::create(n, executor, root, nullptr),
         vector = Domain::create(n, executor, root, &kernels);
    ASSERT_TRUE(plain.has_value() && vector.has_value());
    auto a = random_vector(n, 200 + k);
    // Edge values: zeros, small ones, and those closest to r.
    for (size_t i = 0; i < n; ++i) {
      if (k % 3 == 1 && i % 2 == 0)
        a[i] = i % 4 == 0 ? -Fr::one() : Fr::from_montgomery(BigInt<4>::from_u64(i));
      if (k % 3 == 2 && i % 8 != 1)
        a[i] = i % 3 == 0 ? Fr::zero() : -Fr::from_montgomery(BigInt<4>::from_u64(1));
    }
    auto x = a, y = a;
    plain->forward(x, executor, ValueOrder::kBitReversed);
    vector->forward(y, executor, ValueOrder::kBitReversed);
    ASSERT_EQ(x, y) << k;
    plain->extend_to_coset(x, executor, Fr::from_u64(5), ValueOrder::kBitReversed);
    vector->extend_to_coset(y, executor, Fr::from_u64(5), ValueOrder::kBitReversed);
    ASSERT_EQ(x, y) << k;
    plain->inverse_on_coset(x, executor, Fr::from_u64(5), ValueOrder::kBitReversed);
    vector->inverse_on_coset(y, executor, Fr::from_u64(5), ValueOrder::kBitReversed);
    ASSERT_EQ(x, y) << k;
    ASSERT_EQ(x, a) << k;
    x = a, y = a;
    plain->inverse(x, executor, ValueOrder::kBitReversed);
    vector->inverse(y, executor, ValueOrder::kBitReversed);
    ASSERT_EQ(x, y) << k;
    plain->forward_on_coset(x, executor);
    vector->forward_on_coset(y, executor);
    ASSERT_EQ(x, y) << k;
  }
}

TEST(Domain, Emulated) {
  check_kernels(detail::kNttEmulated, 14);
}
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
TEST(Domain, Avx2) {
  if (!active_isa.avx2_fma) GTEST_SKIP() << "no AVX2 with FMA here";
  check_kernels(detail::kNttAvx2, 17);
}
TEST(Domain, Ifma) {
  if (!active_isa.ifma) GTEST_SKIP() << "no AVX-512 IFMA here";
  check_kernels(detail::kNttIfma, 17);
}
#endif

TEST(Domain, Convolution) {
  InlineExecutor executor;
  auto a = random_vector(100, 3), b = random_vector(157, 4);
  std::vector<Fr> product(256, Fr::zero());
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t j = 0; j < b.size(); ++j) product[i + j] += a[i] * b[j];
  Domain domain = domain_of(256, executor);
  a.resize(256, Fr::zero());
  b.resize(256, Fr::zero());
  for (ValueOrder order : {ValueOrder::kNatural, ValueOrder::kBitReversed}) {
    auto x = a, y = b;
    domain.forward(x, executor, order);
    domain.forward_on_coset(y, executor, Fr::one(), order);
    multiply_pointwise(x, y, executor);
    domain.inverse(x, executor, order);
    EXPECT_EQ(x, product);
  }
}

TEST(Domain, Sizes) {
  InlineExecutor executor;
  EXPECT_EQ(domain_of(0, executor).size(), 1u);
  EXPECT_EQ(domain_of(1, executor).size(), 1u);
  EXPECT_EQ(domain_of(2, executor).size(), 2u);
  EXPECT_EQ(domain_of(3, executor).size(), 4u);
  EXPECT_EQ(domain_of(1025, executor).log2_size(), 11u);
  EXPECT_FALSE(Domain::create((size_t{1} << 32) + 1, executor).has_value());
}

TEST(Domain, VanishingAndPointwise) {
  InlineExecutor executor;
  Domain domain = domain_of(64, executor);
  EXPECT_EQ(domain.vanishing_on_coset(), Fr::generator().pow(64) - Fr::one());
  EXPECT_TRUE(domain.vanishing_on_coset(domain.root()).is_zero());
  auto a = random_vector(2500, 5), b = random_vector(2500, 6);
  Fr factor = Fr::from_u64(99), ratio = Fr::from_u64(5);
  auto x = a;
  multiply_pointwise(x, b, executor);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], a[i] * b[i]);
  x = a;
  scale_by_powers(x, factor, ratio, executor);
  for (size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], a[i] * factor * ratio.pow(i));
}

}  // namespace
}  // namespace cuzk
