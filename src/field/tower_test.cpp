// Fp6 and Fp12: ring laws, and every fast formula against schoolbook multiplication of polynomials in w over
// Fp2.
#include <gtest/gtest.h>

#include <array>

#include "field/fp12.hpp"

namespace cuzk {
namespace {

// Coefficients of 1, w … w⁵.
using Polynomial = std::array<Fp2, 6>;

Polynomial polynomial_of(const Fp12& a) {
  return {a.c0.c0, a.c1.c0, a.c0.c1, a.c1.c1, a.c0.c2, a.c1.c2};
}

Polynomial schoolbook(const Polynomial& a, const Polynomial& b) {
  Polynomial out;
  out.fill(Fp2::zero());
  for (size_t i = 0; i < 6; ++i) {
    for (size_t j = 0; j < 6; ++j) {
      Fp x = a[i].c0 * b[j].c0 - a[i].c1 * b[j].c1, y = a[i].c0 * b[j].c1 + a[i].c1 * b[j].c0;
      if (i + j < 6)
        out[i + j] += Fp2{x, y};
      else
        out[i + j - 6] += Fp2{x - y, x + y};  // w⁶ = 1 + u
    }
  }
  return out;
}

// Random elements, and ones whose coefficients are 0, 1, -1 and so on.
Fp2 sample_fp2(TestRandom& random) {
  auto coordinate = [&] {
    switch (random.next() % 6) {
      case 0:
        return Fp::zero();
      case 1:
        return Fp::one();
      case 2:
        return -Fp::one();
      default:
        return Fp::random(random);
    }
  };
  Fp a = coordinate();
  return {a, coordinate()};
}
Fp6 sample_fp6(TestRandom& random) {
  Fp2 a = sample_fp2(random), b = sample_fp2(random);
  return {a, b, sample_fp2(random)};
}
Fp12 sample(TestRandom& random) {
  Fp6 a = sample_fp6(random);
  return {a, sample_fp6(random)};
}

template <class F, class Sample>
void check_ring_laws(Sample draw) {
  TestRandom random(31);
  for (int i = 0; i < 100; ++i) {
    F a = draw(random), b = draw(random), c = draw(random);
    EXPECT_EQ((a + b) * c, a * c + b * c);
    EXPECT_EQ((a * b) * c, a * (b * c));
    EXPECT_EQ(a * b, b * a);
    EXPECT_EQ(a.square(), a * a);
    EXPECT_EQ(a * F::one(), a);
    EXPECT_EQ(a - b + b, a);
    EXPECT_EQ(-a + a, F::zero());
    if (!a.is_zero()) {
      EXPECT_TRUE((a * a.inverse()).is_one());
    }
  }
}

TEST(Tower, RingLaws) {
  check_ring_laws<Fp6>(sample_fp6);
  check_ring_laws<Fp12>(sample);
}

TEST(Tower, AgreesWithSchoolbook) {
  TestRandom random(32);
  for (int i = 0; i < 100; ++i) {
    Fp12 a = sample(random), b = sample(random);
    EXPECT_EQ(polynomial_of(a * b), schoolbook(polynomial_of(a), polynomial_of(b)));
    Fp2 b0 = sample_fp2(random), b1 = sample_fp2(random), b3 = sample_fp2(random);
    Fp12 line{{b0, b1, Fp2::zero()}, {Fp2::zero(), b3, Fp2::zero()}};
    EXPECT_EQ(a.times_line(b0, b1, b3), a * line);
    EXPECT_EQ(a.c0.times_01(b0, b1), a.c0 * (Fp6{b0, b1, Fp2::zero()}));
    EXPECT_EQ(a.c0.times_1(b1), a.c0 * (Fp6{Fp2::zero(), b1, Fp2::zero()}));
    EXPECT_EQ(a.c0.times_v(), a.c0 * (Fp6{Fp2::zero(), Fp2::one(), Fp2::zero()}));
  }
}

TEST(Tower, Frobenius) {
  TestRandom random(33);
  for (int i = 0; i < 3; ++i) {
    Fp12 a = Fp12::random(random);
    EXPECT_EQ(a.frobenius(), a.pow(Fp::kModulus));
    EXPECT_EQ(a.frobenius_squared(), a.frobenius().frobenius());
    Fp12 b = a.frobenius_squared().frobenius_squared().frobenius_squared();
    EXPECT_EQ(b, a.conjugate());  // p⁶
    EXPECT_EQ(b.conjugate(), a);
    EXPECT_EQ((Fp12{a.c0, Fp6::zero()}.frobenius().c0), a.c0.frobenius());
  }
}

TEST(Tower, CyclotomicSquare) {
  TestRandom random(34);
  for (int i = 0; i < 20; ++i) {
    Fp12 a = Fp12::random(random);
    Fp12 b = a.conjugate() * a.inverse();  // a^(p⁶ - 1)
    b = b.frobenius_squared() * b;         // and to the power p² + 1: in the cyclotomic subgroup
    EXPECT_EQ(b.cyclotomic_square(), b.square());
    EXPECT_TRUE((b * b.conjugate()).is_one());
    auto exponent = BigInt<4>::from_u64(random.next());
    EXPECT_EQ(b.cyclotomic_pow(exponent), b.pow(exponent));
  }
  EXPECT_TRUE(Fp12::one().cyclotomic_square().is_one());
}

}  // namespace
}  // namespace cuzk
