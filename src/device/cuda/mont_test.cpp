// The device's field arithmetic, run by its host body, against PrimeField.
#include "device/cuda/mont.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "field/fp.hpp"
#include "field/fr.hpp"

namespace cuzk::gpu {
namespace {

template <class D, class F>
D to_device(const F& a) {
  D r;
  std::memcpy(static_cast<void*>(&r), &a, sizeof r);
  return r;
}
template <class F, class D>
F to_host(const D& a) {
  F r;
  std::memcpy(static_cast<void*>(&r), &a, sizeof r);
  return r;
}

// 0, 1, p-1, R and neighbours, words of all ones or zero, then random ones, as Montgomery limbs.
template <class F>
std::vector<F> interesting(size_t random_count) {
  using Int = typename F::Int;
  std::vector<F> out;
  auto add = [&](Int v) {
    if (v < F::kModulus) out.push_back(F::from_montgomery(v));
  };
  for (uint64_t d : {0, 1, 2}) {
    add(Int::from_u64(d));
    Int m = F::kModulus;
    m.sub_in_place(Int::from_u64(d + 1));
    add(m);
  }
  add(F::kR);
  add(F::kR2);
  for (size_t word = 0; word < 2 * F::kLimbs; ++word) {
    uint64_t ones = 0xffffffff;
    Int v = F::kModulus;
    v.limb[word / 2] &= ~(ones << (32 * (word % 2)));
    add(v);
    v = Int::from_u64(ones).shifted_left(32 * word);
    add(v);
    v = F::kModulus.shifted_right(32 * word + 1);
    add(v);
  }
  TestRandom random(20261129);
  for (size_t i = 0; i < random_count; ++i) out.push_back(F::random(random));
  return out;
}

template <class D, class F>
void check_field() {
  auto values = interesting<F>(60);
  for (size_t i = 0; i < values.size(); ++i) {
    const F& a = values[i];
    D x = to_device<D>(a);
    EXPECT_EQ(to_host<F>(x.squared()), a.square()) << i;
    EXPECT_EQ(to_host<F>(-x), -a) << i;
    EXPECT_EQ(to_host<F>(x.doubled()), a.doubled()) << i;
    EXPECT_EQ(to_host<F>(x.to_canonical()).montgomery(), a.to_canonical()) << i;
    EXPECT_EQ(x.is_zero(), a.is_zero());
    for (size_t j = 0; j < values.size(); ++j) {
      const F &b = values[j], &c = values[(i + 7) % values.size()], &d = values[(j + 3) % values.size()];
      D y = to_device<D>(b);
      EXPECT_EQ(to_host<F>(x * y), a * b) << i << " " << j;
      EXPECT_EQ(to_host<F>(x + y), a + b) << i << " " << j;
      EXPECT_EQ(to_host<F>(x - y), a - b) << i << " " << j;
      if constexpr (std::is_same_v<F, Fp>) {
        EXPECT_EQ(to_host<F>(D::sum_of_products(x, y, to_device<D>(c), to_device<D>(d))), a * b + c * d)
            << i << " " << j;
      }
      EXPECT_EQ(x == y, a == b);
    }
  }
  for (size_t i = 0; i < 20; ++i)
    EXPECT_EQ(to_host<F>(to_device<D>(values[i]).inverse()), values[i].inverse()) << i;
  EXPECT_EQ(to_host<F>(D::one()), F::one());
}

TEST(Mont, Fr) {
  check_field<DFr, Fr>();
}
TEST(Mont, Fp) {
  check_field<DFp, Fp>();
}

// Lazy products: one factor below 2r, result below 2r and right modulo r.
TEST(Mont, LazyProducts) {
  auto values = interesting<Fr>(60);
  for (const Fr& a : values) {
    for (const Fr& b : values) {
      Fr twice = Fr::from_montgomery(a.montgomery());
      twice.montgomery().add_in_place(Fr::kModulus);
      for (const Fr& right : {a, twice}) {
        DFr product = DFr::multiply_lazily(to_device<DFr>(b), to_device<DFr>(right));
        EXPECT_EQ(to_host<Fr>(product.reduced_once()), a * b);
        DFr x = to_device<DFr>(right), y = to_device<DFr>(b);
        EXPECT_EQ(to_host<Fr>(DFr::add_lazily(x, x).reduced_once()), a + a);
        EXPECT_EQ(to_host<Fr>(DFr::add_lazily(x, y).reduced_once()), a + b);
        EXPECT_EQ(to_host<Fr>(DFr::sub_lazily(x, y).reduced_once()), a - b);
        EXPECT_EQ(to_host<Fr>(DFr::sub_lazily(y, x).reduced_once()), b - a);
      }
    }
  }
}

}  // namespace
}  // namespace cuzk::gpu
