#include "groth16/group_dft.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "base/check.hpp"
#include "curve/glv.hpp"

namespace cuzk {
namespace {

// Signed digits of a scalar below 2^127, odd or zero, below 2^(kWindow - 1) in magnitude, mostly zero
// (width-w non-adjacent form).
constexpr int kWindow = 5;
constexpr size_t kTable = size_t{1} << (kWindow - 2);  // 1, 3, 5 … 15 times the point
constexpr size_t kDigits = 129;

struct Digits {
  std::array<int8_t, kDigits> digit{};
  size_t count = 0;
};

Digits recode(const HalfScalar& scalar) {
  Digits out;
  uint128_t rest = static_cast<uint128_t>(scalar.magnitude.limb[1]) << 64 | scalar.magnitude.limb[0];
  for (size_t i = 0; rest != 0; ++i, rest >>= 1) {
    if ((rest & 1) == 0) continue;
    int digit = static_cast<int>(rest & ((1u << kWindow) - 1));
    if (digit >= 1 << (kWindow - 1)) digit -= 1 << kWindow;
    rest -= static_cast<uint128_t>(static_cast<__int128>(digit));
    out.digit[i] = static_cast<int8_t>(scalar.negative ? -digit : digit);
    out.count = i + 1;
  }
  return out;
}

void add_digit(G1Xyzz& sum, const std::array<G1Xyzz, kTable>& table, int digit) {
  if (digit > 0) sum += table[static_cast<size_t>(digit / 2)];
  if (digit < 0) sum += -table[static_cast<size_t>(-digit / 2)];
}

size_t reversed_bits(size_t index, size_t bits) {
  size_t out = 0;
  for (size_t i = 0; i < bits; ++i) out |= (index >> i & 1) << (bits - 1 - i);
  return out;
}

// 1, root, root² …: count of them.
std::vector<Fr> powers(const Fr& root, size_t count) {
  std::vector<Fr> out(count);
  Fr power = Fr::one();
  for (Fr& value : out) {
    value = power;
    power *= root;
  }
  return out;
}

// Multiplications a task: one is tens of microseconds, handing out a task is one or two.
constexpr size_t kGrain = 4;

}  // namespace

G1Xyzz multiply_subgroup_point(const G1Xyzz& point, const Fr& scalar) {
  const auto halves = decompose_g1(scalar.to_canonical());
  const Digits low = recode(halves[0]), high = recode(halves[1]);
  std::array<G1Xyzz, kTable> table, phi_table;
  const G1Xyzz twice = point.doubled();
  table[0] = point;
  for (size_t i = 1; i < kTable; ++i) table[i] = table[i - 1] + twice;
  for (size_t i = 0; i < kTable; ++i) {
    phi_table[i] = table[i];
    phi_table[i].x *= kG1Beta;
  }
  G1Xyzz sum = G1Xyzz::infinity();
  for (size_t i = std::max(low.count, high.count); i-- > 0;) {
    sum = sum.doubled();
    add_digit(sum, table, low.digit[i]);
    add_digit(sum, phi_table, high.digit[i]);
  }
  return sum;
}

void group_dft(std::span<G1Xyzz> values, DomainRoot root, Executor& executor) {
  const size_t n = values.size();
  CUZK_CHECK(std::has_single_bit(n));
  const auto log2_n = static_cast<size_t>(std::countr_zero(n));
  CUZK_CHECK(log2_n <= kFrTwoAdicity);
  for (size_t i = 0; i < n; ++i) {
    const size_t j = reversed_bits(i, log2_n);
    if (i < j) std::swap(values[i], values[j]);
  }
  const std::vector<Fr> roots = powers(fr_root_of_unity(log2_n, root), n / 2);
  for (size_t half = 1; half < n; half *= 2) {
    parallel_ranges(executor, n / 2, kGrain, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) {
        const size_t k = i % half, low = (i - k) * 2 + k;
        const G1Xyzz even = values[low];
        const G1Xyzz odd = k == 0 ? values[low + half]
                                  : multiply_subgroup_point(values[low + half], roots[k * (n / 2 / half)]);
        values[low] = even + odd;
        values[low + half] = even - odd;
      }
    });
  }
}

std::vector<G1Affine> coefficient_bases(std::span<const G1Affine> odd_lagrange, DomainRoot root,
                                        Executor& executor) {
  const size_t n = odd_lagrange.size();
  CUZK_CHECK(std::has_single_bit(n) && n < size_t{1} << kFrTwoAdicity);
  std::vector<G1Xyzz> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = G1Xyzz::from_affine(odd_lagrange[i]);
  group_dft(values, root, executor);
  values.pop_back();
  const Fr omega = fr_root_of_unity(static_cast<size_t>(std::countr_zero(n)) + 1, root);
  const Fr minus_two = -Fr::from_u64(2);
  parallel_ranges(executor, values.size(), kGrain, [&](size_t begin, size_t end) {
    Fr factor = minus_two * omega.pow(begin);
    for (size_t j = begin; j < end; ++j, factor *= omega)
      values[j] = multiply_subgroup_point(values[j], factor);
  });
  return batch_to_affine<Fp>(values);
}

}  // namespace cuzk
