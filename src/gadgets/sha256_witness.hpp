// The values of the SHA-256 circuit, written word by word: the fast half of sha256_circuit().
#pragma once

#include <span>

#include "gadgets/boolean.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {

// `padded`: whole blocks of 512 bits. Appends the bits that sha256_circuit() would allocate, in its order;
// returns the digest's bits.
std::vector<Boolean> sha256_witness(CompactSystem& out, std::span<const Boolean> padded);

}  // namespace cuzk
