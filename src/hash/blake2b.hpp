// BLAKE2b (RFC 7693) without key, output of 32 or 64 bytes. A thin layer over libsodium.
#pragma once

#include <array>
#include <cstddef>

#include "base/bytes.hpp"

namespace cuzk {

template <size_t Size>
class Blake2b {
 public:
  using Digest = std::array<uint8_t, Size>;

  Blake2b() { reset(); }
  void reset();
  void update(Bytes data);
  // After finish(), reset() before further use.
  Digest finish();

  static Digest of(Bytes data) {
    Blake2b hash;
    hash.update(data);
    return hash.finish();
  }

 private:
  // crypto_generichash_state, whose header stays in the source file.
  alignas(64) std::array<uint8_t, 384> state_;
};

using Blake2b256 = Blake2b<32>;
using Blake2b512 = Blake2b<64>;

}  // namespace cuzk
