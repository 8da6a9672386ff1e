// Between ntt.cpp (plain C++, knows Fr) and the kernels.
#pragma once

#include <cstdint>

#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

// out[k] = factor·base^k for k < count. base, factor: Fr in host memory; out: in device memory.
Status fill_powers(Stream& stream, void* out, size_t count, const void* base, const void* factor);

// a[i] = a[i]·b[i] - c[i]; Fr in device memory.
Status multiply_and_subtract(Stream& stream, void* a, const void* b, const void* c, size_t count);

// One transform; null pointers mean "not". See NttPass.
struct NttLaunch {
  uint32_t log_size;
  bool in_time;  // bit-reversed in, natural out
  bool permute;
  const void *in, *factor, *minus;
  void* out;
  const void *rows, *direct, *root_low, *root_high;
  const void* root_high_outer;  // high table for the pass with the largest root, where a factor is folded in
  uint32_t root_log_low;
  const void *load_low, *load_high, *store_low, *store_high;  // coset powers, log_low = root_log_low
  const void* small_scale;  // the factor of root_high_outer, for sizes that need no such pass
};
Status launch_ntt(Stream& stream, const NttLaunch& job);

}  // namespace cuzk::gpu
