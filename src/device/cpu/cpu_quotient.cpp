#include "device/cpu/cpu_quotient.hpp"

#include <algorithm>

namespace cuzk::detail {
namespace {

constexpr ValueOrder kOrder = ValueOrder::kBitReversed;

// out_i = a_i·b_i.
void product(std::span<const Fr> a, std::span<const Fr> b, std::span<Fr> out, Executor& executor) {
  parallel_ranges(executor, out.size(), 1024, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) out[i] = a[i] * b[i];
  });
}

}  // namespace

// Both forms take six transforms: values of a and b to the coset (two each), c to coefficients, and one more.
// All values are in bit-reversed order, so that only a and b are permuted, and at the end the odd-point
// values.
//
// Coefficients. On the coset by g, xⁿ = gⁿ: interpolating a·b there gives the polynomial of degree below n
// that is a·b modulo xⁿ − gⁿ. As a·b = c + h·(xⁿ − 1) and h has degree n − 2 at most, that is c + h·(gⁿ − 1):
// c itself never goes to the coset.
//
// Odd points. The scalars are the values of a·b − c on the coset by ω₂ₙ.
void quotient(const Domain& domain, QuotientBasis basis, DomainRoot root, std::span<Fr> a, std::span<Fr> b,
              std::span<Fr> out, Executor& executor) {
  bit_reverse_permute(a, executor);
  bit_reverse_permute(b, executor);
  product(a, b, out, executor);
  if (basis == QuotientBasis::kOddLagrange) {
    const Fr shift = fr_root_of_unity(domain.log2_size() + 1, root);
    for (std::span<Fr> values : {a, b, out}) domain.extend_to_coset(values, executor, shift, kOrder);
    parallel_ranges(executor, out.size(), 1024, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) out[i] = a[i] * b[i] - out[i];
    });
    bit_reverse_permute(out, executor);
    return;
  }
  const Fr shift = Fr::generator();
  domain.inverse(out, executor, kOrder);
  domain.extend_to_coset(a, executor, shift, kOrder);
  domain.extend_to_coset(b, executor, shift, kOrder);
  multiply_pointwise(a, b, executor);
  domain.inverse_on_coset(a, executor, shift, kOrder);
  const Fr scale = domain.vanishing_on_coset(shift).inverse();
  parallel_ranges(executor, out.size(), 1024, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) out[i] = (a[i] - out[i]) * scale;
  });
}

}  // namespace cuzk::detail
