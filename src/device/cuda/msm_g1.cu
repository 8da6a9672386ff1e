#include "device/cuda/msm_pipeline.hpp"

namespace cuzk::gpu {

Status size_msm_g1(MsmPlan& plan) {
  return detail::size_plan<LaneFp>(plan);
}
Result<MsmParts> run_msm_g1(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                            const MsmTerms& terms) {
  return detail::MsmRun<LaneFp>(stream, plan).run(workspace, pinned, terms);
}

}  // namespace cuzk::gpu
