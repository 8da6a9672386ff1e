// Membership of the subgroups of order r, by endomorphism.
#pragma once

#include "curve/point.hpp"

namespace cuzk {

// The point must be on the curve (or infinity, which is a member).
//
// G1: φ²(P) = -z²P. In the endomorphism ring φ² + z² has norm z⁴ - z² + 1 = r, so it kills exactly r points
// of the closure; those of them with coordinates in Fp have order r or 1. G2: ψ(Q) = zQ. As ψ² - tψ + p = 0,
// such a Q is killed by z² - tz + p = p - z = (z - 1)²/3·r, whose greatest common divisor with the order of
// the curve is r (checked in a test). Source: Scott, "A note on group membership tests for G1, G2 and GT on
// BLS pairing-friendly curves", 2021.
bool is_in_subgroup(const G1Affine& point);
bool is_in_subgroup(const G2Affine& point);
// Of many points at once: first_outside_subgroup (msm/subgroup_batch.hpp).

}  // namespace cuzk
