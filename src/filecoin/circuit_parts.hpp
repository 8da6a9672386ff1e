// Compact witnesses of circuits that consist of a first part and then parts of one form, which see only what
// the first one returned: challenges of a PoRep or an update, sectors of a PoSt.
#pragma once

#include <functional>

#include "base/executor.hpp"
#include "filecoin/circuit_catalog.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// Runs `first`, then part(cs, 0 … count - 1), spread over the executor, then what they left for later, spread
// as well; all parts write and leave as much as part 0. What is left may refer to what `first` and `part`
// refer to. For the first witness of a circuit in a process, `first` and part 0 run once more before, to
// count.
CompactWitness write_in_parts(const CircuitId& circuit, size_t count,
                              const std::function<void(ConstraintSystem&)>& first,
                              const std::function<void(ConstraintSystem&, size_t)>& part, Executor& executor);

}  // namespace cuzk
