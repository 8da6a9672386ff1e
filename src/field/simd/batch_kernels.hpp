// The kernels of batch.hpp for a vector type V; included once for each instruction set.
//
// Files compiled for an instruction set include nothing that has functions of general use: the linker keeps
// one copy of an inline function, and it must not be the one with instructions that not every CPU has.
#pragma once

#include "field/simd/vec_field.hpp"

namespace cuzk::simd {

// One instruction set's kernels over words in Montgomery form; count is a multiple of `lanes`.
struct BatchKernels {
  size_t lanes;
  void (*mul_fr)(uint64_t* out, const uint64_t* a, const uint64_t* b, size_t count);
  void (*mul_fp)(uint64_t* out, const uint64_t* a, const uint64_t* b, size_t count);
};

extern const BatchKernels kBatchEmulated;  // for tests
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
extern const BatchKernels kBatchAvx2, kBatchIfma;
#endif

template <class V, class Params>
void mul_batch_kernel(uint64_t* out, const uint64_t* a, const uint64_t* b, size_t count) {
  using F = VecField<V, Params>;
  constexpr size_t kStep = F::kWords;
  V::run([&]() __attribute__((always_inline)) {
    size_t i = 0;
    auto at = [&](auto* p, size_t first) __attribute__((always_inline)) {
      return [=](size_t lane) __attribute__((always_inline)) { return p + kStep * (first + lane); };
    };
    if constexpr (F::kLimbs == 5) {  // Fp has not enough registers for two
      for (; i + 2 * V::kLanes <= count; i += 2 * V::kLanes) {
        size_t j = i + V::kLanes;
        F r0, r1;
        mul2(r0, F::load_shifted(at(a, i)).carried_factor(), F::load(at(b, i)).carried_factor(), r1,
             F::load_shifted(at(a, j)).carried_factor(), F::load(at(b, j)).carried_factor());
        r0.reduced_product().store_carried(at(out, i));
        r1.reduced_product().store_carried(at(out, j));
      }
    }
    for (; i < count; i += V::kLanes) {
      auto x = F::load_shifted(at(a, i)).carried_factor(), y = F::load(at(b, i)).carried_factor();
      mul(x, y).reduced_product().store_carried(at(out, i));
    }
  });
}

}  // namespace cuzk::simd
