// What the bases of a proving key stand for.
#pragma once

#include <memory>

#include "msm/point_source.hpp"

namespace cuzk {

template <class G>
using Bases = std::shared_ptr<const PointSource<G>>;

// What the bases `h` stand for. n is the domain size, ω₂ₙ the root of unity of order 2n of the key's
// DomainRoot.
enum class QuotientBasis {
  // bellman: h_j = τ^j (τⁿ − 1)/δ for j ≤ n − 2; the scalars are the coefficients of h(x).
  kCoefficients,
  // snarkjs: n bases, the Lagrange polynomials of the odd points of the doubled domain at τ, over δ; the
  // scalars
  // are the values of a·b − c at ω₂ₙ^(2i + 1).
  kOddLagrange,
};

// Which variables have a base in `a`, `b_g1` and `b_g2`.
enum class QueryLayout {
  // bellman: base k belongs to the k-th variable, in ascending order, that has a non-zero coefficient in A
  // (every input counts as having one) or in B.
  kWithEntries,
  // snarkjs: base k belongs to variable k; variables without entries have infinity.
  kEveryVariable,
};

}  // namespace cuzk
