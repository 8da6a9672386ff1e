// The ChaCha stream cipher's key stream (D. J. Bernstein, 2008) with 8 to 20 rounds.
#pragma once

#include <array>

#include "filecoin/registered_proof.hpp"

namespace cuzk {

// 64 bytes of key stream. `tail`: the state's last four words (block counter and nonce).
std::array<uint8_t, 64> chacha_block(const Bytes32& key, const std::array<uint32_t, 4>& tail, int rounds);

// Numbers as Rust's rand_chacha draws them from a seed: 64-bit counter from zero, no nonce.
class ChaChaRng {
 public:
  ChaChaRng(const Bytes32& seed, int rounds) : seed_(seed), rounds_(rounds) {}
  uint64_t next_u64();

 private:
  Bytes32 seed_;
  int rounds_;
  uint64_t counter_ = 0;
  size_t used_ = 64;
  std::array<uint8_t, 64> block_;
};

// Bytes [offset, offset + out.size()) of the ChaCha20 key stream with a 96-bit nonce (RFC 8439), counter from
// zero.
void chacha20_stream(const Bytes32& key, const std::array<uint8_t, 12>& nonce, uint64_t offset,
                     MutableBytes out);

}  // namespace cuzk
