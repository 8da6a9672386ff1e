// Launching kernels and checking what became of it; for the files that are compiled with the kernels.
#pragma once

#include <string>

#include "base/result.hpp"
#include "device/cuda/gpu.hpp"
#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

#if defined(__CUDACC__)

inline Status check(cudaError_t code, const char* what) {
  if (code == cudaSuccess) return {};
  std::string text =
      std::string(what) + ": " + cudaGetErrorString(code) + " (" + cudaGetErrorName(code) + ")";
  if (code == cudaErrorMemoryAllocation) return fail(ErrorCode::kResourceExhausted, text);
  return fail(ErrorCode::kUnavailable, text);
}

template <class... P, class... A>
Status launch(Stream& stream, const char* name, void (*kernel)(P...), size_t blocks, unsigned threads,
              size_t shared_bytes, const A&... arguments) {
  if (blocks == 0) return {};
  if (shared_bytes > (size_t{48} << 10)) {
    CUZK_TRY(check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                        static_cast<int>(shared_bytes)),
                   name));
  }
  kernel<<<static_cast<unsigned>(blocks), threads, shared_bytes,
           static_cast<cudaStream_t>(stream.handle())>>>(static_cast<P>(arguments)...);
  return check(cudaGetLastError(), name);
}

#else

template <class... P, class... A>
Status launch(Stream&, const char* name, void (*kernel)(P...), size_t blocks, unsigned threads,
              size_t shared_bytes, const A&... arguments) {
  if (blocks == 0) return {};
  CUZK_TRY(emulator::call(name));
  emulator::run(blocks, threads, shared_bytes, [&] { kernel(static_cast<P>(arguments)...); });
  return {};
}

#endif

inline size_t blocks_for(size_t items, size_t per_block) {
  return (items + per_block - 1) / per_block;
}

}  // namespace cuzk::gpu
