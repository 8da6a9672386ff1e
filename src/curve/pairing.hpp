// The optimal ate pairing e: G1 × G2 -> Gt, a subgroup of order r of Fp12.
//
// The value is the cube of the reduced pairing f^((p¹²-1)/r): also a non-degenerate pairing, and cheaper; the
// same that snarkjs writes as vk_alphabeta_12. Points must lie in their subgroups; with infinity on either
// side a factor is one. Pure functions, no threads; work over many pairs is split by multiplying the Miller
// values of the parts.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "curve/point.hpp"
#include "field/fp12.hpp"

namespace cuzk {

using PointPair = std::pair<G1Affine, G2Affine>;

// A line through multiples of a G2 point, up to a factor that the final exponentiation removes: its value at
// P = (x, y) is constant + at_x·x·w² + at_y·y·w³.
struct PairingLine {
  Fp2 constant, at_x, at_y;
};

// A point of G2 with the lines of its Miller loop computed ahead (20 KiB): for points used often, such as
// those of a verifying key.
class PreparedG2 {
 public:
  explicit PreparedG2(const G2Affine& point);
  bool is_infinity() const { return lines_.empty(); }
  const PairingLine& line(size_t i) const { return lines_[i]; }

 private:
  std::vector<PairingLine> lines_;
};
using PreparedPair = std::pair<G1Affine, const PreparedG2*>;

// The product of the Miller loops of all pairs; final_exponentiation makes the pairing of it.
Fp12 miller_loop(std::span<const PointPair> pairs, std::span<const PreparedPair> prepared = {});

// f^(3(p¹² - 1)/r); f must not be zero (Miller values of subgroup points are not).
Fp12 final_exponentiation(const Fp12& f);

Fp12 pairing(const G1Affine& p, const G2Affine& q);
Fp12 multi_pairing(std::span<const PointPair> pairs, std::span<const PreparedPair> prepared = {});

// Whether Π e(P_i, Q_i) = 1. One final exponentiation for all; true for no pairs.
bool pairing_product_is_one(std::span<const PointPair> pairs, std::span<const PreparedPair> prepared = {});

}  // namespace cuzk
