#include "filecoin/circuit_matrices.hpp"

#include "base/bytes.hpp"
#include "filecoin/circuit_digest.hpp"
#include "filecoin/circuit_size.hpp"

namespace cuzk {

Result<std::shared_ptr<const StoredMatrices>> record_matrices(const CircuitId& circuit, Executor& executor) {
  std::shared_ptr<StoredMatrices> out;
  {
    TemplateSystem cs;
    synthesize_shape(circuit, cs);
    CUZK_ASSIGN(out, cs.take(circuit.name()));
  }
  out->set_digest(digest_of(*out, executor).digest);
  return out;
}

Result<std::shared_ptr<const StoredMatrices>> make_matrices(const CircuitId& circuit, Executor& executor) {
  CUZK_ASSIGN(const std::shared_ptr<const StoredMatrices> out, record_matrices(circuit, executor));
  const StoredMatrices::Digest known = known_circuit(circuit).digest;
  if (out->digest() != known)
    return fail(ErrorCode::kInternal, circuit.name() + ": the constraint system made here has digest " +
                                          to_hex(out->digest()) + ", the network's has " + to_hex(known));
  return out;
}

std::string matrices_path(const std::string& folder, const CircuitId& circuit) {
  return folder + "/" + circuit.name() + ".matrices";
}

Result<std::shared_ptr<const StoredMatrices>> load_or_make_matrices(const CircuitId& circuit,
                                                                    const std::string& folder,
                                                                    Executor& executor) {
  const std::string path = matrices_path(folder, circuit);
  // The digest stands for the circuit: a file that another version of the circuit left has another one.
  auto stored = StoredMatrices::open(path);
  if (stored && (*stored)->name() == circuit.name() && (*stored)->digest() == known_circuit(circuit).digest)
    return stored;
  CUZK_ASSIGN(const std::shared_ptr<const StoredMatrices> made, make_matrices(circuit, executor));
  if (!made->save(path)) return made;
  // What is used from now on is the file: the memory of making it is given back.
  return StoredMatrices::open(path);
}

}  // namespace cuzk
