// SHA-256 (FIPS 180-4).
#pragma once

#include <array>
#include <cstddef>

#include "base/bytes.hpp"

namespace cuzk {

using Digest256 = std::array<uint8_t, 32>;

inline constexpr std::array<uint32_t, 8> kSha256InitialState = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// The 64 round constants.
extern const std::array<uint32_t, 64> kSha256RoundConstants;

enum class Sha256Kernel { kPortable, kShaExtensions };

// The fastest kernel that this CPU has.
Sha256Kernel sha256_best_kernel();

// Compresses `count` blocks of 64 bytes into the state.
void sha256_compress(std::array<uint32_t, 8>& state, const uint8_t* blocks, size_t count,
                     Sha256Kernel kernel = sha256_best_kernel());

class Sha256 {
 public:
  explicit Sha256(Sha256Kernel kernel = sha256_best_kernel()) : kernel_(kernel) {}
  Sha256& update(Bytes data);
  Sha256& update_le64(uint64_t value);
  Sha256& update_be64(uint64_t value);
  Digest256 finish();

 private:
  Sha256Kernel kernel_;
  std::array<uint32_t, 8> state_ = kSha256InitialState;
  std::array<uint8_t, 64> buffer_;
  size_t buffered_ = 0;
  uint64_t total_ = 0;
};

Digest256 sha256(Bytes data);

// Filecoin's use of a digest as a field element: the two top bits of the last byte (little-endian) cleared.
inline Digest256 truncated_to_254_bits(Digest256 digest) {
  digest[31] &= 0x3f;
  return digest;
}

}  // namespace cuzk
