// Filecoin's circuits by name: "porep-32g", "winning-2k", "window-64g", "snap-512m".
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"
#include "r1cs/constraint_system.hpp"

namespace cuzk {

enum class ProofKind : uint8_t { kPorep, kWinning, kWindow, kSnap };
// "porep", "winning", "window", "snap"
const char* proof_kind_name(ProofKind kind);

struct CircuitId {
  ProofKind kind;
  uint64_t sector_bytes;

  bool operator==(const CircuitId&) const = default;
  std::string name() const;
};

// Errors: kNotFound, with the names there are.
Result<CircuitId> parse_circuit_name(const std::string& name);
// Every circuit there is: four kinds by all sector sizes.
std::vector<CircuitId> all_circuits();

// The string whose SHA-256 is in the name of the circuit's key.
std::string circuit_identifier(const CircuitId& circuit);
// The name of its key without extension: "v28-stacked-proof-of-replication-…".
std::string key_name(const CircuitId& circuit);

// Runs the circuit without an assignment.
void synthesize_shape(const CircuitId& circuit, ConstraintSystem& cs);

}  // namespace cuzk
