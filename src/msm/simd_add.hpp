// Affine additions in vectors, jobs side by side. Included by the files of the instruction sets, which know
// nothing of points and fields (field/simd/batch_kernels.hpp says why): a coordinate is 6 (Fp) or 12 (Fp2)
// words.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk::detail {

// *out = a + b, points of different x, neither infinite. The lowest bit of a and of b is the sign, as in
// SignedRef.
struct SimdJob {
  uintptr_t a, b;
  uint64_t* out;
};

// The two passes around the inversion. `count` jobs, a multiple of `step`; scratch of count / step ·
// scratch_bytes, aligned to 64 bytes. The forward pass gives `step` products of differences of x as
// coordinates in the kernel's shifted form (product · 2^32 in PrimeField's); the backward pass takes their
// inverses in PrimeField's form.
struct SimdAddKernels {
  const char* name;
  size_t step, scratch_bytes;
  size_t
      good_batch;  // jobs that share an inversion at little cost and, with their scratch, fit a core's cache
  void (*forward)(const SimdJob* jobs, size_t count, void* scratch, uint64_t* products);
  void (*backward)(const SimdJob* jobs, size_t count, const void* scratch, const uint64_t* inverses);
};

extern const SimdAddKernels kSimdAddG1Emulated, kSimdAddG2Emulated;  // for tests
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
extern const SimdAddKernels kSimdAddG1Avx2, kSimdAddG1Ifma, kSimdAddG2Avx2, kSimdAddG2Ifma;
#endif

}  // namespace cuzk::detail
