// Cases of the card's multi-scalar multiplication against the definition, for msm_test.cpp and
// msm_slow_test.cpp.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <tuple>
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

// Device memory with a copy of these values.
template <class T, class Allocator>
Result<DeviceMemory> copied(Stream& stream, const std::vector<T, Allocator>& values) {
  CUZK_ASSIGN(auto memory, DeviceMemory::allocate(values.size() * sizeof(T)));
  CUZK_TRY(stream.to_device(memory.get(), values.data(), values.size() * sizeof(T)));
  CUZK_TRY(stream.wait());
  return memory;
}

template <class G>
Result<typename G::Point> on_card(const std::vector<typename G::Point>& points,
                                  const std::vector<Fr>& scalars, MsmTuning tuning) {
  constexpr bool kG2 = std::is_same_v<G, G2>;
  tuning.g2_rounds = tuning.rounds;
  CUZK_ASSIGN(auto stream, Stream::create());
  CUZK_ASSIGN(auto plan, plan_msm(points.size(), {.g1 = !kG2, .g2 = kG2}, tuning, 4));
  CUZK_ASSIGN(auto workspace, DeviceMemory::allocate(plan.device_bytes));
  CUZK_ASSIGN(auto pinned, PinnedMemory::allocate(plan.pinned_bytes));
  CUZK_ASSIGN(auto device_points, copied(stream, points));
  CUZK_ASSIGN(auto device_scalars, copied(stream, scalars));
  const MsmBases set{.points = device_points.get(), .g2 = kG2};
  CUZK_ASSIGN(auto parts, run_msm(stream, plan, workspace.get(), pinned.get(),
                                  {.values = device_scalars.get(), .count = scalars.size()}, {&set, 1}));
  return combine_msm<G>(parts.front()).to_affine();
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

// A part of 0 … n - 1, with marks and counts as MsmBases has them.
struct Part {
  std::vector<uint32_t> members, marks, before;
  Part(size_t n, size_t step) : marks(n / 32 + 1), before(n / 32 + 1) {
    for (size_t i = 0; i < n; ++i) {
      if (i % 32 == 0) before[i / 32] = static_cast<uint32_t>(members.size());
      if (i % step == step - 1) continue;
      marks[i / 32] |= uint32_t{1} << (i % 32);
      members.push_back(static_cast<uint32_t>(i));
    }
  }
};

// A compact witness of these values, those that are 0 or 1 as bits, every fifth of them wide all the same.
struct Packed {
  std::vector<uint32_t> marks, before, bits;
  std::vector<Fr> wide;
  explicit Packed(const std::vector<Fr>& values)
      : marks(values.size() / 32 + 1), before(values.size() / 32 + 1) {
    uint32_t count = 0;
    for (size_t i = 0; i < values.size(); ++i) {
      if (i % 32 == 0) before[i / 32] = count;
      if ((values[i].is_zero() || values[i].is_one()) && i % 5 != 0) {
        marks[i / 32] |= uint32_t{1} << (i % 32);
        if (count % 32 == 0) bits.push_back(0);
        if (values[i].is_one()) bits[count / 32] |= uint32_t{1} << (count % 32);
        ++count;
      } else {
        wide.push_back(values[i]);
      }
    }
  }
};

// One vector of scalars over four sets in one call: G1 with a point for each scalar, G1, G1 and G2 with
// points for a part; from scalar `first` on; the scalars in full or compact.
inline void check_shared(size_t n, size_t first, const std::vector<Fr>& scalars, bool compact,
                         const MsmTuning& tuning) {
  const auto g1 = some_points<G1>(n);
  const Part most(n, 7), half(n, 2);
  const auto g1_most = some_points<G1>(most.members.size());
  const auto g1_half = some_points<G1>(half.members.size());
  const auto g2_half = some_points<G2>(half.members.size());
  const Packed packed(scalars);
  auto run = [&]() -> Result<std::tuple<G1Affine, G1Affine, G1Affine, G2Affine>> {
    CUZK_ASSIGN(auto stream, Stream::create());
    CUZK_ASSIGN(auto plan,
                plan_msm(n - first, {.g1 = true, .g2 = true, .subsets = true, .count = 4}, tuning, 4));
    CUZK_ASSIGN(auto workspace, DeviceMemory::allocate(plan.device_bytes));
    CUZK_ASSIGN(auto pinned, PinnedMemory::allocate(plan.pinned_bytes));
    CUZK_ASSIGN(auto d_g1, copied(stream, g1));
    CUZK_ASSIGN(auto d_g1_most, copied(stream, g1_most));
    CUZK_ASSIGN(auto d_g1_half, copied(stream, g1_half));
    CUZK_ASSIGN(auto d_g2_half, copied(stream, g2_half));
    auto words = [](const DeviceMemory& m) { return reinterpret_cast<const uint32_t*>(m.get()); };
    CUZK_ASSIGN(auto most_marks, copied(stream, most.marks));
    CUZK_ASSIGN(auto most_before, copied(stream, most.before));
    CUZK_ASSIGN(auto half_marks, copied(stream, half.marks));
    CUZK_ASSIGN(auto half_before, copied(stream, half.before));
    CUZK_ASSIGN(auto values, copied(stream, scalars));
    CUZK_ASSIGN(auto bit_marks, copied(stream, packed.marks));
    CUZK_ASSIGN(auto bits_before, copied(stream, packed.before));
    CUZK_ASSIGN(auto bits, copied(stream, packed.bits));
    CUZK_ASSIGN(auto wide, copied(stream, packed.wide));
    const DeviceCompact on_card{words(bit_marks), words(bits_before), words(bits), wide.get(), n};
    MsmScalars from{.count = n - first};
    if (compact) {
      from.compact = &on_card;
      from.first = first;
    } else {
      from.values = values.get() + first * sizeof(Fr);
    }
    auto part = [&](const DeviceMemory& points, bool g2, const DeviceMemory& marks,
                    const DeviceMemory& before, const Part& of) {
      const uint32_t skipped = of.before[first / 32];
      const size_t bytes = g2 ? sizeof(G2Affine) : sizeof(G1Affine);
      return MsmBases{points.get() + skipped * bytes, g2, words(marks) + first / 32,
                      words(before) + first / 32, skipped};
    };
    const MsmBases sets[] = {{.points = d_g1.get() + first * sizeof(G1Affine)},
                             part(d_g1_most, false, most_marks, most_before, most),
                             part(d_g1_half, false, half_marks, half_before, half),
                             part(d_g2_half, true, half_marks, half_before, half)};
    CUZK_ASSIGN(auto parts, run_msm(stream, plan, workspace.get(), pinned.get(), from, sets));
    return std::tuple(combine_msm<G1>(parts[0]).to_affine(), combine_msm<G1>(parts[1]).to_affine(),
                      combine_msm<G1>(parts[2]).to_affine(), combine_msm<G2>(parts[3]).to_affine());
  };
  auto got = run();
  ASSERT_TRUE(got.has_value()) << got.error().message;
  auto selected = [&](const std::vector<uint32_t>& members) {
    std::vector<Fr> out;
    for (uint32_t m : members) out.push_back(m < first ? Fr::zero() : scalars[m]);
    return out;
  };
  std::vector<Fr> from_first = scalars;
  std::fill_n(from_first.begin(), first, Fr::zero());
  EXPECT_TRUE(std::get<0>(*got) == naive<G1>(g1, from_first)) << n << " all";
  EXPECT_TRUE(std::get<1>(*got) == naive<G1>(g1_most, selected(most.members))) << n << " most";
  EXPECT_TRUE(std::get<2>(*got) == naive<G1>(g1_half, selected(half.members))) << n << " half, G1";
  EXPECT_TRUE(std::get<3>(*got) == naive<G2>(g2_half, selected(half.members))) << n << " half";
}

}  // namespace cuzk::gpu::cases
