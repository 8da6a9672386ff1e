// Kernels that only benchmarks need.
#pragma once

#include <cstdint>

#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

// out[i] = a pseudo-random Fr for index first + i; with bits_percent of them 0 or 1, half and half.
Status fill_random_scalars(Stream& stream, void* out, size_t count, uint64_t seed, unsigned bits_percent);

// sums[j] = sum of scalars[j], scalars[j + step], … : to check a multiplication over `step` points that
// repeat.
Status fold_scalars(Stream& stream, const void* scalars, size_t count, uint32_t step, void* sums);

// parts[t] = sum over j of values[t + j·threads]·base^t·step^j (base = w^k, step = base^threads): one value
// of a transform by the definition, as `threads` parts.
Status transform_value_parts(Stream& stream, const void* values, size_t count, const void* base,
                             const void* step, uint32_t threads, void* parts);

// How many of the 32-byte elements differ; the count goes to `differences` (a u32 in device memory).
Status count_differences(Stream& stream, const void* a, const void* b, size_t count, uint32_t* differences);

// Products in registers: `blocks` blocks of 256 threads, `rounds` rounds of 16 products a thread. which: 0
// Fr, 1 Fp, 2 Fr squares, 3 Fp squares, 4 additions of G1 points (one a round), 5 of G2 points (one a round
// for two threads).
Status multiply_in_registers(Stream& stream, int which, unsigned blocks, unsigned rounds, void* data);

// For lost_card_test.cpp: a launch that the driver refuses, and one that writes where there is no memory.
Status launch_wrongly(Stream& stream);
Status write_nowhere(Stream& stream);

}  // namespace cuzk::gpu
