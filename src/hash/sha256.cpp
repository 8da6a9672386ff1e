#include "hash/sha256.hpp"

#include <algorithm>

#include "hash/sha256_kernels.hpp"

namespace cuzk {

const std::array<uint32_t, 64> kSha256RoundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

namespace detail {

void sha256_compress_portable(std::array<uint32_t, 8>& state, const uint8_t* blocks, size_t count) {
  auto rotr = [](uint32_t x, int n) { return (x >> n) | (x << (32 - n)); };
  for (; count > 0; --count, blocks += 64) {
    uint32_t w[64];
    for (size_t i = 0; i < 16; ++i) w[i] = load_be32(blocks + 4 * i);
    for (size_t i = 16; i < 64; ++i) {
      uint32_t s0 = rotr(w[i - 15], 7) ^ rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      uint32_t s1 = rotr(w[i - 2], 17) ^ rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (size_t i = 0; i < 64; ++i) {
      uint32_t s1 = rotr(e, 6) ^ rotr(e, 11) ^ rotr(e, 25);
      uint32_t t1 = h + s1 + ((e & f) ^ (~e & g)) + kSha256RoundConstants[i] + w[i];
      uint32_t s0 = rotr(a, 2) ^ rotr(a, 13) ^ rotr(a, 22);
      uint32_t t2 = s0 + ((a & b) ^ (a & c) ^ (b & c));
      h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    uint32_t add[8] = {a, b, c, d, e, f, g, h};
    for (size_t i = 0; i < 8; ++i) state[i] += add[i];
  }
}

}  // namespace detail

Sha256Kernel sha256_best_kernel() {
  static const bool has = detail::cpu_has_sha_extensions();
  return has ? Sha256Kernel::kShaExtensions : Sha256Kernel::kPortable;
}

void sha256_compress(std::array<uint32_t, 8>& state, const uint8_t* blocks, size_t count,
                     Sha256Kernel kernel) {
  if (kernel == Sha256Kernel::kShaExtensions)
    detail::sha256_compress_sha(state, blocks, count);
  else
    detail::sha256_compress_portable(state, blocks, count);
}

Sha256& Sha256::update(Bytes data) {
  total_ += data.size();
  if (buffered_ > 0) {
    size_t take = std::min(data.size(), buffer_.size() - buffered_);
    std::copy_n(data.data(), take, buffer_.data() + buffered_);
    buffered_ += take;
    data = data.subspan(take);
    if (buffered_ < buffer_.size()) return *this;
    sha256_compress(state_, buffer_.data(), 1, kernel_);
    buffered_ = 0;
  }
  size_t whole = data.size() / 64;
  sha256_compress(state_, data.data(), whole, kernel_);
  data = data.subspan(64 * whole);
  std::copy_n(data.data(), data.size(), buffer_.data());
  buffered_ = data.size();
  return *this;
}

Sha256& Sha256::update_le64(uint64_t value) {
  uint8_t bytes[8];
  store_le64(bytes, value);
  return update(bytes);
}

Sha256& Sha256::update_be64(uint64_t value) {
  uint8_t bytes[8];
  store_be64(bytes, value);
  return update(bytes);
}

Digest256 Sha256::finish() {
  uint64_t bits = 8 * total_;
  uint8_t padding[72] = {0x80};
  size_t zeros = (119 - buffered_) % 64;
  store_be64(padding + 1 + zeros, bits);
  update(Bytes(padding, 9 + zeros));
  Digest256 digest;
  for (size_t i = 0; i < 8; ++i) store_be32(digest.data() + 4 * i, state_[i]);
  return digest;
}

Digest256 sha256(Bytes data) {
  return Sha256().update(data).finish();
}

}  // namespace cuzk
