#include "filecoin/circuit_size.hpp"

#include <algorithm>
#include <bit>
#include <string_view>

#include "base/bytes.hpp"
#include "base/check.hpp"

namespace cuzk {
namespace {

constexpr uint64_t kG1Bytes = 96, kG2Bytes = 192;

struct Row {
  std::string_view name;
  CircuitSize size;
  std::string_view digest;
};
constexpr Row kKnown[] = {
#include "filecoin/known_circuits.inc"
};

}  // namespace

uint64_t CircuitSize::domain_size() const {
  return std::bit_ceil(constraints + inputs);
}

uint64_t CircuitSize::params_bytes() const {
  const uint64_t head = 3 * kG1Bytes + 3 * kG2Bytes + 4 + inputs * kG1Bytes;
  const uint64_t g1 = (domain_size() - 1) + aux + a_variables + b_variables;
  return head + 5 * 4 + g1 * kG1Bytes + b_variables * kG2Bytes;
}

uint64_t CircuitSize::prove_bytes() const {
  return stored_bytes + compact_bytes + 32 * 3 * domain_size();
}

CircuitSize size_of(const StoredMatrices& matrices) {
  const Density density = density_of(matrices);
  CircuitSize out;
  out.inputs = matrices.num_inputs();
  out.aux = matrices.num_aux();
  out.constraints = matrices.num_constraints();
  out.nonzeros = matrices.counts().nonzeros;
  out.a_variables = density.a.size();
  out.b_variables = density.b.size();
  out.stored_bytes = matrices.stored_bytes();
  out.compact_bytes =
      4 * matrices.witness_shape().num_bit_words() + sizeof(Fr) * matrices.witness_shape().num_wide();
  return out;
}

KnownCircuit known_circuit(const CircuitId& circuit) {
  const auto row = std::find_if(std::begin(kKnown), std::end(kKnown),
                                [&](const Row& known) { return known.name == circuit.name(); });
  CUZK_CHECK(row != std::end(kKnown));
  KnownCircuit out{row->size, {}};
  const auto bytes = from_hex(row->digest);
  CUZK_CHECK(bytes && bytes->size() == out.digest.size());
  std::copy(bytes->begin(), bytes->end(), out.digest.begin());
  return out;
}

}  // namespace cuzk
