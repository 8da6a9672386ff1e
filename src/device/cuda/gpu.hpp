// What kernels are written against: the CUDA execution model under neutral names. nvcc maps it to CUDA; any
// other compiler maps it to the emulator (emulator.hpp), which runs every thread of a block as a fiber, so
// that the same kernels are tested on machines without a GPU.
#pragma once

#include <cstddef>
#include <cstdint>

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#define CUZK_HD __host__ __device__ __forceinline__
#define CUZK_DEV __device__ __forceinline__
#define CUZK_COLD __device__ __noinline__ inline
// A kernel's qualifiers: the most threads of a block and the blocks that must fit on a multiprocessor.
#define CUZK_KERNEL(threads, blocks) static __global__ void __launch_bounds__(threads, blocks)
#define CUZK_SHARED __shared__
#else
#include "device/cuda/emulator.hpp"
#define CUZK_HD inline
#define CUZK_DEV inline
#define CUZK_COLD inline
#define CUZK_KERNEL(threads, blocks) inline void
#define CUZK_SHARED static thread_local
#endif

#if defined(__CUDA_ARCH__)
#define CUZK_ON_GPU 1
#define CUZK_UNROLL _Pragma("unroll")
#else
#define CUZK_ON_GPU 0
#define CUZK_UNROLL
#endif

namespace cuzk::gpu {

#if defined(__CUDACC__)

CUZK_DEV uint32_t thread_index() {
  return threadIdx.x;
}
CUZK_DEV uint32_t block_index() {
  return blockIdx.x;
}
CUZK_DEV uint32_t block_threads() {
  return blockDim.x;
}
CUZK_DEV void block_sync() {
  __syncthreads();
}
// The value that the other lane of this lane's pair (lane number with the lowest bit flipped) passes.
CUZK_DEV uint32_t exchange_in_pair(uint32_t v) {
  uint32_t lane = threadIdx.x & 31;
  return __shfl_xor_sync(3u << (lane & ~1u), v, 1);
}
CUZK_DEV uint32_t atomic_add(uint32_t* p, uint32_t v) {
  return atomicAdd(p, v);
}
template <class T>
CUZK_DEV T* dynamic_shared() {
  extern __shared__ uint4 cuzk_dynamic_shared[];
  return reinterpret_cast<T*>(cuzk_dynamic_shared);
}

#else

inline uint32_t thread_index() {
  return emulator::current().thread;
}
inline uint32_t block_index() {
  return emulator::current().block;
}
inline uint32_t block_threads() {
  return emulator::current().threads;
}
inline void block_sync() {
  emulator::block_sync();
}
inline uint32_t exchange_in_pair(uint32_t v) {
  return emulator::exchange_in_pair(v);
}
inline uint32_t atomic_add(uint32_t* p, uint32_t v) {
  uint32_t old = *p;
  *p = old + v;
  return old;
}
template <class T>
T* dynamic_shared() {
  return static_cast<T*>(emulator::current().dynamic_shared);
}

#endif

// Position of this thread in the whole grid.
CUZK_DEV size_t grid_thread() {
  return static_cast<size_t>(block_index()) * block_threads() + thread_index();
}

}  // namespace cuzk::gpu
