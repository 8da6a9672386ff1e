// Fr: the scalar field of BLS12-381.
#pragma once

#include "field/prime_field.hpp"

namespace cuzk {

using Fr = PrimeField<FrParams>;

// r - 1 = 2^32 · odd.
inline constexpr size_t kFrTwoAdicity = 32;

namespace detail {
constexpr Fr fr_root_of_maximal_order() {
  auto exponent = Fr::kModulus;
  exponent.sub_in_place(BigInt<4>::from_u64(1));
  return Fr::generator().pow(exponent.shifted_right(kFrTwoAdicity));
}
}  // namespace detail

// A root of unity of order 2^32: 7^((r-1)/2^32), the one that bellman and snarkjs use too.
inline constexpr Fr kFrRootOfUnity = detail::fr_root_of_maximal_order();

// The root of unity of order 2^log2_order (at most 2^32): kFrRootOfUnity^(2^(32 - log2_order)).
constexpr Fr fr_root_of_unity(size_t log2_order) {
  Fr root = kFrRootOfUnity;
  for (size_t i = log2_order; i < kFrTwoAdicity; ++i) root = root.square();
  return root;
}

}  // namespace cuzk
