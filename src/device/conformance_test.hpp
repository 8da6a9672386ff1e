// The operations that every device must do, compared with plain definitions: included by the test of each
// device.
#pragma once

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "device/device.hpp"

namespace cuzk::conformance {

inline std::vector<Fr> random_values(size_t n, TestRandom& random) {
  std::vector<Fr> out(n);
  for (Fr& v : out) v = Fr::random(random);
  return out;
}

inline Fr evaluate_polynomial(std::span<const Fr> coefficients, const Fr& x) {
  Fr value = Fr::zero();
  for (size_t i = coefficients.size(); i-- > 0;) value = value * x + coefficients[i];
  return value;
}

// Coefficients of the polynomial with these values on the domain, by the definition of the inverse transform.
inline std::vector<Fr> interpolate(std::span<const Fr> values, size_t log2_size, DomainRoot which) {
  const Fr root = fr_root_of_unity(log2_size, which).inverse(), scale = Fr::from_u64(values.size()).inverse();
  std::vector<Fr> out(values.size());
  for (size_t j = 0; j < out.size(); ++j) out[j] = evaluate_polynomial(values, root.pow(j)) * scale;
  return out;
}

// h·(xⁿ − 1) = a·b − c at a random point, and h has degree n − 2 at most; or the values at the odd points.
inline void check_quotient(DeviceOperations& device, size_t log2_size, DomainRoot which, TestRandom& random) {
  const size_t n = size_t{1} << log2_size;
  const std::vector<Fr> a = random_values(n, random), b = random_values(n, random);
  std::vector<Fr> c(n);
  for (size_t i = 0; i < n; ++i) c[i] = a[i] * b[i];
  const auto pa = interpolate(a, log2_size, which), pb = interpolate(b, log2_size, which),
             pc = interpolate(c, log2_size, which);
  auto difference = [&](const Fr& x) {
    return evaluate_polynomial(pa, x) * evaluate_polynomial(pb, x) - evaluate_polynomial(pc, x);
  };
  auto run = [&](QuotientBasis basis) {
    std::vector<Fr> a_copy = a, b_copy = b, out(n, Fr::from_u64(99));
    auto status = device.quotient(basis, which, a_copy, b_copy, out);
    EXPECT_TRUE(status) << status.error().message;
    return out;
  };
  const auto h = run(QuotientBasis::kCoefficients);
  const Fr x = Fr::random(random);
  EXPECT_EQ(evaluate_polynomial(h, x) * (x.pow(n) - Fr::one()), difference(x));
  EXPECT_TRUE(h[n - 1].is_zero());
  const auto odd = run(QuotientBasis::kOddLagrange);
  const Fr root = fr_root_of_unity(log2_size + 1, which);
  for (size_t i = 0; i < n; i += n / 8 + 1) EXPECT_EQ(odd[i], difference(root.pow(2 * i + 1)));
}

// Bases with infinity, repeated and opposite points among them.
template <class G>
std::vector<typename G::Point> test_bases(size_t n, TestRandom& random) {
  std::vector<typename G::Sum> sums(n);
  typename G::Sum step = G::Sum::from_affine(G::generator()) * Fr::random(random), sum = step;
  for (size_t i = 0; i < n; ++i) {
    switch (i % 7) {
      case 3:
        sums[i] = G::Sum::infinity();
        break;
      case 4:
        sums[i] = sums[i - 2];
        break;
      case 5:
        sums[i] = -sums[i - 3];
        break;
      default:
        sums[i] = sum += step;
    }
  }
  return batch_to_affine<typename G::Field>(sums);
}

// Every mixture of scalars that takes a path of its own.
inline std::vector<Fr> test_scalars(size_t n, int mixture, TestRandom& random) {
  std::vector<Fr> out(n);
  for (size_t i = 0; i < n; ++i) {
    const bool bit = (random.next() & 1) != 0;
    switch (mixture) {
      case 0:
        out[i] = Fr::random(random);
        break;
      case 1:
        out[i] = bit ? Fr::one() : Fr::zero();
        break;
      case 2:
        out[i] = Fr::zero();
        break;
      case 3:
        out[i] = -Fr::one();
        break;
      default:
        out[i] = i % 50 == 0 ? Fr::random(random) : bit ? Fr::one() : Fr::zero();
    }
  }
  return out;
}

template <class G>
typename G::Sum naive_sum(std::span<const typename G::Point> bases, std::span<const Fr> scalars) {
  auto sum = G::Sum::infinity();
  for (size_t i = 0; i < bases.size(); ++i) sum += G::Sum::from_affine(bases[i]) * scalars[i];
  return sum;
}

template <class G>
void check_sums(DeviceOperations& device, size_t n, TestRandom& random) {
  const auto bases = test_bases<G>(n, random);
  auto resident = device.load_bases(Bases<G>(std::make_shared<MemoryPoints<G>>(bases)));
  ASSERT_TRUE(resident);
  EXPECT_EQ((*resident)->size(), n);
  for (int mixture = 0; mixture < 5; ++mixture) {
    SCOPED_TRACE(mixture);
    const auto scalars = test_scalars(n, mixture, random);
    auto sum = device.msm(**resident, Scalars{scalars});
    ASSERT_TRUE(sum) << sum.error().message;
    EXPECT_EQ(*sum, naive_sum<G>(bases, scalars));
  }
  // Through a selection: base k takes value 3k.
  const auto values = random_values(3 * n, random);
  std::vector<uint32_t> select(n);
  std::vector<Fr> selected(n);
  for (size_t k = 0; k < n; ++k) select[k] = static_cast<uint32_t>(3 * k), selected[k] = values[3 * k];
  auto sum = device.msm(**resident, Scalars{values, select});
  ASSERT_TRUE(sum);
  EXPECT_EQ(*sum, naive_sum<G>(bases, selected));

  std::vector<uint32_t> bits((n + 31) / 32);
  for (size_t k = 0; k < n; ++k) {
    const uint32_t bit = random.next() & 1;
    bits[k / 32] |= bit << (k % 32);
    selected[k] = Fr::from_u64(bit);
  }
  sum = device.add_selected(**resident, bits);
  ASSERT_TRUE(sum);
  EXPECT_EQ(*sum, naive_sum<G>(bases, selected));
  if (n > 0) {
    EXPECT_FALSE(device.msm(**resident, Scalars{std::span<const Fr>(selected).first(n - 1)}));
    bits.push_back(0);
    EXPECT_FALSE(device.add_selected(**resident, bits));
  }
}

inline void check_evaluate(DeviceOperations& device, TestRandom& random) {
  auto circuit = std::make_shared<R1cs>();
  circuit->num_inputs = 3;
  circuit->num_aux = 20;
  const Fr coefficients[] = {Fr::one(), -Fr::one(), Fr::from_u64(8), Fr::from_i64(-1024), Fr::random(random)};
  for (size_t i = 0; i < 37; ++i) {
    R1cs::Combination a, b;
    for (size_t t = 0; t < i % 6; ++t) {
      a.emplace_back(random.next() % 23, coefficients[random.next() % 5]);
      b.emplace_back(random.next() % 23, coefficients[random.next() % 5]);
    }
    circuit->add_constraint(a, b, {});
  }
  std::vector<Fr> w = test_scalars(23, 4, random);
  w[0] = Fr::one();
  auto matrices = device.load_matrices(circuit);
  ASSERT_TRUE(matrices);
  const size_t n = 64;
  std::vector<Fr> expected_a(n, Fr::zero()), expected_b(n, Fr::zero());
  for (size_t i = 0; i < 37; ++i) {
    for (const Term& t : circuit->a.row(i))
      expected_a[i] += circuit->coefficients[t.coefficient] * w[t.variable];
    for (const Term& t : circuit->b.row(i))
      expected_b[i] += circuit->coefficients[t.coefficient] * w[t.variable];
  }
  for (size_t i = 0; i < 3; ++i) expected_a[37 + i] = w[i];

  WitnessShape shape(w.size());
  for (size_t v = 0; v < w.size(); ++v)
    if (v % 50 != 0) shape.mark_bit(v);
  shape.finish();
  auto packed = compact(shape, w);
  ASSERT_TRUE(packed);
  for (const WitnessInput& input :
       {WitnessInput(std::span<const Fr>(w)), WitnessInput(WitnessView(shape, *packed))}) {
    std::vector<Fr> a(n, Fr::from_u64(7)), b = a;
    ASSERT_TRUE(device.evaluate(**matrices, input, a, b));
    EXPECT_EQ(a, expected_a);
    EXPECT_EQ(b, expected_b);
  }
  std::vector<Fr> a(n), b(n);
  EXPECT_FALSE(device.evaluate(**matrices, std::span<const Fr>(w).first(22), a, b));
}

// The whole list.
inline void check_device(DeviceOperations& device) {
  TestRandom random(2024);
  check_evaluate(device, random);
  for (size_t log2_size = 0; log2_size <= 8; ++log2_size) {
    SCOPED_TRACE(log2_size);
    check_quotient(device, log2_size, DomainRoot::kBellman, random);
    check_quotient(device, log2_size, DomainRoot::kSnarkjs, random);
  }
  for (size_t n : {0, 1, 2, 31, 32, 33, 237}) {
    SCOPED_TRACE(n);
    check_sums<G1>(device, n, random);
    check_sums<G2>(device, n, random);
  }
}

}  // namespace cuzk::conformance
