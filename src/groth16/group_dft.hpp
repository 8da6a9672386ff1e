// Discrete Fourier transforms over G1, to turn the quotient bases of a snarkjs key into those of a bellman
// key.
#pragma once

#include <span>
#include <vector>

#include "base/executor.hpp"
#include "curve/point.hpp"

namespace cuzk {

// scalar · point for a point of the subgroup (outside it the endomorphism is no multiplication). Variable
// time.
G1Xyzz multiply_subgroup_point(const G1Xyzz& point, const Fr& scalar);

// values[j] becomes Σ_i ω^(ij) · values[i] for the root of unity ω of order n = values.size(), a power of two
// up to 2^32. Points lie in the subgroup. Cost: n/2 · (log2 n - 1) multiplications by full scalars. Threads:
// the executor's. Memory: 32 bytes · n/2.
void group_dft(std::span<G1Xyzz> values, DomainRoot root, Executor& executor);

// The h of a bellman key from the H of a snarkjs key, with n = odd_lagrange.size() a power of two below 2^32:
// h_j = -2 · Σ_i ω₂ₙ^((2i+1)j) · H_i, j ≤ n - 2. The sum over the odd points is a DFT of order n times ω₂ₙ^j.
// Memory: 192 bytes · n.
std::vector<G1Affine> coefficient_bases(std::span<const G1Affine> odd_lagrange, DomainRoot root,
                                        Executor& executor);

}  // namespace cuzk
