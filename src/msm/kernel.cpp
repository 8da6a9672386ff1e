#include "msm/kernel.hpp"

namespace cuzk::detail {

namespace {

// Fewer jobs than this are not worth padding to whole vectors.
constexpr size_t kLeastForVectors = 6;
// How far ahead operands are fetched.
constexpr size_t kPrefetch = 12;

template <class F>
void prefetch(SignedRef<F> ref) {
  const char* p = reinterpret_cast<const char*>(&ref.point());
  for (size_t i = 0; i < sizeof(Affine<F>); i += 64) __builtin_prefetch(p + i);
  __builtin_prefetch(p + sizeof(Affine<F>) - 1);
}

// The kernels' products are shifted: those of P·2^32 in Montgomery form are read as P·2^32.
template <class F>
F unshift_inverse(const F& inverse) {
  constexpr Fp kShift = Fp::from_u64(uint64_t{1} << 32);
  return inverse * kShift;
}

}  // namespace

template <class G>
const SimdAddKernels* BatchAdder<G>::active_kernels() {
  [[maybe_unused]] constexpr bool kG1 = std::is_same_v<G, G1>;
#if defined(__x86_64__) && !defined(CUZK_PORTABLE)
  if (active_isa.ifma) return kG1 ? &kSimdAddG1Ifma : &kSimdAddG2Ifma;
  if (active_isa.avx2_fma) return kG1 ? &kSimdAddG1Avx2 : &kSimdAddG2Avx2;
#endif
  return nullptr;
}

template <class G>
const SimdAddKernels* BatchAdder<G>::emulated_kernels() {
  return std::is_same_v<G, G1> ? &kSimdAddG1Emulated : &kSimdAddG2Emulated;
}

// Distinct, finite x: plain. Infinity is settled here; equal x is left to the scalar code.
template <class G>
void BatchAdder<G>::sort_out(std::span<const Job> jobs) {
  plain_.clear(), special_.clear();
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (i + kPrefetch < jobs.size()) prefetch(jobs[i + kPrefetch].a), prefetch(jobs[i + kPrefetch].b);
    const Job& job = jobs[i];
    const F &ax = job.a.point().x, &bx = job.b.point().x;
    if (ax == bx || ax.is_zero() || bx.is_zero()) [[unlikely]] {
      switch (classify(job)) {
        case AddKind::kTakeA:
          *job.out = job.a.value();
          continue;
        case AddKind::kTakeB:
          *job.out = job.b.value();
          continue;
        case AddKind::kInfinity:
          *job.out = Affine<F>::infinity();
          continue;
        case AddKind::kDouble:
          special_.push_back(job);
          continue;
        case AddKind::kDistinct:
          break;
      }
    }
    plain_.push_back({job.a.bits(), job.b.bits(), reinterpret_cast<uint64_t*>(job.out)});
  }
}

template <class G>
void BatchAdder<G>::run(std::span<const Job> jobs) {
  if (kernels_ == nullptr || jobs.size() < kLeastForVectors) return batch_add<F>(jobs, scalar_);
  sort_out(jobs);
  if (!special_.empty()) batch_add<F>(special_, scalar_);
  if (plain_.empty()) return;
  // Padded with an addition that means nothing.
  Affine<F> dummy[3] = {{F::zero(), F::one()}, {F::one(), F::one()}, {}};
  while (plain_.size() % kernels_->step != 0)
    plain_.push_back({SignedRef<F>(&dummy[0]).bits(), SignedRef<F>(&dummy[1]).bits(),
                      reinterpret_cast<uint64_t*>(&dummy[2])});
  size_t lines = plain_.size() / kernels_->step * kernels_->scratch_bytes / sizeof(Line);
  if (saved_.size() < lines) saved_.resize(lines);
  products_.resize(kernels_->step), inverse_scratch_.resize(kernels_->step);
  auto* words = reinterpret_cast<uint64_t*>(products_.data());
  kernels_->forward(plain_.data(), plain_.size(), saved_.data(), words);
  batch_invert<F>(products_, inverse_scratch_);
  for (F& f : products_) f = unshift_inverse(f);
  kernels_->backward(plain_.data(), plain_.size(), saved_.data(), words);
}

template class BatchAdder<G1>;
template class BatchAdder<G2>;

}  // namespace cuzk::detail
