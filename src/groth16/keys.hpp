// Keys and proofs of Groth16 over BLS12-381, independent of any file format.
//
// Variables are numbered inputs first: 0 is the constant one, 1 … num_inputs − 1 the public inputs, then the
// auxiliary (private) ones. Circom calls them wires, in the same order.
#pragma once

#include <cstddef>
#include <vector>

#include "curve/point.hpp"
#include "device/key_layout.hpp"

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

struct ProvingKey {
  VerifyingKey vk;
  QuotientBasis quotient_basis = QuotientBasis::kCoefficients;
  QueryLayout layout = QueryLayout::kWithEntries;
  // Constraint i is at the point ω^i. Nothing in a .params file tells the root: one converted from a .zkey
  // keeps snarkjs's.
  DomainRoot domain_root = DomainRoot::kBellman;
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
