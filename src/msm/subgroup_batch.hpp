// Membership of the subgroups of order r, of many points at once.
#pragma once

#include <optional>
#include <span>

#include "base/random.hpp"
#include "curve/point.hpp"

namespace cuzk {

// Index of the first point outside the subgroup, if there is one. Every point must be on the curve or
// infinity. Costs about nine batched additions a point when there are a hundred thousand (is_in_subgroup: 140
// to 250), more for fewer; few are tested one by one. Memory: 8 bytes a point and some MiB. One thread.
//
// Each point is added to a random one of B buckets, and the sums of the buckets are tested; that is a round.
// A set with a point P outside passes a round with probability 1/B at the most: fix the buckets of all other
// points, and let S_1 … S_B be their sums without P. If P goes to bucket j and the round passes, S_i is in
// the subgroup for all i ≠ j, and S_j is not, for then P = (S_j + P) - S_j would be. This holds for one j at
// the most, and P goes there with probability 1/B. The order of P does not matter: it may be three. Rounds
// are independent, and k of them have B^k ≥ 2^80. So a set that holds a point outside is taken for good with
// probability 2^-80 at the most, whatever the points, as long as who chose them could not know what `random`
// gives: SystemRandom, but for tests. A set that is good is never refused. The index comes from tests of
// halves, so with the same small probability it is not the first; the point that it names is always outside.
//
// Sources: the bucket test of Bellare, Garay, Rabin, "Fast batch verification for modular exponentiation and
// digital signatures", Eurocrypt 1998, without its exponents, which small orders would defeat. Another way,
// by pairings: Koshelev, El Housni, "Batch subgroup membership testing on pairing-friendly curves".
template <class G>
std::optional<size_t> first_outside_subgroup(std::span<const typename G::Point> points, RandomSource& random);

extern template std::optional<size_t> first_outside_subgroup<G1>(std::span<const G1Affine>, RandomSource&);
extern template std::optional<size_t> first_outside_subgroup<G2>(std::span<const G2Affine>, RandomSource&);

namespace detail {

// A pass makes two rounds of 2^bits buckets with one addition a point: the point goes to a random cell of a
// square grid, and then the rows are the buckets of one round and the columns those of the other (row and
// column of a cell are independent).
struct BucketTest {
  size_t bits, passes;  // bits: 1 to 7
};

// Whether the sums of all buckets are in the subgroup.
template <class G>
bool passes(const BucketTest& test, std::span<const typename G::Point> points, RandomSource& random);

extern template bool passes<G1>(const BucketTest&, std::span<const G1Affine>, RandomSource&);
extern template bool passes<G2>(const BucketTest&, std::span<const G2Affine>, RandomSource&);

}  // namespace detail
}  // namespace cuzk
