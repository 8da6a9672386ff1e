// Expressions in vectors against PrimeField, on edge values and random ones.
#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "field/fp.hpp"
#include "field/fr.hpp"
#include "field/simd/vec_field_test_kernels.hpp"

namespace cuzk {
namespace {

template <class F>
F power_of_two(size_t n) {
  F r = F::one();
  for (size_t i = 0; i < n; ++i) r = r.doubled();
  return r;
}

template <class F>
std::vector<F> expected(const F& a, const F& b, size_t shift) {
  F a8 = a.doubled().doubled().doubled(), b8 = b.doubled().doubled().doubled();
  return {
      a * a * b,     a - b,         a.doubled() + a - b8,       a8.doubled(), a8.doubled().doubled() + a * b,
      a * b + b * b, a * b - b * b, a * power_of_two<F>(shift), a + b};
}

template <class F>
void check(void (*kernel)(uint64_t* const*, const uint64_t*, const uint64_t*, size_t), size_t shift) {
  using Int = typename F::Int;
  TestRandom random(31);
  std::vector<F> edges = {F::zero(), F::from_montgomery(Int::from_u64(1)), F::one(), -F::one(),
                          -F::from_montgomery(Int::from_u64(1))};
  for (size_t bit = 0; bit < F::kBits; bit += 13) {
    edges.push_back(F::from_montgomery(Int::from_u64(1).shifted_left(bit)));
    edges.push_back(-edges.back());
  }
  std::vector<F> a, b;
  for (const F& x : edges)
    for (const F& y : edges) a.push_back(x), b.push_back(y);
  for (size_t i = 0; i < 2000 || a.size() % 8 != 0; ++i)
    a.push_back(F::random(random)), b.push_back(F::random(random));
  std::array<std::vector<F>, simd::kTestExpressions> out;
  uint64_t* pointers[simd::kTestExpressions];
  for (size_t k = 0; k < out.size(); ++k) {
    out[k].resize(a.size());
    pointers[k] = out[k][0].montgomery().limb;
  }
  kernel(pointers, a[0].montgomery().limb, b[0].montgomery().limb, a.size());
  for (size_t i = 0; i < a.size(); ++i) {
    auto right = expected(a[i], b[i], shift);
    ASSERT_EQ(right.size(), out.size());
    for (size_t k = 0; k < out.size(); ++k)
      ASSERT_EQ(out[k][i], right[k]) << "expression " << k << ", pair " << i;
  }
}

void check_kernels(const simd::TestKernels& kernels) {
  check<Fr>(kernels.fr, simd::Limbs52<FrParams>::kShift);
  check<Fp>(kernels.fp, simd::Limbs52<FpParams>::kShift);
}

TEST(VecField, Emulated) {
  check_kernels(simd::kTestEmulated);
}
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
TEST(VecField, Avx2) {
  if (!active_isa.avx2_fma) GTEST_SKIP() << "no AVX2 with FMA here";
  check_kernels(simd::kTestAvx2);
}
TEST(VecField, Ifma) {
  if (!active_isa.ifma) GTEST_SKIP() << "no AVX-512 IFMA here";
  check_kernels(simd::kTestIfma);
}
#endif

}  // namespace
}  // namespace cuzk
