// Fixed-endian loads and stores, hex. No alignment is assumed.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuzk {

static_assert(std::endian::native == std::endian::little, "loads below assume a little-endian host");

using Bytes = std::span<const uint8_t>;
using MutableBytes = std::span<uint8_t>;

inline uint32_t load_le32(const uint8_t* p) {
  uint32_t v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline uint64_t load_le64(const uint8_t* p) {
  uint64_t v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
inline uint32_t load_be32(const uint8_t* p) {
  return __builtin_bswap32(load_le32(p));
}
inline uint64_t load_be64(const uint8_t* p) {
  return __builtin_bswap64(load_le64(p));
}

inline void store_le32(uint8_t* p, uint32_t v) {
  std::memcpy(p, &v, sizeof v);
}
inline void store_le64(uint8_t* p, uint64_t v) {
  std::memcpy(p, &v, sizeof v);
}
inline void store_be32(uint8_t* p, uint32_t v) {
  store_le32(p, __builtin_bswap32(v));
}
inline void store_be64(uint8_t* p, uint64_t v) {
  store_le64(p, __builtin_bswap64(v));
}

inline std::string to_hex(Bytes bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string out;
  out.reserve(2 * bytes.size());
  for (uint8_t b : bytes) {
    out.push_back(kDigits[b >> 4]);
    out.push_back(kDigits[b & 15]);
  }
  return out;
}

// Two hex digits a byte, either case, no prefix; nothing else is accepted.
inline std::optional<std::vector<uint8_t>> from_hex(std::string_view text) {
  auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  };
  if (text.size() % 2 != 0) return std::nullopt;
  std::vector<uint8_t> out(text.size() / 2);
  for (size_t i = 0; i < out.size(); ++i) {
    int hi = digit(text[2 * i]), lo = digit(text[2 * i + 1]);
    if (hi < 0 || lo < 0) return std::nullopt;
    out[i] = static_cast<uint8_t>(hi * 16 + lo);
  }
  return out;
}

}  // namespace cuzk
