// What raising to the power p does in the tower Fp2 - Fp6 - Fp12: coefficients, derived from p and ξ.
#pragma once

#include <array>

#include "field/fp2.hpp"

namespace cuzk {

namespace detail {

// n / divisor, which must divide it.
template <size_t N>
constexpr BigInt<N> exact_quotient(const BigInt<N>& n, uint64_t divisor) {
  BigInt<N> q{};
  uint128_t remainder = 0;
  for (size_t i = N; i-- > 0;) {
    remainder = remainder << 64 | n.limb[i];
    q.limb[i] = static_cast<uint64_t>(remainder / divisor);
    remainder %= divisor;
  }
  return q;
}

constexpr Fp2 frobenius_gamma() {
  auto p_minus_1 = Fp::kModulus;
  p_minus_1.sub_in_place(BigInt<6>::from_u64(1));
  return Fp2::one().times_xi().pow(exact_quotient(p_minus_1, 6));
}

template <class F>
constexpr std::array<F, 6> powers_of(const F& base) {
  std::array<F, 6> out{F::one()};
  for (size_t i = 1; i < 6; ++i) out[i] = out[i - 1] * base;
  return out;
}

}  // namespace detail

// γ^i for γ = ξ^((p-1)/6): with w⁶ = ξ, w^p = γ·w.
inline constexpr std::array<Fp2, 6> kFrobenius = detail::powers_of(detail::frobenius_gamma());

// (γ^(p+1))^i, in Fp: with them (Σ a_i w^i)^(p²) = Σ a_i·γ^((p+1)i)·w^i.
inline constexpr std::array<Fp, 6> kFrobeniusSquared = detail::powers_of(kFrobenius[1].norm());

}  // namespace cuzk
