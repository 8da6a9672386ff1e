// Multi-scalar multiplication on one card: sums of scalar·point over base sets in device memory, several sets
// with one vector of scalars in one call.
//
// Bucket method with signed digits. The scalars are cut into digits and sorted by bucket once for all sets, a
// group of windows at a time; then for each set `rounds` rounds of affine additions in pairs with shared
// inversions, the rest in extended Jacobian coordinates over segments of equal length whatever the sizes of
// the buckets, and each window's weighted sum of buckets. The windows' sums are combined on the host. With
// `split`, scalars 0 cost nothing and points with scalar 1 are only added up.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "device/cuda/compact.hpp"
#include "device/cuda/runtime.hpp"

namespace cuzk::gpu {

struct MsmTuning {
  uint32_t windows = 16;  // 255 bits are spread over so many
  uint32_t rounds = 0;    // of additions in pairs, G1
  size_t group_entries =
      size_t{1} << 27;     // most entries that one group of windows may have (one window at the least)
  bool split = false;      // zeros and ones apart
  uint32_t g2_rounds = 0;  // of additions in pairs, G2
};

// The sets that a call may have.
struct MsmSets {
  bool g1 = true, g2 = false;  // of which groups
  bool subsets = false;        // whether some have points for a part of the scalars only
  unsigned count = 1;
  double least_share = 1;  // about the share of the scalars that the smallest set has points for
};

// What is best for so many scalars (measured on one H200; see docs/performance/cuda-msm.md).
MsmTuning tune_msm(size_t scalars, const MsmSets& sets = {});

struct MsmPlan {
  size_t scalars = 0;
  MsmSets sets;
  MsmTuning tuning;
  unsigned multiprocessors = 1;
  size_t device_bytes = 0;  // workspace: neither points nor scalars
  size_t pinned_bytes = 0;
};

// What a call with at most so many scalars needs. Errors: too many scalars (2^30 or more).
Result<MsmPlan> plan_msm(size_t scalars, const MsmSets& sets, const MsmTuning& tuning,
                         unsigned multiprocessors);

// Parts of one set's sum for the host to combine: window_sums[w]·2^position[w] over all windows, plus `ones`.
// Xyzz points of the set's group, in pinned memory, valid until it is used again.
struct MsmParts {
  const void* window_sums = nullptr;
  std::vector<uint32_t> positions;
  const void* ones = nullptr;
};

// The scalars of a call, in device memory, one of
// - values (Fr): scalar i is values[select[i]], or values[i] where select is null; limbs of r or more count
// as what they are
//   modulo r;
// - bits: scalar i is bit i % 32 of bits[i / 32];
// - compact: scalar i is variable first + i.
struct MsmScalars {
  const void* values = nullptr;
  const uint32_t* select = nullptr;
  const uint32_t* bits = nullptr;
  const DeviceCompact* compact = nullptr;
  size_t first = 0;
  size_t count = 0;  // at most plan.scalars
};

// A base set in device memory: points (Affine<Fp> or Affine<Fp2>), point i for scalar i. Where marks is given
// only marked scalars have a point: scalar i, if bit i % 32 of marks[i / 32] is set, has point before_word[i
// / 32] + (marked ones below it in its word) - skipped.
struct MsmBases {
  const void* points = nullptr;
  bool g2 = false;
  const uint32_t *marks = nullptr, *before_word = nullptr;
  uint32_t skipped = 0;
};

// workspace: plan.device_bytes of device memory; pinned: plan.pinned_bytes. Returns when the parts are there,
// one for each set. Errors: a failed launch.
Result<std::vector<MsmParts>> run_msm(Stream& stream, const MsmPlan& plan, void* workspace, void* pinned,
                                      const MsmScalars& scalars, std::span<const MsmBases> sets);

}  // namespace cuzk::gpu
