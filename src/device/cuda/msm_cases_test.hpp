// Cases of the card's multi-scalar multiplication against the definition, for msm_test.cpp and
// msm_slow_test.cpp.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "device/cuda/msm.hpp"
#include "device/cuda/msm_combine.hpp"
#include "msm/msm.hpp"

namespace cuzk::gpu::cases {

template <class G>
std::vector<typename G::Point> some_points(size_t count) {
  std::vector<typename G::Sum> sums(count);
  TestRandom random(11);
  typename G::Sum step = G::Sum::from_affine(G::generator()) * Fr::random(random);
  typename G::Sum p = step;
  for (auto& s : sums) {
    s = p;
    p = p + step + G::generator();
  }
  return batch_to_affine<typename G::Field>(sums);
}

template <class G>
typename G::Point naive(const std::vector<typename G::Point>& points, const std::vector<Fr>& scalars) {
  auto sum = G::Sum::infinity();
  for (size_t i = 0; i < scalars.size(); ++i) {
    if (!scalars[i].is_zero()) sum += G::Sum::from_affine(points[i]) * scalars[i];
  }
  return sum.to_affine();
}

template <class G>
Result<typename G::Point> on_card(const std::vector<typename G::Point>& points,
                                  const std::vector<Fr>& scalars, const MsmTuning& tuning) {
  CUZK_ASSIGN(auto stream, Stream::create());
  CUZK_ASSIGN(auto plan, plan_msm(points.size(), std::is_same_v<G, G2>, tuning, 4));
  CUZK_ASSIGN(auto workspace, DeviceMemory::allocate(plan.device_bytes));
  CUZK_ASSIGN(auto pinned, PinnedMemory::allocate(plan.pinned_bytes));
  size_t point_bytes = points.size() * sizeof(typename G::Point), scalar_bytes = scalars.size() * sizeof(Fr);
  CUZK_ASSIGN(auto device_points, DeviceMemory::allocate(point_bytes));
  CUZK_ASSIGN(auto device_scalars, DeviceMemory::allocate(scalar_bytes));
  CUZK_TRY(stream.to_device(device_points.get(), points.data(), point_bytes));
  CUZK_TRY(stream.to_device(device_scalars.get(), scalars.data(), scalar_bytes));
  CUZK_ASSIGN(
      auto parts,
      run_msm(stream, plan, workspace.get(), pinned.get(),
              {.points = device_points.get(), .scalars = device_scalars.get(), .count = scalars.size()}));
  return combine_msm<G>(parts).to_affine();
}

template <class G>
void expect_msm(const std::vector<typename G::Point>& points, const std::vector<Fr>& scalars,
                const MsmTuning& tuning, const char* what) {
  auto got = on_card<G>(points, scalars, tuning);
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_TRUE(*got == naive<G>(points, scalars))
      << what << " n=" << points.size() << " windows=" << tuning.windows << " rounds=" << tuning.rounds
      << " group=" << tuning.group_entries << " split=" << tuning.split;
}

inline std::vector<MsmTuning> tunings(size_t n, bool few = false) {
  std::vector<MsmTuning> out;
  if (few) return {{51, 2, size_t{1} << 20, true}};
  for (bool split : {false, true}) {
    for (uint32_t rounds : {0, 1, 3}) out.push_back({37, rounds, size_t{1} << 20, split});
  }
  out.push_back({51, 2, 1, true});           // one window at a time
  out.push_back({29, 2, 5 * n + 1, false});  // groups of unequal size
  return out;
}

template <class G>
void check_sizes(std::initializer_list<size_t> sizes) {
  TestRandom random(5);
  auto all = some_points<G>(*(sizes.end() - 1));
  for (size_t n : sizes) {
    std::vector<typename G::Point> points(all.begin(), all.begin() + static_cast<long>(n));
    std::vector<Fr> scalars(n);
    for (auto& s : scalars) s = Fr::random(random);
    for (const auto& t : tunings(n)) expect_msm<G>(points, scalars, t, "random");
  }
}

// Scalars and bases that the formulas and the sorting must not trip over.
template <class G>
void check_edges(size_t n, bool few = false) {
  using Point = typename G::Point;
  TestRandom random(6);
  auto points = some_points<G>(n);
  std::vector<Fr> scalars(n);
  for (const auto& t : tunings(n, few)) {
    for (auto& s : scalars) s = Fr::zero();
    expect_msm<G>(points, scalars, t, "zeros");
    for (auto& s : scalars) s = Fr::one();
    expect_msm<G>(points, scalars, t, "ones");
    for (auto& s : scalars) s = -Fr::one();
    expect_msm<G>(points, scalars, t, "minus ones");
    Fr same = Fr::random(random);
    for (auto& s : scalars) s = same;
    expect_msm<G>(points, scalars, t, "one scalar: a bucket for all");
    for (size_t i = 0; i < n; ++i) scalars[i] = i % 50 == 0 ? Fr::random(random) : Fr::from_u64(i % 2);
    expect_msm<G>(points, scalars, t, "mostly bits");
    // Powers of two and their neighbours: digits at the ends of their ranges, carries through all windows.
    for (size_t i = 0; i < n; ++i) {
      Fr power = Fr::from_u64(2).pow(3 * i % 255);
      scalars[i] = i % 3 == 0 ? power : i % 3 == 1 ? power - Fr::one() : -power;
    }
    expect_msm<G>(points, scalars, t, "powers of two");
    for (auto& s : scalars) s = Fr::random(random);
    auto odd = points;
    odd.front() = odd.back() = odd[n / 2] = Point::infinity();
    expect_msm<G>(odd, scalars, t, "some infinities");
    for (auto& p : odd) p = Point::infinity();
    expect_msm<G>(odd, scalars, t, "all infinities");
    // Equal and opposite points in one bucket: doublings and cancellations in every kind of addition.
    for (size_t i = 0; i < n; ++i) odd[i] = i % 3 == 2 ? -points[i / 5] : points[i / 5];
    for (size_t i = 0; i < n; ++i) scalars[i] = Fr::from_u64(5 + i / 10);
    expect_msm<G>(odd, scalars, t, "equal and opposite points");
  }
}

}  // namespace cuzk::gpu::cases
