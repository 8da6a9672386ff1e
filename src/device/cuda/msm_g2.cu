#include "device/cuda/msm_pipeline.hpp"

namespace cuzk::gpu {

Status size_msm_g2(MsmPlan& plan) {
  return detail::size_plan<PairFp2>(plan);
}
Result<MsmParts> run_msm_g2(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                            const MsmTerms& terms) {
  return detail::MsmRun<PairFp2>(stream, plan).run(workspace, pinned, terms);
}

}  // namespace cuzk::gpu
