#include "curve/pairing.hpp"

#include <bit>

namespace cuzk {

namespace {

// The loop runs over the bits of |z| below the top one: a doubling for each, an addition where it is set.
constexpr size_t kLoopBits = 63;
constexpr size_t kLines = kLoopBits + static_cast<size_t>(std::popcount(kCurveX)) - 1;
constexpr bool loop_bit(size_t i) {
  return (kCurveX >> i & 1) != 0;
}

// The running multiple T of a G2 point in homogeneous coordinates (X/Z, Y/Z), and its lines. With the untwist
// (x/w², y/w³) the line of slope λ through T, times w³, is (λ·x_T - y_T) - λ·x_P·w² + y_P·w³.
// Source: Aranha, Karabina, Longa, Gebotys, López, "Faster explicit formulas for computing pairings over
// ordinary curves", 2011, section 4.
class LineStepper {
 public:
  explicit LineStepper(const G2Affine& q) : q_(q), x_(q.x), y_(q.y), z_(Fp2::one()) {}

  // T = 2T; the tangent at T times -2YZ, its constant simplified by the curve equation.
  PairingLine double_step() {
    Fp2 a = (x_ * y_).halved(), b = y_.square(), c = z_.square(), xx = x_.square();
    Fp2 e = (c.doubled() + c).doubled().doubled().times_xi();  // 3·b'·Z², b' = 4ξ
    Fp2 f = e.doubled() + e, h = (y_ + z_).square() - b - c;   // h = 2YZ
    Fp2 ee = e.square();
    x_ = a * (b - f);
    y_ = (b + f).halved().square() - (ee.doubled() + ee);
    z_ = b * h;
    return {e - b, xx.doubled() + xx, -h};
  }

  // T = T + Q; the line through both times X - x_Q·Z.
  PairingLine add_step() {
    Fp2 theta = y_ - q_.y * z_, lambda = x_ - q_.x * z_;
    Fp2 d = lambda.square(), e = lambda * d, f = z_ * theta.square(), g = x_ * d;
    Fp2 h = e + f - g.doubled();
    x_ = lambda * h;
    y_ = theta * (g - h) - e * y_;
    z_ = z_ * e;
    return {theta * q_.x - lambda * q_.y, -theta, lambda};
  }

 private:
  G2Affine q_;
  Fp2 x_, y_, z_;
};

void multiply_by_line(Fp12& f, const PairingLine& line, const G1Affine& p) {
  f = f.times_line(line.constant, line.at_x * p.x, line.at_y * p.y);
}

struct PlainTerm {
  G1Affine p;
  LineStepper stepper;
};

// a^z for a in the cyclotomic subgroup, where inversion is conjugation.
Fp12 pow_z(const Fp12& a) {
  return a.cyclotomic_pow(BigInt<1>::from_u64(kCurveX)).conjugate();
}

}  // namespace

PreparedG2::PreparedG2(const G2Affine& point) {
  if (point.is_infinity()) return;
  lines_.reserve(kLines);
  LineStepper stepper(point);
  for (size_t i = kLoopBits; i-- > 0;) {
    lines_.push_back(stepper.double_step());
    if (loop_bit(i)) lines_.push_back(stepper.add_step());
  }
}

Fp12 miller_loop(std::span<const PointPair> pairs, std::span<const PreparedPair> prepared) {
  std::vector<PlainTerm> plain;
  plain.reserve(pairs.size());
  for (const auto& [p, q] : pairs)
    if (!p.is_infinity() && !q.is_infinity()) plain.push_back({p, LineStepper(q)});
  std::vector<PreparedPair> ready;
  ready.reserve(prepared.size());
  for (const auto& pair : prepared)
    if (!pair.first.is_infinity() && !pair.second->is_infinity()) ready.push_back(pair);
  if (plain.empty() && ready.empty()) return Fp12::one();

  Fp12 f = Fp12::one();
  size_t line = 0;
  for (size_t i = kLoopBits; i-- > 0;) {
    if (i + 1 != kLoopBits) f = f.square();
    for (auto& term : plain) multiply_by_line(f, term.stepper.double_step(), term.p);
    for (const auto& [p, q] : ready) multiply_by_line(f, q->line(line), p);
    ++line;
    if (!loop_bit(i)) continue;
    for (auto& term : plain) multiply_by_line(f, term.stepper.add_step(), term.p);
    for (const auto& [p, q] : ready) multiply_by_line(f, q->line(line), p);
    ++line;
  }
  return f.conjugate();  // z is negative
}

// Easy part: f^((p⁶ - 1)(p² + 1)), into the cyclotomic subgroup. Hard part: 3(p⁴ - p² + 1)/r =
// (z - 1)²(z + p)(z² + p² - 1) + 3. Source: Hayashida, Hayasaka, Teruya, "Efficient final exponentiation via
// cyclotomic structure for pairings over families of elliptic curves", 2020.
Fp12 final_exponentiation(const Fp12& f) {
  Fp12 easy = f.conjugate() * f.inverse();
  easy = easy.frobenius_squared() * easy;
  Fp12 a = pow_z(easy) * easy.conjugate();
  a = pow_z(a) * a.conjugate();
  a = pow_z(a) * a.frobenius();
  a = pow_z(pow_z(a)) * a.frobenius_squared() * a.conjugate();
  return a * easy.cyclotomic_square() * easy;
}

Fp12 multi_pairing(std::span<const PointPair> pairs, std::span<const PreparedPair> prepared) {
  return final_exponentiation(miller_loop(pairs, prepared));
}

Fp12 pairing(const G1Affine& p, const G2Affine& q) {
  PointPair pair{p, q};
  return multi_pairing({&pair, 1});
}

bool pairing_product_is_one(std::span<const PointPair> pairs, std::span<const PreparedPair> prepared) {
  return multi_pairing(pairs, prepared).is_one();
}

}  // namespace cuzk
