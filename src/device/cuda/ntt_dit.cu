#include "device/cuda/ntt_passes.hpp"

namespace cuzk::gpu {

Status launch_dit_pass(Stream& stream, uint32_t rows_log, const NttPass& pass) {
  return launch_pass<false>(stream, rows_log, pass);
}

}  // namespace cuzk::gpu
