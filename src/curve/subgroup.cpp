#include "curve/subgroup.hpp"

#include <algorithm>
#include <type_traits>

#include "curve/endomorphism.hpp"

namespace cuzk {

namespace {

// Jacobian coordinates (X/Z², Y/Z³): doubling is cheaper than in XYZZ (7 multiplications, not 9), and these
// chains are nearly all doublings. Formula: EFD, shortw/jacobian-0, dbl-2009-l. Right for infinity (Z = 0)
// too; neither curve has points of order two.
template <class F>
struct Jacobian {
  F x, y, z;

  Jacobian doubled() const {
    F a = x.square(), b = y.square(), c = b.square();
    F d = ((x + b).square() - a - c).doubled(), e = a.doubled() + a;
    F x3 = e.square() - d.doubled();
    return {x3, e * (d - x3) - c.doubled().doubled().doubled(), (y * z).doubled()};
  }
  // With Z = ZZ: X/ZZ = X·ZZ/Z² and Y/ZZZ = Y·ZZZ/Z³, because ZZ³ = ZZZ².
  static Jacobian from_xyzz(const Xyzz<F>& p) { return {p.x * p.zz, p.y * p.zzz, p.zz}; }
  Xyzz<F> to_xyzz() const {
    F zz = z.square();
    return {x, y, zz, zz * z};
  }
};

// |z|·P: five additions in 63 doublings.
template <class F>
Xyzz<F> times_abs_z(const Xyzz<F>& point) {
  Xyzz<F> sum = point;
  for (size_t bit = 63; bit > 0;) {
    auto run = Jacobian<F>::from_xyzz(sum);
    do {
      run = run.doubled();
      --bit;
    } while (bit > 0 && (kCurveX >> bit & 1) == 0);
    sum = run.to_xyzz();
    if ((kCurveX >> bit & 1) != 0) sum += point;
  }
  return sum;
}

// Whether the sum is this finite affine point.
template <class F>
bool equals(const Xyzz<F>& sum, const Affine<F>& point) {
  return !sum.is_infinity() && sum.x == point.x * sum.zz && sum.y == point.y * sum.zzz;
}

}  // namespace

bool is_in_subgroup(const G1Affine& point) {
  if (point.is_infinity()) return true;
  auto z_squared = times_abs_z(times_abs_z(G1Xyzz::from_affine(point)));
  return equals(z_squared, -phi(phi(point)));
}

bool is_in_subgroup(const G2Affine& point) {
  if (point.is_infinity()) return true;
  return equals(times_abs_z(G2Xyzz::from_affine(point)), -psi(point));
}

namespace detail {

template <class G>
bool passes(const BucketTest& test, std::span<const typename G::Point> points, RandomSource& random) {
  const size_t side = size_t{1} << test.bits;
  std::vector<typename G::Sum> grid(side * side), sums(2 * side);
  uint16_t cells[512];
  for (size_t pass = 0; pass < test.passes; ++pass) {
    std::fill(grid.begin(), grid.end(), G::Sum::infinity());
    std::fill(sums.begin(), sums.end(), G::Sum::infinity());
    for (size_t i = 0; i < points.size(); ++i) {
      const size_t at = i % std::size(cells);
      if (at == 0) random.fill(MutableBytes(reinterpret_cast<uint8_t*>(cells), sizeof cells));
      grid[cells[at] & (side * side - 1)] += points[i];
    }
    for (size_t cell = 0; cell < grid.size(); ++cell) {
      sums[cell / side] += grid[cell];
      sums[side + cell % side] += grid[cell];
    }
    for (const auto& sum : batch_to_affine<typename G::Field>(sums))
      if (!is_in_subgroup(sum)) return false;
  }
  return true;
}

template bool passes<G1>(const BucketTest&, std::span<const G1Affine>, RandomSource&);
template bool passes<G2>(const BucketTest&, std::span<const G2Affine>, RandomSource&);

}  // namespace detail

namespace {

constexpr size_t kErrorBits = 80, kMaxGridBits = 7;

// The cheapest test of so many points, counted in mixed additions (an addition of two sums is 1.4 of them);
// passes = 0 when it is cheapest to test them one by one.
template <class G>
detail::BucketTest choose_test(size_t points) {
  constexpr size_t kOne = std::is_same_v<G, G1> ? 100 : 70;  // is_in_subgroup, measured
  detail::BucketTest best{0, 0};
  size_t least = points * kOne;
  for (size_t bits = 1; bits <= kMaxGridBits; ++bits) {
    const size_t side = size_t{1} << bits;
    const size_t passes = (kErrorBits + 2 * bits - 1) / (2 * bits);
    const size_t cost = passes * (points + 3 * side * side + 2 * side * kOne);
    if (cost >= least) continue;
    least = cost;
    best = {bits, passes};
  }
  return best;
}

template <class Point>
std::optional<size_t> first_outside_one_by_one(std::span<const Point> points) {
  for (size_t i = 0; i < points.size(); ++i)
    if (!is_in_subgroup(points[i])) return i;
  return std::nullopt;
}

template <class G>
std::optional<size_t> first_outside(std::span<const typename G::Point> points, RandomSource& random) {
  const detail::BucketTest test = choose_test<G>(points.size());
  if (test.passes == 0) return first_outside_one_by_one(points);
  if (detail::passes<G>(test, points, random)) return std::nullopt;
  const size_t half = points.size() / 2;
  if (auto found = first_outside<G>(points.first(half), random)) return found;
  if (auto found = first_outside<G>(points.subspan(half), random)) return half + *found;
  return first_outside_one_by_one(points);  // one of the halves was mistaken for good
}

}  // namespace

std::optional<size_t> first_outside_subgroup(std::span<const G1Affine> points, RandomSource& random) {
  return first_outside<G1>(points, random);
}
std::optional<size_t> first_outside_subgroup(std::span<const G2Affine> points, RandomSource& random) {
  return first_outside<G2>(points, random);
}

}  // namespace cuzk
