// Fp: the base field of BLS12-381.
#pragma once

#include "field/prime_field.hpp"

namespace cuzk {

using Fp = PrimeField<FpParams>;

// A square root, or nothing. p = 3 mod 4: the candidate is a^((p+1)/4).
inline std::optional<Fp> sqrt(const Fp& a) {
  auto exponent = Fp::kModulus;
  exponent.add_in_place(BigInt<6>::from_u64(1));
  Fp root = a.pow(exponent.shifted_right(2));
  if (!(root.square() == a)) return std::nullopt;
  return root;
}

// "Larger" of y and -y in the sense of the zcash encoding: canonical y > (p-1)/2.
inline bool is_lexicographically_largest(const Fp& y) {
  auto half = Fp::kModulus.shifted_right(1);
  return half < y.to_canonical();
}

}  // namespace cuzk
