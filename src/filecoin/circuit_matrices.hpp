// A Filecoin circuit's matrices: made once, kept in a file, mapped afterwards.
#pragma once

#include "base/executor.hpp"
#include "filecoin/circuit_catalog.hpp"
#include "r1cs/stored_matrices.hpp"

namespace cuzk {

// Runs the circuit and finds equal parts; with its digest. Cost: for porep-32g about a minute on 2 cores.
Result<std::shared_ptr<const StoredMatrices>> record_matrices(const CircuitId& circuit, Executor& executor);
// The same; kInternal where the digest is not the known one (filecoin/circuit_size.hpp).
Result<std::shared_ptr<const StoredMatrices>> make_matrices(const CircuitId& circuit, Executor& executor);

// Where a folder has them: "FOLDER/porep-32g.matrices".
std::string matrices_path(const std::string& folder, const CircuitId& circuit);

// Opens the file in `folder`. Where it is missing, damaged, of another version or of a circuit with another
// digest, makes the matrices and writes it; in a folder that cannot be written they are only made.
Result<std::shared_ptr<const StoredMatrices>> load_or_make_matrices(const CircuitId& circuit,
                                                                    const std::string& folder,
                                                                    Executor& executor);

}  // namespace cuzk
