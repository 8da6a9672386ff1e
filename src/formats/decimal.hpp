// Large integers in decimal and hexadecimal text.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "field/bigint.hpp"

namespace cuzk {

// Decimal digits, or hexadecimal ones after 0x; nothing if anything else occurs, there are no digits, or the
// number does not fit.
template <size_t N>
std::optional<BigInt<N>> parse_integer(std::string_view text) {
  uint64_t base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  if (text.empty()) return std::nullopt;
  BigInt<N> value = BigInt<N>::zero();
  for (const char c : text) {
    uint64_t digit = base;
    if (c >= '0' && c <= '9') digit = static_cast<uint64_t>(c - '0');
    if (c >= 'a' && c <= 'f') digit = static_cast<uint64_t>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F') digit = static_cast<uint64_t>(c - 'A') + 10;
    if (digit >= base) return std::nullopt;
    for (uint64_t& limb : value.limb) {
      const uint128_t t = static_cast<uint128_t>(limb) * base + digit;
      limb = static_cast<uint64_t>(t);
      digit = static_cast<uint64_t>(t >> 64);
    }
    if (digit != 0) return std::nullopt;
  }
  return value;
}

template <size_t N>
std::string to_decimal(BigInt<N> value) {
  std::string digits;  // least significant first
  while (!value.is_zero()) {
    uint64_t rest = 0;
    for (size_t i = N; i-- > 0;) {
      const uint128_t t = static_cast<uint128_t>(rest) << 64 | value.limb[i];
      value.limb[i] = static_cast<uint64_t>(t / 10);
      rest = static_cast<uint64_t>(t % 10);
    }
    digits.push_back(static_cast<char>('0' + rest));
  }
  if (digits.empty()) return "0";
  std::reverse(digits.begin(), digits.end());
  return digits;
}

}  // namespace cuzk
