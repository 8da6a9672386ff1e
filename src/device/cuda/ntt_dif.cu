#include "device/cuda/ntt_passes.hpp"

namespace cuzk::gpu {

Status launch_dif_pass(Stream& stream, uint32_t rows_log, const NttPass& pass) {
  return launch_pass<true>(stream, rows_log, pass);
}

}  // namespace cuzk::gpu
