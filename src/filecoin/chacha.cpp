#include "filecoin/chacha.hpp"

#include <bit>

namespace cuzk {

std::array<uint8_t, 64> chacha_block(const Bytes32& key, const std::array<uint32_t, 4>& tail, int rounds) {
  std::array<uint32_t, 16> start = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (size_t i = 0; i < 8; ++i) start[4 + i] = load_le32(key.data() + 4 * i);
  for (size_t i = 0; i < 4; ++i) start[12 + i] = tail[i];
  std::array<uint32_t, 16> s = start;
  auto quarter = [&](size_t a, size_t b, size_t c, size_t d) {
    s[a] += s[b], s[d] = std::rotl(s[d] ^ s[a], 16);
    s[c] += s[d], s[b] = std::rotl(s[b] ^ s[c], 12);
    s[a] += s[b], s[d] = std::rotl(s[d] ^ s[a], 8);
    s[c] += s[d], s[b] = std::rotl(s[b] ^ s[c], 7);
  };
  for (int round = 0; round < rounds; round += 2) {
    for (size_t i = 0; i < 4; ++i) quarter(i, 4 + i, 8 + i, 12 + i);
    for (size_t i = 0; i < 4; ++i) quarter(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4);
  }
  std::array<uint8_t, 64> out;
  for (size_t i = 0; i < 16; ++i) store_le32(out.data() + 4 * i, s[i] + start[i]);
  return out;
}

uint64_t ChaChaRng::next_u64() {
  if (used_ == block_.size()) {
    const auto low = static_cast<uint32_t>(counter_), high = static_cast<uint32_t>(counter_ >> 32);
    block_ = chacha_block(seed_, {low, high, 0, 0}, rounds_);
    ++counter_;
    used_ = 0;
  }
  used_ += 8;
  return load_le64(block_.data() + used_ - 8);
}

void chacha20_stream(const Bytes32& key, const std::array<uint8_t, 12>& nonce, uint64_t offset,
                     MutableBytes out) {
  for (size_t done = 0; done < out.size();) {
    const uint64_t position = offset + done;
    const auto block = chacha_block(key,
                                    {static_cast<uint32_t>(position / 64), load_le32(nonce.data()),
                                     load_le32(nonce.data() + 4), load_le32(nonce.data() + 8)},
                                    20);
    for (size_t i = position % 64; i < 64 && done < out.size(); ++i) out[done++] = block[i];
  }
}

}  // namespace cuzk
