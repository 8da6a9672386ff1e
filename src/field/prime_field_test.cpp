// Laws, edge values, kernels against portable code, and everything against GMP.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include <vector>

#include "field/fp.hpp"
#include "field/fr.hpp"

namespace cuzk {
namespace {

template <class F>
mpz_class to_mpz(const typename F::Int& v) {
  mpz_class out;
  mpz_import(out.get_mpz_t(), F::kLimbs, -1, 8, 0, 0, v.limb);
  return out;
}

template <class F>
mpz_class value(const F& a) {
  return to_mpz<F>(a.to_canonical());
}

// 0, 1, 2, p-1, R mod p, limbs of all ones or zero, single bits, then random ones; as Montgomery limbs and as
// values.
template <class F>
std::vector<F> interesting(size_t random_count) {
  using Int = typename F::Int;
  std::vector<F> out;
  auto add = [&](Int v) {
    if (!(v < F::kModulus)) return;
    out.push_back(F::from_montgomery(v));
    out.push_back(*F::from_canonical(v));
  };
  add(Int::zero());
  for (uint64_t d : {1, 2, 3}) {
    add(Int::from_u64(d));
    Int m = F::kModulus;
    m.sub_in_place(Int::from_u64(d));
    add(m);
  }
  add(F::kR);
  add(F::kR2);
  for (size_t i = 0; i < F::kLimbs; ++i) {
    Int v = F::kModulus;
    v.limb[i] = 0;
    add(v);
    v = F::kModulus;
    v.limb[i] -= 1;
    add(v);
    v = Int::zero();
    for (size_t j = 0; j <= i; ++j) v.limb[j] = ~uint64_t{0};
    add(v);
    add(Int::from_u64(1).shifted_left(64 * i + 63));
    add(F::kModulus.shifted_right(64 * i + 1));
  }
  TestRandom random(20261129);
  for (size_t i = 0; i < random_count; ++i) out.push_back(F::random(random));
  return out;
}

template <class F>
void check_against_gmp() {
  const mpz_class p = to_mpz<F>(F::kModulus);
  auto values = interesting<F>(40);
  for (const F& a : values) {
    EXPECT_TRUE(a.montgomery() < F::kModulus);
    EXPECT_EQ(value(-a), (p - value(a)) % p);
    EXPECT_EQ(value(a.doubled()), 2 * value(a) % p);
    EXPECT_EQ(2 * value(a.halved()) % p, value(a));
    EXPECT_EQ(value(a.square()), value(a) * value(a) % p);
    if (a.is_zero()) {
      EXPECT_TRUE(a.inverse().is_zero());
    } else {
      EXPECT_EQ(value(a.inverse()) * value(a) % p, 1);
      EXPECT_EQ(a.inverse(), a.inverse_portable());
    }
    for (const F& b : values) {
      EXPECT_EQ(value(a + b), (value(a) + value(b)) % p);
      EXPECT_EQ(value(a - b), (value(a) + p - value(b)) % p);
      EXPECT_EQ(value(a * b), value(a) * value(b) % p);
      EXPECT_EQ(a * b, a.mul_portable(b));
      EXPECT_EQ(a + b, a.add_portable(b));
      EXPECT_EQ(a - b, a.sub_portable(b));
      EXPECT_TRUE((a * b).montgomery() < F::kModulus);
    }
  }
}

template <class F>
void check_laws() {
  auto values = interesting<F>(10);
  TestRandom random(7);
  for (const F& a : values) {
    F b = F::random(random), c = F::random(random);
    EXPECT_EQ((a + b) + c, a + (b + c));
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * (b + c), a * b + a * c);
    EXPECT_EQ(a - a, F::zero());
    EXPECT_EQ(a * F::one(), a);
    F x = a;  // aliasing of operands and result
    x *= x;
    EXPECT_EQ(x, a.square());
    EXPECT_EQ(x, a.mul_portable(a));
    x = a;
    x *= b;
    EXPECT_EQ(x, a.mul_portable(b));
    x = b;
    x = a * x;
    EXPECT_EQ(x, a.mul_portable(b));
    x = a;
    x += x;
    EXPECT_EQ(x, a.doubled());
    x = a;
    x -= x;
    EXPECT_TRUE(x.is_zero());
    auto p_minus_1 = F::kModulus;
    p_minus_1.sub_in_place(F::Int::from_u64(1));
    EXPECT_EQ(a.pow(p_minus_1), a.is_zero() ? F::zero() : F::one());
  }
}

template <class F>
void check_encoding() {
  uint8_t bytes[F::kBytes];
  for (const F& a : interesting<F>(20)) {
    a.to_le_bytes(bytes);
    EXPECT_EQ(*F::from_le_bytes(bytes), a);
    a.to_be_bytes(bytes);
    EXPECT_EQ(*F::from_be_bytes(bytes), a);
  }
  F::kModulus.to_be_bytes(bytes);
  EXPECT_FALSE(F::from_be_bytes(bytes).has_value());
  std::fill(bytes, bytes + F::kBytes, 0xff);
  EXPECT_FALSE(F::from_le_bytes(bytes).has_value());
  // from_reduced takes any limbs.
  typename F::Int ones;
  for (auto& l : ones.limb) l = ~uint64_t{0};
  EXPECT_EQ(value(F::from_reduced(ones)), to_mpz<F>(ones) % to_mpz<F>(F::kModulus));
}

template <class F>
void check_batch_invert() {
  auto values = interesting<F>(30);
  auto inverted = values;
  std::vector<F> scratch(values.size());
  batch_invert<F>(inverted, scratch);
  for (size_t i = 0; i < values.size(); ++i) EXPECT_EQ(inverted[i], values[i].inverse());
}

TEST(Fr, AgainstGmp) {
  check_against_gmp<Fr>();
}
TEST(Fp, AgainstGmp) {
  check_against_gmp<Fp>();
}
TEST(Fr, AgainstGmpPortable) {
  ScopedIsa portable{Isa{}};
  check_against_gmp<Fr>();
}
TEST(Fp, AgainstGmpPortable) {
  ScopedIsa portable{Isa{}};
  check_against_gmp<Fp>();
}
TEST(Fr, Laws) {
  check_laws<Fr>();
}
TEST(Fp, Laws) {
  check_laws<Fp>();
}
TEST(Fr, Encoding) {
  check_encoding<Fr>();
}
TEST(Fp, Encoding) {
  check_encoding<Fp>();
}
TEST(Fr, BatchInvert) {
  check_batch_invert<Fr>();
}
TEST(Fp, BatchInvert) {
  check_batch_invert<Fp>();
}

TEST(Fr, RootsOfUnity) {
  for (size_t k = 1; k <= kFrTwoAdicity; ++k) {
    Fr root = fr_root_of_unity(k);
    Fr minus_one = root;
    for (size_t i = 1; i < k; ++i) minus_one = minus_one.square();
    EXPECT_EQ(minus_one, -Fr::one()) << k;
  }
  EXPECT_TRUE(fr_root_of_unity(0).is_one());
}

TEST(Fp, SquareRoots) {
  TestRandom random(3);
  int residues = 0;
  for (int i = 0; i < 40; ++i) {
    Fp a = Fp::random(random);
    auto root = sqrt(a.square());
    ASSERT_TRUE(root.has_value());
    EXPECT_TRUE(*root == a || *root == -a);
    if (sqrt(a)) ++residues;
  }
  EXPECT_GT(residues, 8);
  EXPECT_LT(residues, 32);
  EXPECT_FALSE(sqrt(-Fp::one()).has_value());
}

template <class F>
void check_inverse_of_many() {
  TestRandom random(20261130);
  for (int i = 0; i < 3000; ++i) {
    F a = F::random(random);
    EXPECT_TRUE((a * a.inverse()).is_one());
    // Short ones, and their negatives, end in other numbers of steps.
    F b = F::from_montgomery(a.montgomery().shifted_right(static_cast<size_t>(i) % F::kBits));
    EXPECT_EQ(b.inverse(), b.inverse_portable());
    EXPECT_EQ((-b).inverse(), -b.inverse());
  }
}
TEST(Fr, InverseOfManyValues) {
  check_inverse_of_many<Fr>();
}
TEST(Fp, InverseOfManyValues) {
  check_inverse_of_many<Fp>();
}

}  // namespace
}  // namespace cuzk
