// Numbers of the .zkey format that reader and writer share.
#pragma once

#include <cstdint>

#include "field/fr.hpp"

namespace cuzk::zkey {

inline constexpr uint32_t kVersion = 1, kGroth16 = 1;
inline constexpr uint32_t kProtocol = 1, kHeader = 2, kIc = 3, kCoefficients = 4, kA = 5, kB1 = 6, kB2 = 7,
                          kC = 8, kH = 9, kContributions = 10;
// u32 matrix (0: A, 1: B), u32 constraint, u32 variable, value.
inline constexpr uint64_t kCoefficientBytes = 12 + Fr::kBytes;

// A coefficient v is stored as v·R² mod r, in plain form (R = 2^256): snarkjs multiplies it by a plain
// witness value and has the product in Montgomery form. As limbs of our Fr, that is v·R.
inline Fr coefficient_from_stored(const Fr::Int& stored) {
  return Fr::from_montgomery(Fr::from_montgomery(stored).to_canonical());
}
inline Fr::Int coefficient_to_stored(const Fr& value) {
  return (Fr::from_montgomery(Fr::kR2) * value).montgomery();
}

}  // namespace cuzk::zkey
