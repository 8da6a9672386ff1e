// Sorting and sums over device arrays: CUB on the card, the standard library in the emulator.
#pragma once

#include "device/cuda/launch.hpp"
#include "device/cuda/msm_launch.hpp"

#if defined(__CUDACC__)
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>
#else
#include <algorithm>
#include <numeric>
#include <vector>
#endif

namespace cuzk::gpu {

#if defined(__CUDACC__)

inline Result<size_t> scratch_bytes(size_t count) {
  size_t sort_bytes = 0, scan_bytes = 0;
  cub::DoubleBuffer<uint32_t> keys(nullptr, nullptr), values(nullptr, nullptr);
  CUZK_TRY(
      check(cub::DeviceRadixSort::SortPairs(nullptr, sort_bytes, keys, values, static_cast<uint32_t>(count)),
            "sort (size)"));
  CUZK_TRY(check(cub::DeviceScan::ExclusiveSum(nullptr, scan_bytes, static_cast<uint32_t*>(nullptr),
                                               static_cast<uint32_t*>(nullptr), static_cast<uint32_t>(count)),
                 "sum (size)"));
  return sort_bytes > scan_bytes ? sort_bytes : scan_bytes;
}

// Ascending by the lowest `bits` bits of the key.
inline Status sort_pairs(Stream& stream, SortBuffers& b, size_t count, int bits, Scratch scratch) {
  size_t bytes = scratch.bytes;
  cub::DoubleBuffer<uint32_t> keys(b.keys[b.now], b.keys[1 - b.now]),
      values(b.values[b.now], b.values[1 - b.now]);
  CUZK_TRY(
      check(cub::DeviceRadixSort::SortPairs(scratch.at, bytes, keys, values, static_cast<uint32_t>(count), 0,
                                            bits, static_cast<cudaStream_t>(stream.handle())),
            "sort"));
  if (keys.Current() != b.keys[b.now]) b.now = 1 - b.now;
  return {};
}

inline Status exclusive_sum(Stream& stream, const uint32_t* in, uint32_t* out, size_t count,
                            Scratch scratch) {
  size_t bytes = scratch.bytes;
  return check(cub::DeviceScan::ExclusiveSum(scratch.at, bytes, in, out, static_cast<uint32_t>(count),
                                             static_cast<cudaStream_t>(stream.handle())),
               "sum");
}

#else

inline Result<size_t> scratch_bytes(size_t) {
  return size_t{16};
}

inline Status sort_pairs(Stream&, SortBuffers& b, size_t count, int bits, Scratch) {
  CUZK_TRY(emulator::call("sort"));
  std::vector<std::pair<uint32_t, uint32_t> > all(count);
  for (size_t i = 0; i < count; ++i) all[i] = {b.keys[b.now][i], b.values[b.now][i]};
  uint32_t mask = bits >= 32 ? ~0u : (1u << bits) - 1;
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto& x, const auto& y) { return (x.first & mask) < (y.first & mask); });
  b.now = 1 - b.now;
  for (size_t i = 0; i < count; ++i) std::tie(b.keys[b.now][i], b.values[b.now][i]) = all[i];
  return {};
}

inline Status exclusive_sum(Stream&, const uint32_t* in, uint32_t* out, size_t count, Scratch) {
  CUZK_TRY(emulator::call("sum"));
  std::exclusive_scan(in, in + count, out, uint32_t{0});
  return {};
}

#endif

}  // namespace cuzk::gpu
