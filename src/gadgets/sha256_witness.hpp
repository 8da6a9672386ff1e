// The values of the SHA-256 circuit, written word by word: the fast half of sha256_circuit().
#pragma once

#include <array>
#include <span>

#include "gadgets/boolean.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {

// A message filled up to whole blocks, as SHA-256 takes it: a one, zeros, its length in 64 bits.
class PaddedMessage {
 public:
  static constexpr size_t kBlockBits = 512, kLengthBits = 64;

  // `bits` must outlive this.
  explicit PaddedMessage(std::span<const Boolean> bits) : bits_(bits) {}

  size_t blocks() const { return (bits_.size() + 1 + kLengthBits + kBlockBits - 1) / kBlockBits; }
  std::array<Boolean, kBlockBits> block(size_t number) const;

 private:
  std::span<const Boolean> bits_;
};

// Appends the bits that sha256_circuit() would allocate, in its order; returns the digest's bits.
NumberBits sha256_witness(CompactSystem& out, const PaddedMessage& message);

}  // namespace cuzk
