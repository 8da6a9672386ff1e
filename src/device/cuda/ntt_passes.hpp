// Launching one pass of a transform. Included by ntt_dif.cu and ntt_dit.cu, which are compiled with the
// kernels.
#pragma once

#include "device/cuda/launch.hpp"
#include "device/cuda/ntt_kernels.hpp"

namespace cuzk::gpu {

inline constexpr size_t kTileBytes = sizeof(DFr) << kTileLog;

template <bool kDif, int R>
Status launch_pass(Stream& stream, const NttPass& p) {
  size_t blocks = size_t{1} << (p.log_size - kTileLog);
  if (p.log_stride == 0)
    return launch(stream, "ntt_pass", ntt_pass<kDif, R, true>, blocks, kNttThreads, kTileBytes, p);
  return launch(stream, "ntt_pass", ntt_pass<kDif, R, false>, blocks, kNttThreads, kTileBytes, p);
}

template <bool kDif>
Status launch_pass(Stream& stream, uint32_t rows_log, const NttPass& p) {
  switch (rows_log) {
    case 6:
      return launch_pass<kDif, 6>(stream, p);
    case 7:
      return launch_pass<kDif, 7>(stream, p);
    case 8:
      return launch_pass<kDif, 8>(stream, p);
    default:
      return launch_pass<kDif, 9>(stream, p);
  }
}

Status launch_dif_pass(Stream& stream, uint32_t rows_log, const NttPass& pass);
Status launch_dit_pass(Stream& stream, uint32_t rows_log, const NttPass& pass);

}  // namespace cuzk::gpu
