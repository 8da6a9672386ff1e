// Points for tests of sums.
#pragma once

#include <vector>

#include "curve/point.hpp"

namespace cuzk {

// n distinct points: an arithmetic progression with a random start and step.
template <class G>
std::vector<typename G::Point> random_points(TestRandom& random, size_t n) {
  auto generator = G::Sum::from_affine(G::generator());
  auto step = (generator * Fr::random(random)).to_affine();
  std::vector<typename G::Sum> sums(n);
  auto sum = generator * Fr::random(random);
  for (auto& s : sums) s = sum, sum += step;
  return batch_to_affine<typename G::Field>(sums);
}

}  // namespace cuzk
