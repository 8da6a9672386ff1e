// For vec_field_test.cpp: expressions in VecField, compiled once for each instruction set.
#pragma once

#include "field/simd/vec_field.hpp"

namespace cuzk::simd {

// out[k] of lane i gets expression k of a[i] and b[i]; count is a multiple of lanes.
inline constexpr size_t kTestExpressions = 9;
struct TestKernels {
  size_t lanes;
  void (*fr)(uint64_t* const* out, const uint64_t* a, const uint64_t* b, size_t count);
  void (*fp)(uint64_t* const* out, const uint64_t* a, const uint64_t* b, size_t count);
};
extern const TestKernels kTestEmulated, kTestAvx2, kTestIfma;

// 2^(52·limbs) mod p: one in the shifted form.
template <class Params>
struct ShiftedOne {
  static consteval BigInt<Params::kLimbs> compute() {
    auto r = BigInt<Params::kLimbs>::from_u64(1);
    for (size_t i = 0; i < 52 * Limbs52<Params>::kLimbs; ++i) {
      r = r.shifted_left(1);
      if (!(r < Params::kModulus)) r.sub_in_place(Params::kModulus);
    }
    return r;
  }
  static constexpr BigInt<Params::kLimbs> value = compute();
};

template <class V, class Params>
void test_expressions(uint64_t* const* out, const uint64_t* pa, const uint64_t* pb, size_t count) {
  using F = VecField<V, Params>;
  V::run([&]() __attribute__((always_inline)) {
    for (size_t i = 0; i < count; i += V::kLanes) {
      auto at = [=](auto* p) __attribute__((always_inline)) {
        return [=](size_t lane) __attribute__((always_inline)) { return p + F::kWords * (i + lane); };
      };
      size_t k = 0;
      auto put = [&](const F& f) __attribute__((always_inline)) { f.store(at(out[k++])); };
      F a = F::load(at(pa)), b = F::load(at(pb));
      auto x = a.shifted().carried_factor(), y = b.carried_factor(), shifted_b = b.shifted().carried_factor();
      put(mul(sqr(x).factor(), y));                                  // a²·b
      put(sub<1>(a, b));                                             // a - b
      put(sub<12, 60>(a + a + a, b.doubled().doubled().doubled()));  // 3a - 8b, up to 15 p
      F sixteen = a.doubled().doubled().doubled().doubled();
      put(sixteen);  // 16a
      // 32a + a·b: factors as large as they may be.
      put(mul((sixteen + sixteen).factor(), F::broadcast(ShiftedOne<Params>::value.limb).carried_factor()) +
          a * b);
      put(mul_sum(x, y, shifted_b, y));  // a·b + b²
      F e, f;
      mul2(e, x, y, f, shifted_b, y);
      put(sub<4>(e, f));                              // a·b - b²
      put(F::load_shifted(at(pa)).nearly_reduced());  // 2^kShift·a
      F nearly = (a + b).nearly_reduced();            // a + b, through memory
      nearly.store_carried(at(out[k]));
      put(F::load(at(out[k])));
    }
  });
}

}  // namespace cuzk::simd
