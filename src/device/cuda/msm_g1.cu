#include "device/cuda/msm_buckets.hpp"

namespace cuzk::gpu {

static_assert(GpuXyzz<LaneFp>::kWords * sizeof(DFp) == kG1SumBytes);

Status carve_buckets_g1(Arena& arena, const GroupShape& shape, unsigned multiprocessors) {
  (void)detail::carve_buckets<LaneFp>(arena, shape, multiprocessors);
  return {};
}
Status add_buckets_g1(Stream& stream, Arena& arena, const BucketJob& job) {
  return detail::BucketRun<LaneFp>(stream, arena, job).run();
}

}  // namespace cuzk::gpu
