// Random satisfied circuits for tests.
#pragma once

#include <memory>
#include <vector>

#include "base/random.hpp"
#include "r1cs/r1cs.hpp"

namespace cuzk {

struct TestCircuit {
  std::shared_ptr<R1cs> circuit;
  std::vector<Fr> witness;

  std::span<const Fr> inputs() const { return std::span(witness).subspan(1, circuit->num_inputs - 1); }
};

// Every variable occurs in A of some constraint, a third of them in B. Values are wide, but for every fourth,
// which is 0 or 1. num_constraints may be 0 only when num_aux is.
inline TestCircuit random_circuit(size_t num_inputs, size_t num_aux, size_t num_constraints, uint64_t seed) {
  TestRandom random(seed);
  auto circuit = std::make_shared<R1cs>();
  circuit->num_inputs = num_inputs;
  circuit->num_aux = num_aux;
  const size_t variables = num_inputs + num_aux;
  std::vector<Fr> w(variables);
  for (size_t v = 0; v < variables; ++v)
    w[v] = v % 4 == 1 ? Fr::from_u64(random.next() & 1) : Fr::random(random);
  w[0] = Fr::one();

  for (size_t i = 0; i < num_constraints; ++i) {
    R1cs::Combination a, b, c;
    Fr at = Fr::zero(), bt = Fr::zero();
    auto add = [&](R1cs::Combination& side, Fr& value, size_t v, const Fr& coefficient) {
      side.emplace_back(static_cast<uint32_t>(v), coefficient);
      value += coefficient * w[v];
    };
    for (size_t v = i; v < variables; v += num_constraints) {
      add(a, at, v, v % 5 == 0 ? Fr::one() : Fr::random(random));
      if (v % 3 == 0) add(b, bt, v, v % 2 == 0 ? Fr::from_i64(-8) : Fr::random(random));
    }
    // C is one term that makes the constraint true: a variable that is not zero, or the constant one.
    size_t v = random.next() % variables;
    if (w[v].is_zero()) v = 0;
    c.emplace_back(static_cast<uint32_t>(v), at * bt * w[v].inverse());
    circuit->add_constraint(a, b, c);
  }
  return {circuit, std::move(w)};
}

}  // namespace cuzk
