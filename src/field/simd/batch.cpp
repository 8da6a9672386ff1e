#include "field/simd/batch.hpp"

#include "base/check.hpp"
#include "field/simd/batch_kernels.hpp"

namespace cuzk {

namespace {

const simd::BatchKernels* kernels() {
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
  if (active_isa.ifma) return &simd::kBatchIfma;
  if (active_isa.avx2_fma) return &simd::kBatchAvx2;
#endif
  return nullptr;
}

template <class F, class Kernel>
void mul_batch_by(Kernel simd::BatchKernels::* kernel, std::span<F> out, std::span<const F> a,
                  std::span<const F> b) {
  CUZK_CHECK(out.size() == a.size() && out.size() == b.size());
  size_t done = 0;
  if (const simd::BatchKernels* k = kernels()) {
    done = out.size() / k->lanes * k->lanes;
    if (done > 0)
      (k->*kernel)(out.data()->montgomery().limb, a.data()->montgomery().limb, b.data()->montgomery().limb,
                   done);
  }
  for (size_t i = done; i < out.size(); ++i) out[i] = a[i] * b[i];
}

}  // namespace

void mul_batch(std::span<Fr> out, std::span<const Fr> a, std::span<const Fr> b) {
  mul_batch_by<Fr>(&simd::BatchKernels::mul_fr, out, a, b);
}
void mul_batch(std::span<Fp> out, std::span<const Fp> a, std::span<const Fp> b) {
  mul_batch_by<Fp>(&simd::BatchKernels::mul_fp, out, a, b);
}

}  // namespace cuzk
