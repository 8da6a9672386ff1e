// From a witness to the values of a constraint system's rows, on the card.
#pragma once

#include <cstdint>

#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

// A sparse matrix in device memory, laid out as SparseMatrix: row i has terms begins[i] … begins[i + 1] - 1,
// each a pair of variable and coefficient index.
struct DeviceMatrix {
  const uint32_t* begins = nullptr;
  const void* terms = nullptr;
  size_t rows = 0;
};

// out[i] = row i times w. coefficients: the circuit's table (Fr). w: an Fr for each variable. All in device
// memory.
Status evaluate_matrix(Stream& stream, const DeviceMatrix& matrix, const void* coefficients, const void* w,
                       void* out);

// w from a compact witness (r1cs/witness.hpp), all arrays in device memory.
struct DeviceCompact {
  const uint32_t *bit_marks, *bits_before_word, *bits;
  const void* wide;
  size_t variables;
};
Status expand_witness(Stream& stream, const DeviceCompact& compact, void* w);

// *flag (a u32 in device memory) becomes non-zero where a[i]·b[i] is not c[i] for some i.
Status compare_products(Stream& stream, const void* a, const void* b, const void* c, size_t count,
                        uint32_t* flag);

}  // namespace cuzk::gpu
