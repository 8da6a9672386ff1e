// SHA-256 in a circuit, as bellpepper 0.2 synthesises it (`sha256`, `uint32`, `multieq`).
#pragma once

#include <span>

#include "gadgets/num.hpp"

namespace cuzk {

// Digest of bits (most significant first in each byte; a multiple of 8), 256 bits most significant first.
NumberBits sha256_circuit(ConstraintSystem& cs, std::span<const Boolean> bits);

// The node of a SHA-256 tree: the digest of two numbers' 32 little-endian bytes, cut to 254 bits, as a
// number.
AllocatedNum sha256_node(ConstraintSystem& cs, const AllocatedNum& left, const AllocatedNum& right);
// The same with the namespaces that hash2 has upstream ("a_bits", "b_bits" instead of "0_num_into_bits", …).
AllocatedNum sha256_hash2(ConstraintSystem& cs, const AllocatedNum& left, const AllocatedNum& right);

}  // namespace cuzk
