// Batched additions by every set of instructions, against the group law.
#include "msm/kernel.hpp"

#include <gtest/gtest.h>

#include "msm/test_points.hpp"

namespace cuzk {
namespace {

using detail::AddJob;
using detail::BatchAdder;
using detail::SimdAddKernels;

// Every version that this machine runs; nullptr is the scalar one.
template <class G>
std::vector<const SimdAddKernels*> all_kernels() {
  std::vector<const SimdAddKernels*> all = {nullptr, BatchAdder<G>::emulated_kernels()};
  for (Isa isa : {Isa{.avx2_fma = true}, Isa{.ifma = true}}) {
    ScopedIsa scope(isa);
    if (auto* kernels = BatchAdder<G>::active_kernels()) all.push_back(kernels);
  }
  return all;
}

// a[i] + b[i] with every sign, and again in place.
template <class G>
void check_pairs(const std::vector<typename G::Point>& a, const std::vector<typename G::Point>& b) {
  using Point = typename G::Point;
  for (const SimdAddKernels* kernels : all_kernels<G>()) {
    const char* name = kernels == nullptr ? "scalar" : kernels->name;
    BatchAdder<G> adder(kernels);
    for (size_t n : {size_t{0}, size_t{1}, size_t{7}, a.size() - 3, a.size()}) {
      std::vector<Point> out(n), in_place(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(n));
      std::vector<AddJob<typename G::Field>> jobs, jobs_in_place;
      for (size_t i = 0; i < n; ++i) {
        bool negate_a = i % 2 != 0, negate_b = i % 4 >= 2;
        jobs.push_back({{&a[i], negate_a}, {&b[i], negate_b}, &out[i]});
        jobs_in_place.push_back({{&in_place[i], negate_a}, {&b[i], negate_b}, &in_place[i]});
      }
      adder.run(jobs);
      adder.run(jobs_in_place);
      for (size_t i = 0; i < n; ++i) {
        auto expected =
            (G::Sum::from_affine(i % 2 != 0 ? -a[i] : a[i]) + (i % 4 >= 2 ? -b[i] : b[i])).to_affine();
        EXPECT_EQ(out[i], expected) << name << " " << n << " " << i;
        EXPECT_EQ(in_place[i], expected) << name << " " << n << " " << i;
      }
    }
  }
}

template <class G>
void check_distinct() {
  TestRandom random(31);
  check_pairs<G>(random_points<G>(random, 200), random_points<G>(random, 200));
}
TEST(KernelG1, DistinctPoints) {
  check_distinct<G1>();
}
TEST(KernelG2, DistinctPoints) {
  check_distinct<G2>();
}

// Equal, opposite and infinite operands among others, and nothing but them.
template <class G>
void check_exceptional() {
  TestRandom random(32);
  auto a = random_points<G>(random, 60), b = random_points<G>(random, 60);
  for (size_t i = 0; i < 60; i += 3) {
    switch (i / 3 % 5) {
      case 0:
        b[i] = a[i];
        break;
      case 1:
        b[i] = -a[i];
        break;
      case 2:
        a[i] = G::Point::infinity();
        break;
      case 3:
        b[i] = G::Point::infinity();
        break;
      default:
        a[i] = b[i] = G::Point::infinity();
    }
  }
  check_pairs<G>(a, b);
  check_pairs<G>(a, a);
  check_pairs<G>(a, std::vector(60, G::Point::infinity()));
}
TEST(KernelG1, ExceptionalPoints) {
  check_exceptional<G1>();
}
TEST(KernelG2, ExceptionalPoints) {
  check_exceptional<G2>();
}

// Coordinates at the ends of the range. Not points of the curve: the formulas do not ask.
TEST(KernelG1, ExtremeCoordinates) {
  auto top = Fp::kModulus;
  top.sub_in_place(BigInt<6>::from_u64(1));
  std::vector<Fp> values = {Fp::from_montgomery(BigInt<6>::from_u64(1)), Fp::from_montgomery(top), Fp::one(),
                            -Fp::one()};
  for (size_t i = 52; i < 380; i += 52) values.push_back(Fp::from_montgomery(top.shifted_right(381 - i)));
  std::vector<G1::Point> a, b;
  for (const Fp& x : values)
    for (const Fp& y : values) a.push_back({x, y}), b.push_back({y, x});
  check_pairs<G1>(a, b);
}

}  // namespace
}  // namespace cuzk
