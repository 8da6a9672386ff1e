// Reading a compact witness in a kernel.
#pragma once

#include "device/cuda/compact.hpp"
#include "device/cuda/gpu.hpp"

namespace cuzk::gpu {

CUZK_DEV uint32_t count_bits(uint32_t v) {
#if CUZK_ON_GPU
  return static_cast<uint32_t>(__popc(v));
#else
  return static_cast<uint32_t>(__builtin_popcount(v));
#endif
}

// Whether member v is marked; *place: how many marked ones come before it.
CUZK_DEV bool marked(const uint32_t* marks, const uint32_t* before_word, uint32_t v, uint32_t* place) {
  uint32_t word = marks[v / 32];
  *place = before_word[v / 32] + count_bits(word & ((1u << (v % 32)) - 1));
  return ((word >> (v % 32)) & 1) != 0;
}

// Whether variable v is a bit: then *at is its value, 0 or 1; otherwise *at is its place among the wide ones.
CUZK_DEV bool compact_bit(const DeviceCompact& c, uint32_t v, uint32_t* at) {
  uint32_t place;
  if (marked(c.bit_marks, c.bits_before_word, v, &place)) {
    *at = (c.bits[place / 32] >> (place % 32)) & 1;
    return true;
  }
  *at = v - place;
  return false;
}

}  // namespace cuzk::gpu
