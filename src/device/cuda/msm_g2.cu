#include "device/cuda/msm_buckets.hpp"

namespace cuzk::gpu {

static_assert(GpuXyzz<PairFp2>::kWords * sizeof(DFp) == kG2SumBytes);

Status carve_buckets_g2(Arena& arena, const GroupShape& shape, unsigned multiprocessors) {
  (void)detail::carve_buckets<PairFp2>(arena, shape, multiprocessors);
  return {};
}
Status add_buckets_g2(Stream& stream, Arena& arena, const BucketJob& job) {
  return detail::BucketRun<PairFp2>(stream, arena, job).run();
}

}  // namespace cuzk::gpu
