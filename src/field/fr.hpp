// Fr: the scalar field of BLS12-381.
#pragma once

#include "field/prime_field.hpp"

namespace cuzk {

using Fr = PrimeField<FrParams>;

// r - 1 = 2^32 · odd.
inline constexpr size_t kFrTwoAdicity = 32;

namespace detail {
constexpr Fr fr_root_of_maximal_order(const Fr& non_residue) {
  auto exponent = Fr::kModulus;
  exponent.sub_in_place(BigInt<4>::from_u64(1));
  return non_residue.pow(exponent.shifted_right(kFrTwoAdicity));
}
}  // namespace detail

// Two roots of unity of order 2^32 are in use, and so two orders of the points of an evaluation domain:
// bellman takes 7^((r-1)/2^32), as 7 generates the multiplicative group; snarkjs takes 5^((r-1)/2^32), as 5
// is the smallest non-residue.
enum class DomainRoot : uint8_t { kBellman, kSnarkjs };

inline constexpr Fr kFrRootOfUnity = detail::fr_root_of_maximal_order(Fr::generator());
inline constexpr Fr kFrSnarkjsRootOfUnity = detail::fr_root_of_maximal_order(Fr::from_u64(5));

// The root of unity of order 2^log2_order (at most 2^32): that of order 2^32 to the power 2^(32 -
// log2_order).
constexpr Fr fr_root_of_unity(size_t log2_order, DomainRoot which = DomainRoot::kBellman) {
  Fr root = which == DomainRoot::kBellman ? kFrRootOfUnity : kFrSnarkjsRootOfUnity;
  for (size_t i = log2_order; i < kFrTwoAdicity; ++i) root = root.square();
  return root;
}

}  // namespace cuzk
