// The two prime fields of BLS12-381. Everything else about them is derived from modulus and generator.
// Source: IETF draft-irtf-cfrg-pairing-friendly-curves; the generators are those of zkcrypto and of Filecoin.
#pragma once

#include "field/bigint.hpp"

namespace cuzk {

// Scalars: r, 255 bits, r - 1 divisible by 2^32.
struct FrParams {
  static constexpr size_t kLimbs = 4;
  static constexpr BigInt<4> kModulus =
      BigInt<4>::from_hex("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001");
  static constexpr uint64_t kGenerator = 7;
};

// Coordinates: p, 381 bits, p = 3 mod 4.
struct FpParams {
  static constexpr size_t kLimbs = 6;
  static constexpr BigInt<6> kModulus = BigInt<6>::from_hex(
      "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab");
  static constexpr uint64_t kGenerator = 2;
};

// The curve family's parameter z = -kCurveX: p, r and the endomorphisms are polynomials in it.
inline constexpr uint64_t kCurveX = 0xd201000000010000;

}  // namespace cuzk
