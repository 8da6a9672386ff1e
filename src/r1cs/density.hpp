// Which variables occur in which matrix: decides which points a bellman key holds.
#pragma once

#include <cstdint>
#include <vector>

#include "r1cs/r1cs.hpp"

namespace cuzk {

// A set of variables, in ascending order.
using VariableSet = std::vector<uint32_t>;

// The bases of a bellman key, in its order. a: every input (key generation adds a row with each), then the
// auxiliaries that occur in A. b: the inputs that occur in B, then the auxiliaries that do.
struct Density {
  VariableSet a, b;
};
Density density_of(const R1cs& circuit);

// Variables that occur in no constraint, ascending, the constant one left out. An input among them is still
// held by a key (by the row that key generation adds); an auxiliary is not: bellman's form has no place for
// it.
VariableSet unused_variables(const R1cs& circuit);

}  // namespace cuzk
