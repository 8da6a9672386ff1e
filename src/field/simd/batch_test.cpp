// The vector kernels against PrimeField: edge values and random ones, every instruction set that this CPU has
// and the emulated one.
#include "field/simd/batch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "field/simd/batch_kernels.hpp"

namespace cuzk {
namespace {

// Montgomery words 0, 1, p-1, p-2, patterns of ones and zeros in words and in limbs of 52 bits; then random
// ones.
template <class F>
std::vector<F> values(size_t count) {
  using Int = typename F::Int;
  std::vector<F> out;
  auto add = [&](Int v) {
    if (v < F::kModulus) out.push_back(F::from_montgomery(v));
  };
  add(Int::zero());
  add(Int::from_u64(1));
  for (size_t i = 0; i < F::kBits; i += 4) {
    add(Int::from_u64(1).shifted_left(i));
    Int v = F::kModulus;
    v.sub_in_place(Int::from_u64(1));
    add(v);
    v.sub_in_place(Int::from_u64(1).shifted_left(i));
    add(v);
    Int ones{};
    for (auto& l : ones.limb) l = ~uint64_t{0};
    add(ones.shifted_right(64 * F::kLimbs - i));
    Int high = ones.shifted_right(64 * F::kLimbs - F::kBits + 1);
    add(high);
    high.sub_in_place(ones.shifted_right(64 * F::kLimbs - i));
    add(high);
  }
  TestRandom random(11);
  while (out.size() < count) out.push_back(F::random(random));
  return out;
}

template <class F>
void check_mul(void (*kernel)(uint64_t*, const uint64_t*, const uint64_t*, size_t)) {
  auto a = values<F>(600);
  a.resize(a.size() / 8 * 8);
  TestRandom random(12);
  std::vector<F> b(a.size()), out(a.size());
  for (size_t round = 0; round < 200; ++round) {
    for (size_t i = 0; i < b.size(); ++i)
      b[i] = round % 4 == 3 ? F::random(random) : a[(i * 7 + round) % a.size()];
    kernel(out[0].montgomery().limb, a[0].montgomery().limb, b[0].montgomery().limb, a.size());
    for (size_t i = 0; i < b.size(); ++i) ASSERT_EQ(out[i], a[i] * b[i]) << i << " " << round;
  }
}

void check_kernels(const simd::BatchKernels& kernels) {
  check_mul<Fr>(kernels.mul_fr);
  check_mul<Fp>(kernels.mul_fp);
}

TEST(MulBatch, Emulated) {
  check_kernels(simd::kBatchEmulated);
}
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
TEST(MulBatch, Avx2) {
  if (!active_isa.avx2_fma) GTEST_SKIP() << "no AVX2 with FMA here";
  check_kernels(simd::kBatchAvx2);
}
TEST(MulBatch, Ifma) {
  if (!active_isa.ifma) GTEST_SKIP() << "no AVX-512 IFMA here";
  check_kernels(simd::kBatchIfma);
}
#endif

template <class F>
void check_sizes() {
  auto a = values<F>(40), b = a;
  std::reverse(b.begin(), b.end());
  for (size_t n = 0; n < 40; ++n) {
    std::vector<F> out(n);
    mul_batch(out, std::span<const F>(a).first(n), std::span<const F>(b).first(n));
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], a[i] * b[i]);
    out.assign(a.begin(), a.begin() + static_cast<long>(n));
    mul_batch(out, out, out);
    for (size_t i = 0; i < n; ++i) EXPECT_EQ(out[i], a[i].square());
  }
}
TEST(MulBatch, AnySizeAndAliases) {
  check_sizes<Fr>();
  check_sizes<Fp>();
  ScopedIsa portable{Isa{}};
  check_sizes<Fr>();
  check_sizes<Fp>();
}

}  // namespace
}  // namespace cuzk
