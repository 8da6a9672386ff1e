// Multi-scalar multiplication on one card: sum of scalar·point over a base set in device memory.
//
// Bucket method with signed digits. Per group of windows: digits, sort by bucket, `rounds` rounds of affine
// additions in pairs with shared inversions, the rest in extended Jacobian coordinates over segments of equal
// length whatever the sizes of the buckets, then each window's weighted sum of buckets. The windows' sums are
// combined on the host. With `split`, scalars 0 cost nothing and points with scalar 1 are only added up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

struct MsmTuning {
  uint32_t windows = 16;  // 255 bits are spread over so many
  uint32_t rounds = 0;    // of additions in pairs
  size_t group_entries =
      1 << 27;         // most entries that one group of windows may have (one window at the least)
  bool split = false;  // zeros and ones apart
};

// What is best for so many points (measured on one H200; see docs/performance/cuda-msm.md).
MsmTuning tune_msm(size_t points, bool g2);

struct MsmPlan {
  size_t points = 0;
  bool g2 = false;
  MsmTuning tuning;
  unsigned multiprocessors = 1;
  size_t device_bytes = 0;  // workspace: neither points nor scalars
  size_t pinned_bytes = 0;
};

// What a multiplication of at most `points` points needs. Errors: too many points (2^30 or more).
Result<MsmPlan> plan_msm(size_t points, bool g2, const MsmTuning& tuning, unsigned multiprocessors);

// Parts of the result for the host to combine: window_sums[w]·2^position[w] over all windows, plus `ones`.
// Xyzz points of the group's coordinates, in pinned memory, valid until it is used again.
struct MsmParts {
  const void* window_sums = nullptr;
  std::vector<uint32_t> positions;
  const void* ones = nullptr;
};

// The terms of a multiplication, all in device memory: points (Affine<Fp> or Affine<Fp2>), and one of
// - scalars (Fr): point i times scalars[select[i]], or scalars[i] where select is null;
// - bits: the sum of the points i whose bit i % 32 of bits[i / 32] is set.
struct MsmTerms {
  const void* points = nullptr;
  const void* scalars = nullptr;
  const uint32_t* select = nullptr;
  const uint32_t* bits = nullptr;
  size_t count = 0;  // at most plan.points
};

// workspace: plan.device_bytes of device memory; pinned: plan.pinned_bytes. Returns when the parts are there.
// Errors: a failed launch.
Result<MsmParts> run_msm(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                         const MsmTerms& terms);

}  // namespace cuzk::gpu
