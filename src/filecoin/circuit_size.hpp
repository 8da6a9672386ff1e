// Sizes of a circuit, its key and its proofs.
#pragma once

#include <array>

#include "filecoin/circuit_catalog.hpp"
#include "r1cs/stored_matrices.hpp"

namespace cuzk {

struct CircuitSize {
  uint64_t inputs = 0;  // with the constant one
  uint64_t aux = 0, constraints = 0;
  std::array<uint64_t, 3> nonzeros{};
  uint64_t a_variables = 0, b_variables = 0;  // for which a bellman key has points
  uint64_t stored_bytes = 0;                  // of the matrices with equal parts stored once
  uint64_t compact_bytes = 0;                 // of a partition's witness

  bool operator==(const CircuitSize&) const = default;

  // The smallest power of two that is not below constraints + inputs.
  uint64_t domain_size() const;
  // Bytes of the key's .params file.
  uint64_t params_bytes() const;
  // Bytes that the CPU takes to prove a partition, beside the key: stored matrices, witness, three vectors
  // over the domain.
  uint64_t prove_bytes() const;
};

CircuitSize size_of(const StoredMatrices& matrices);

// What a circuit comes to, known without running it: sizes, and the digest of its constraint system, which is
// the network's (filecoin/circuit_digest.hpp). tools/known_circuits.py writes the table; tests compare it
// with the circuits as they run.
struct KnownCircuit {
  CircuitSize size;
  StoredMatrices::Digest digest;
};
KnownCircuit known_circuit(const CircuitId& circuit);

}  // namespace cuzk
