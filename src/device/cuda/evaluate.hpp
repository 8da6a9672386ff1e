// From a witness to the values of a constraint system's rows, on the card.
#pragma once

#include <cstdint>

#include "device/cuda/compact.hpp"
#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

// A sparse matrix in device memory, laid out as SparseMatrix: row i has terms begins[i] … begins[i + 1] - 1,
// each a pair of variable and coefficient index.
struct DeviceMatrix {
  const uint32_t* begins = nullptr;
  const void* terms = nullptr;
  size_t rows = 0;
};

// A witness in device memory: an Fr for each variable, or compact where `values` is null.
struct DeviceWitness {
  const void* values = nullptr;
  DeviceCompact compact;
};

// out[i] = row i times the witness. coefficients: the circuit's table (Fr). All in device memory.
Status evaluate_matrix(Stream& stream, const DeviceMatrix& matrix, const void* coefficients,
                       const DeviceWitness& witness, void* out);

// out[i] = variable i, for the first `count` variables.
Status copy_variables(Stream& stream, const DeviceWitness& witness, size_t count, void* out);

// *flag (a u32 in device memory) becomes non-zero where a[i]·b[i] is not c[i] for some i.
Status compare_products(Stream& stream, const void* a, const void* b, const void* c, size_t count,
                        uint32_t* flag);

}  // namespace cuzk::gpu
