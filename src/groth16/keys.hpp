// Keys and proofs of Groth16 over BLS12-381, independent of any file format.
//
// Variables are numbered inputs first: 0 is the constant one, 1 … num_inputs − 1 the public inputs, then the
// auxiliary (private) ones. Circom calls them wires, in the same order.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "curve/point.hpp"
#include "msm/point_source.hpp"

namespace cuzk {

struct VerifyingKey {
  G1Affine alpha_g1, beta_g1;
  G2Affine beta_g2, gamma_g2;
  G1Affine delta_g1;
  G2Affine delta_g2;
  std::vector<G1Affine> ic;  // one for each input, the constant one included

  size_t num_inputs() const { return ic.size(); }
  bool operator==(const VerifyingKey&) const = default;
};

struct Proof {
  G1Affine a;
  G2Affine b;
  G1Affine c;

  bool operator==(const Proof&) const = default;
};

// What the bases `h` stand for. n is the domain size, ω₂ₙ a root of unity of order 2n.
enum class QuotientBasis {
  // bellman: h_j = τ^j (τⁿ − 1)/δ for j ≤ n − 2; the scalars are the coefficients of h(x).
  kCoefficients,
  // snarkjs: n bases, the Lagrange polynomials of the odd points of the doubled domain; the scalars are the
  // values of a·b − c at ω₂ₙ^(2i + 1).
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

template <class G>
using Bases = std::shared_ptr<const PointSource<G>>;

struct ProvingKey {
  VerifyingKey vk;
  QuotientBasis quotient_basis = QuotientBasis::kCoefficients;
  QueryLayout layout = QueryLayout::kWithEntries;
  Bases<G1> h;
  Bases<G1> l;  // base j belongs to auxiliary variable j
  Bases<G1> a, b_g1;
  Bases<G2> b_g2;

  size_t num_inputs() const { return vk.num_inputs(); }
  size_t num_aux() const { return l->size(); }
  // Smallest power of two that is not below constraints + inputs, as the length of `h` gives it.
  size_t domain_size() const {
    return quotient_basis == QuotientBasis::kCoefficients ? h->size() + 1 : h->size();
  }
};

}  // namespace cuzk
