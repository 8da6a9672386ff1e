// The endomorphisms of the two curves, with constants derived from the curve parameter z = -kCurveX.
#pragma once

#include "curve/point.hpp"
#include "field/frobenius.hpp"

namespace cuzk {

namespace detail {

// φ(x, y) = (βx, y) on y² = x³ + 4 for the cube root of unity β that makes φ act as λ = z² - 1 on G1.
// Frobenius π has trace t = z + 1 and 4p = t² + 3V² with V = (z - 1)(2z² - 1)/3, so π = (t ± V)/2 ± V·φ in
// the endomorphism ring. It is 1 on G1: with + that is (z - 1)/2·(1 + (4r - 3)/3) = 0 mod r for φ = λ. And it
// is 0 on differentials, where φ is β: β = -(t + V)/(2V) mod p.
constexpr Fp g1_beta() {
  Fp z = -Fp::from_u64(kCurveX), t = z + Fp::one();
  Fp v = (z - Fp::one()) * (z.square().doubled() - Fp::one()) * Fp::from_u64(3).inverse();
  return -((t + v) * v.doubled().inverse());
}

}  // namespace detail

inline constexpr Fp kG1Beta = detail::g1_beta();

// ψ = twist ∘ Frobenius ∘ untwist. E' : y² = x³ + 4ξ untwists by (x/w², y/w³), so ψ(x, y) = (x̄/γ², ȳ/γ³).
inline constexpr Fp2 kPsiX = kFrobenius[2].inverse();
inline constexpr Fp2 kPsiY = kFrobenius[3].inverse();

// Acts on G1 as multiplication by λ = z² - 1, of order three. Infinity stays infinity.
constexpr G1Affine phi(const G1Affine& p) {
  return {p.x * kG1Beta, p.y};
}

// Acts on G2 as multiplication by p, which is z mod r. Infinity stays infinity.
constexpr G2Affine psi(const G2Affine& q) {
  return {q.x.conjugate() * kPsiX, q.y.conjugate() * kPsiY};
}

// z² and λ = z² - 1 as integers of 128 bits; φ is λ on G1, -z² is the other root of X² + X + 1 mod r.
inline constexpr uint128_t kCurveXSquared = static_cast<uint128_t>(kCurveX) * kCurveX;
inline constexpr uint128_t kLambda = kCurveXSquared - 1;

}  // namespace cuzk
