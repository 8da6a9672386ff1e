// Fp: the base field of BLS12-381.
#pragma once

#include <iterator>

#include "field/prime_field.hpp"

namespace cuzk {

using Fp = PrimeField<FpParams>;

// a^((p-3)/4), by a sliding window of five bits. For a ≠ 0, w = that: a·w is a square root of a or of -a, and
// its inverse is w or -w, because (a·w)·w = a^((p-1)/2) = ±1.
inline Fp inverse_root_candidate(const Fp& a) {
  static constexpr auto kExponent = Fp::kModulus.shifted_right(2);  // p = 3 mod 4
  constexpr size_t kWindow = 5;
  Fp odd_powers[size_t{1} << (kWindow - 1)];
  const Fp a2 = a.square();
  odd_powers[0] = a;
  for (size_t i = 1; i < std::size(odd_powers); ++i) odd_powers[i] = odd_powers[i - 1] * a2;
  Fp r = Fp::one();
  for (size_t top = kExponent.bit_length(); top > 0;) {
    if (!kExponent.bit(top - 1)) {
      r *= r;
      --top;
      continue;
    }
    size_t bottom = top > kWindow ? top - kWindow : 0;
    while (!kExponent.bit(bottom)) ++bottom;
    for (size_t i = bottom; i < top; ++i) r *= r;
    r *= odd_powers[kExponent.bits(bottom, top - bottom) / 2];
    top = bottom;
  }
  return r;
}

// A square root, or nothing.
inline std::optional<Fp> sqrt(const Fp& a) {
  Fp root = a * inverse_root_candidate(a);
  if (!(root.square() == a)) return std::nullopt;
  return root;
}

// "Larger" of y and -y in the sense of the zcash encoding: canonical y > (p-1)/2.
inline bool is_lexicographically_largest(const Fp& y) {
  auto half = Fp::kModulus.shifted_right(1);
  return half < y.to_canonical();
}

}  // namespace cuzk
