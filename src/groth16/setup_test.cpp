// Keys against their definition, and what setup refuses.
#include "groth16/setup.hpp"

#include <gtest/gtest.h>

#include "groth16/circuits_test.hpp"

namespace cuzk {
namespace {

// L_i(x) over the n points root^i, by the product formula.
Fr lagrange(size_t i, size_t n, const Fr& root, const Fr& x) {
  Fr value = Fr::one();
  for (size_t k = 0; k < n; ++k) {
    if (k == i) continue;
    const Fr point = root.pow(k);
    value *= (x - point) * (root.pow(i) - point).inverse();
  }
  return value;
}

size_t log2_of(size_t n) {
  size_t k = 0;
  while ((size_t{1} << k) < n) ++k;
  return k;
}

// Polynomials of variable v at tau, from the rows with key generation's added ones.
struct Column {
  Fr a = Fr::zero(), b = Fr::zero(), c = Fr::zero();
};
std::vector<Column> columns(const R1cs& circuit, const Fr& tau, DomainRoot which) {
  const size_t n = domain_size_of(circuit);
  const Fr root = fr_root_of_unity(log2_of(n), which);
  std::vector<Column> out(circuit.num_variables());
  for (size_t i = 0; i < circuit.num_constraints(); ++i) {
    const Fr l = lagrange(i, n, root, tau);
    for (const Term& t : circuit.a.row(i)) out[t.variable].a += l * circuit.coefficients[t.coefficient];
    for (const Term& t : circuit.b.row(i)) out[t.variable].b += l * circuit.coefficients[t.coefficient];
    for (const Term& t : circuit.c.row(i)) out[t.variable].c += l * circuit.coefficients[t.coefficient];
  }
  for (size_t i = 0; i < circuit.num_inputs; ++i)
    out[i].a += lagrange(circuit.num_constraints() + i, n, root, tau);
  return out;
}

template <class G>
typename G::Point times_generator(const Fr& scalar) {
  return (G::Sum::from_affine(G::generator()) * scalar).to_affine();
}

template <class G>
std::vector<typename G::Point> points_of(const PointSource<G>& source) {
  std::vector<typename G::Point> out(source.size());
  EXPECT_TRUE(source.load(0, out));
  return out;
}

SetupSecrets test_secrets() {
  TestRandom random(11);
  return SetupSecrets::random(random);
}

void check_against_definition(const R1cs& circuit, KeyForm form) {
  ThreadPool executor(2);
  const SetupSecrets s = test_secrets();
  auto made = setup(circuit, s, form, executor);
  ASSERT_TRUE(made) << made.error().message;
  const ProvingKey& key = *made;
  const size_t n = domain_size_of(circuit);
  EXPECT_EQ(key.domain_size(), n);
  EXPECT_EQ(key.vk.alpha_g1, times_generator<G1>(s.alpha));
  EXPECT_EQ(key.vk.beta_g1, times_generator<G1>(s.beta));
  EXPECT_EQ(key.vk.beta_g2, times_generator<G2>(s.beta));
  EXPECT_EQ(key.vk.gamma_g2, times_generator<G2>(s.gamma));
  EXPECT_EQ(key.vk.delta_g1, times_generator<G1>(s.delta));
  EXPECT_EQ(key.vk.delta_g2, times_generator<G2>(s.delta));

  std::vector<G1Affine> ic, l, a, b_g1, h;
  std::vector<G2Affine> b_g2;
  const auto all = columns(circuit, s.tau, form.domain_root);
  const bool every = form.layout == QueryLayout::kEveryVariable;
  for (size_t v = 0; v < all.size(); ++v) {
    const Fr ext = s.beta * all[v].a + s.alpha * all[v].b + all[v].c;
    if (v < circuit.num_inputs) {
      ic.push_back(times_generator<G1>(ext * s.gamma.inverse()));
    } else {
      l.push_back(times_generator<G1>(ext * s.delta.inverse()));
    }
    if (every || !all[v].a.is_zero()) a.push_back(times_generator<G1>(all[v].a));
    if (every || !all[v].b.is_zero()) {
      b_g1.push_back(times_generator<G1>(all[v].b));
      b_g2.push_back(times_generator<G2>(all[v].b));
    }
  }
  const Fr over_delta = s.delta.inverse();
  if (form.quotient_basis == QuotientBasis::kCoefficients) {
    const Fr vanishing = s.tau.pow(n) - Fr::one();
    for (size_t j = 0; j + 1 < n; ++j)
      h.push_back(times_generator<G1>(s.tau.pow(j) * vanishing * over_delta));
  } else {
    const Fr root = fr_root_of_unity(log2_of(2 * n), form.domain_root);
    for (size_t i = 0; i < n; ++i)
      h.push_back(times_generator<G1>(lagrange(2 * i + 1, 2 * n, root, s.tau) * over_delta));
  }
  EXPECT_EQ(key.vk.ic, ic);
  EXPECT_EQ(points_of(*key.h), h);
  EXPECT_EQ(points_of(*key.l), l);
  EXPECT_EQ(points_of(*key.a), a);
  EXPECT_EQ(points_of(*key.b_g1), b_g1);
  EXPECT_EQ(points_of(*key.b_g2), b_g2);
}

TEST(Setup, KeysAreWhatTheirDefinitionSays) {
  for (KeyForm form : {kBellmanForm, kSnarkjsForm}) {
    check_against_definition(*random_circuit(1, 0, 0, 1).circuit, form);
    check_against_definition(*random_circuit(2, 3, 4, 2).circuit, form);
    check_against_definition(*random_circuit(3, 12, 9, 3).circuit, form);
  }
}

TEST(Setup, UnusedVariableIsRefusedByNameInBellmansFormOnly) {
  InlineExecutor executor;
  TestCircuit test = random_circuit(2, 6, 5, 4);
  test.circuit->num_aux = 8;
  auto key = setup(*test.circuit, test_secrets(), kBellmanForm, executor);
  ASSERT_FALSE(key);
  EXPECT_EQ(key.error().code, ErrorCode::kInvalidInput);
  EXPECT_NE(key.error().message.find("wire 8 (auxiliary 6)"), std::string::npos) << key.error().message;
  check_against_definition(*test.circuit, kSnarkjsForm);
}

TEST(Setup, BadSecretsAreRefused) {
  InlineExecutor executor;
  const TestCircuit test = random_circuit(2, 6, 5, 4);
  auto message = [&](const SetupSecrets& secrets) {
    auto key = setup(*test.circuit, secrets, kBellmanForm, executor);
    return key ? std::string() : key.error().message;
  };
  SetupSecrets secrets = test_secrets();
  secrets.gamma = Fr::zero();
  EXPECT_NE(message(secrets).find("gamma is zero"), std::string::npos);
  secrets = test_secrets();
  secrets.tau = fr_root_of_unity(3).pow(5);
  EXPECT_NE(message(secrets).find("tau is a point of the evaluation domain"), std::string::npos);
  EXPECT_EQ(message(test_secrets()), "");
}

TEST(Setup, TheSinksErrorStopsIt) {
  class Full final : public KeySink {
    Status begin(const VerifyingKey&, const KeyCounts&) override { return {}; }
    Status append(KeySection section, std::span<const G1Affine>) override {
      if (section != KeySection::kL) return {};
      return fail(ErrorCode::kResourceExhausted, "disk full");
    }
    Status append_b_g2(std::span<const G2Affine>) override {
      ADD_FAILURE() << "went on after an error";
      return {};
    }
  } sink;
  InlineExecutor executor;
  auto status = setup(*random_circuit(2, 6, 5, 4).circuit, test_secrets(), kBellmanForm, sink, executor);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message, "disk full");
}

}  // namespace
}  // namespace cuzk
