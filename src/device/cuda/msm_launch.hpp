// Between msm.cpp and the kernels, which are compiled once for each group.
#pragma once

#include "device/cuda/msm.hpp"

namespace cuzk::gpu {

Status size_msm_g1(MsmPlan& plan);
Status size_msm_g2(MsmPlan& plan);
Result<MsmParts> run_msm_g1(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                            const MsmTerms& terms);
Result<MsmParts> run_msm_g2(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                            const MsmTerms& terms);

}  // namespace cuzk::gpu
