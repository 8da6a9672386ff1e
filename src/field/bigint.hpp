// Fixed-size unsigned integers, little-endian 64-bit limbs. Plain values: canonical field elements, scalars,
// exponents.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/bytes.hpp"

namespace cuzk {

using uint128_t = unsigned __int128;

template <size_t N>
struct BigInt {
  static constexpr size_t kLimbs = N;
  static constexpr size_t kBytes = 8 * N;

  uint64_t limb[N];

  static constexpr BigInt zero() { return from_u64(0); }
  static constexpr BigInt from_u64(uint64_t v) {
    BigInt r{};
    r.limb[0] = v;
    return r;
  }
  // Hex digits, most significant first; for constants in code.
  static constexpr BigInt from_hex(std::string_view digits) {
    BigInt r{};
    for (char c : digits) {
      r = r.shifted_left(4);
      r.limb[0] |= static_cast<uint64_t>(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return r;
  }
  static BigInt from_le_bytes(const uint8_t* p) {
    BigInt r;
    for (size_t i = 0; i < N; ++i) r.limb[i] = load_le64(p + 8 * i);
    return r;
  }
  static BigInt from_be_bytes(const uint8_t* p) {
    BigInt r;
    for (size_t i = 0; i < N; ++i) r.limb[i] = load_be64(p + 8 * (N - 1 - i));
    return r;
  }
  void to_le_bytes(uint8_t* p) const {
    for (size_t i = 0; i < N; ++i) store_le64(p + 8 * i, limb[i]);
  }
  void to_be_bytes(uint8_t* p) const {
    for (size_t i = 0; i < N; ++i) store_be64(p + 8 * (N - 1 - i), limb[i]);
  }

  constexpr bool operator==(const BigInt&) const = default;
  constexpr bool operator<(const BigInt& o) const {
    for (size_t i = N; i-- > 0;)
      if (limb[i] != o.limb[i]) return limb[i] < o.limb[i];
    return false;
  }
  constexpr bool is_zero() const {
    uint64_t any = 0;
    for (uint64_t l : limb) any |= l;
    return any == 0;
  }
  constexpr bool is_odd() const { return (limb[0] & 1) != 0; }
  constexpr bool bit(size_t i) const { return ((limb[i / 64] >> (i % 64)) & 1) != 0; }
  // `count` (1 to 63) bits from bit `from`; bits beyond the end are zero.
  constexpr uint64_t bits(size_t from, size_t count) const {
    size_t word = from / 64, shift = from % 64;
    if (word >= N) return 0;
    uint64_t v = limb[word] >> shift;
    if (shift != 0 && word + 1 < N) v |= limb[word + 1] << (64 - shift);
    return v & ((uint64_t{1} << count) - 1);
  }
  constexpr size_t bit_length() const {
    for (size_t i = N; i-- > 0;)
      if (limb[i] != 0) return 64 * i + 64 - static_cast<size_t>(__builtin_clzll(limb[i]));
    return 0;
  }

  // *this += o; returns the carry out.
  constexpr uint64_t add_in_place(const BigInt& o) {
    uint64_t carry = 0;
    for (size_t i = 0; i < N; ++i) {
      uint128_t t = static_cast<uint128_t>(limb[i]) + o.limb[i] + carry;
      limb[i] = static_cast<uint64_t>(t);
      carry = static_cast<uint64_t>(t >> 64);
    }
    return carry;
  }
  // *this -= o; returns the borrow out.
  constexpr uint64_t sub_in_place(const BigInt& o) {
    uint64_t borrow = 0;
    for (size_t i = 0; i < N; ++i) {
      uint128_t t = static_cast<uint128_t>(limb[i]) - o.limb[i] - borrow;
      limb[i] = static_cast<uint64_t>(t);
      borrow = static_cast<uint64_t>(t >> 64) & 1;
    }
    return borrow;
  }
  constexpr BigInt shifted_left(size_t n) const {
    BigInt r{};
    for (size_t i = N; i-- > n / 64;) {
      size_t from = i - n / 64;
      r.limb[i] = limb[from] << (n % 64);
      if (n % 64 != 0 && from > 0) r.limb[i] |= limb[from - 1] >> (64 - n % 64);
    }
    return r;
  }
  constexpr BigInt shifted_right(size_t n) const {
    BigInt r{};
    for (size_t i = 0; i + n / 64 < N; ++i) {
      size_t from = i + n / 64;
      r.limb[i] = limb[from] >> (n % 64);
      if (n % 64 != 0 && from + 1 < N) r.limb[i] |= limb[from + 1] << (64 - n % 64);
    }
    return r;
  }
};

}  // namespace cuzk
