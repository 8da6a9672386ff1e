// Evaluation domains in Fr and the number-theoretic transform (NTT) over them.
//
// The domain of size n = 2^k is the group of w = fr_root_of_unity(k, root); its coset by s is {s·w^i}. With
// coefficients a_j and values A_i (s = 1 where no coset is named):
//
//   forward   A_i = Σ_j a_j·(s·w^i)^j
//   inverse   a_j = s^-j / n · Σ_i A_i·w^(-ij)
//
// Coefficients stand in natural order. Values stand in natural order (A_i at place i) or in bit-reversed
// order (A_i at place bit_reverse(i, k)), which saves a permutation: pointwise work does not mind.
#pragma once

#include <memory>
#include <span>

#include "base/executor.hpp"
#include "base/result.hpp"
#include "field/fr.hpp"

namespace cuzk {

namespace detail {
struct NttKernels;
}

enum class ValueOrder { kNatural, kBitReversed };

// The lowest `bits` bits of i in reverse order; i < 2^bits.
constexpr size_t bit_reverse(size_t i, size_t bits) {
  size_t r = 0;
  for (size_t k = 0; k < bits; ++k) r |= ((i >> k) & 1) << (bits - 1 - k);
  return r;
}

// The transforms work in place on exactly size() elements, take their threads from the executor and allocate
// nothing. A Domain is constant after creation: any number of threads may use it. Memory: 16 bytes·size().
class Domain {
 public:
  // The smallest power of two that is at least min_size (1 for 0). Errors: more than 2^32; out of memory.
  static Result<Domain> create(size_t min_size, Executor& executor, DomainRoot root = DomainRoot::kBellman);
  // For tests and benchmarks: with these kernels (poly/ntt_kernels.hpp), or plain code for null.
  static Result<Domain> create(size_t min_size, Executor& executor, DomainRoot root,
                               const detail::NttKernels* kernels);

  size_t size() const { return size_t{1} << log2_size_; }
  size_t log2_size() const { return log2_size_; }
  // w, of order size().
  const Fr& root() const { return root_; }
  // shift^n - 1: what X^n - 1 is on the whole coset.
  Fr vanishing_on_coset(const Fr& shift = Fr::generator()) const;

  void forward(std::span<Fr> a, Executor& executor, ValueOrder order = ValueOrder::kNatural) const;
  void inverse(std::span<Fr> a, Executor& executor, ValueOrder order = ValueOrder::kNatural) const;
  // shift: not zero.
  void forward_on_coset(std::span<Fr> a, Executor& executor, const Fr& shift = Fr::generator(),
                        ValueOrder order = ValueOrder::kNatural) const;
  void inverse_on_coset(std::span<Fr> a, Executor& executor, const Fr& shift = Fr::generator(),
                        ValueOrder order = ValueOrder::kNatural) const;
  // Values on the domain to values on the coset: inverse, then forward_on_coset, with one scaling less.
  void extend_to_coset(std::span<Fr> a, Executor& executor, const Fr& shift = Fr::generator(),
                       ValueOrder order = ValueOrder::kNatural) const;

 private:
  // Elements are multiplied by first·ratio^j: coefficients j before the transform, or after the inverse.
  struct Scaling {
    Fr first, ratio;
  };

  Domain() = default;
  // Natural to bit-reversed order, and back; null: no scaling.
  void coefficients_to_values(std::span<Fr> a, const Scaling* scaling, Executor& executor) const;
  void values_to_coefficients(std::span<Fr> a, const Scaling* scaling, Executor& executor) const;
  void vector_passes(std::span<Fr> a, bool inverse, const Scaling* scaling, Executor& executor) const;

  size_t log2_size_ = 0;
  Fr root_ = Fr::one();
  Fr size_inverse_ = Fr::one();
  const detail::NttKernels* kernels_ = nullptr;  // null: plain code
  // w^bit_reverse(b, k - 1) for b < n/2: the twiddle of block b, on every level (a level with B blocks uses
  // the first B). Times 2^4 for vector kernels.
  std::unique_ptr<Fr[]> twiddles_;
};

// Swaps places i and bit_reverse(i): from natural to bit-reversed order and back. a.size() is a power of two.
void bit_reverse_permute(std::span<Fr> a, Executor& executor);

// a_i = a_i·b_i. Same sizes.
void multiply_pointwise(std::span<Fr> a, std::span<const Fr> b, Executor& executor);
// a_i = a_i·first·ratio^i.
void scale_by_powers(std::span<Fr> a, const Fr& first, const Fr& ratio, Executor& executor);

}  // namespace cuzk
