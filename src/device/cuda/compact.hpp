// A compact witness (r1cs/witness.hpp) in device memory.
#pragma once

#include <cstddef>
#include <cstdint>

namespace cuzk::gpu {

struct DeviceCompact {
  const uint32_t* bit_marks = nullptr;         // the shape's, 32 variables a word
  const uint32_t* bits_before_word = nullptr;  // the shape's
  const uint32_t* bits = nullptr;              // values of the bits
  const void* wide = nullptr;                  // Fr: values of the others
  size_t variables = 0;
};

}  // namespace cuzk::gpu
