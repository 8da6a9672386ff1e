#include "device/cuda/msm.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <string>

#include "base/check.hpp"
#include "device/cuda/msm_launch.hpp"

namespace cuzk::gpu {

MsmTuning tune_msm(size_t points, bool g2) {
  MsmTuning t;
  int log = points == 0 ? 0 : std::bit_width(points) - 1;
  constexpr uint8_t kWindows[] = {51, 51, 51, 51, 51, 51, 51, 51, 43, 43, 37, 32, 28, 26,
                                  24, 23, 22, 20, 17, 17, 16, 16, 15, 14, 13, 13, 12, 12};
  t.windows = kWindows[std::min<size_t>(static_cast<size_t>(log), std::size(kWindows) - 1)];
  t.rounds = log >= 22 ? 4 : log >= 20 ? 3 : 0;
  if (g2 && log < 22) t.rounds = 0;
  t.split = log >= 18;
  return t;
}

Result<MsmPlan> plan_msm(size_t points, bool g2, const MsmTuning& tuning, unsigned multiprocessors) {
  if (points >= size_t{1} << 30)
    return invalid("a multi-scalar multiplication of " + std::to_string(points) +
                   " points; at most 2^30 - 1");
  if (tuning.windows < 10 || tuning.windows > 64)
    return invalid("windows of a multi-scalar multiplication: 10 to 64");
  MsmPlan plan{points, g2, tuning, multiprocessors};
  if (g2) {
    CUZK_TRY(size_msm_g2(plan));
  } else {
    CUZK_TRY(size_msm_g1(plan));
  }
  return plan;
}

Result<MsmParts> run_msm(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                         const MsmTerms& terms) {
  CUZK_CHECK(terms.count <= plan.points);
  if (plan.g2) return run_msm_g2(stream, plan, workspace, pinned, terms);
  return run_msm_g1(stream, plan, workspace, pinned, terms);
}

}  // namespace cuzk::gpu
