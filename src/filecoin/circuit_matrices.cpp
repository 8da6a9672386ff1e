#include "filecoin/circuit_matrices.hpp"

#include "filecoin/circuit_digest.hpp"

namespace cuzk {

Result<std::shared_ptr<const StoredMatrices>> make_matrices(const CircuitId& circuit, Executor& executor) {
  std::shared_ptr<StoredMatrices> out;
  {
    TemplateSystem cs;
    synthesize_shape(circuit, cs);
    CUZK_ASSIGN(out, cs.take(circuit.name()));
  }
  out->set_digest(digest_of(*out, executor).digest);
  return out;
}

std::string matrices_file_name(const CircuitId& circuit) {
  return circuit.name() + ".matrices";
}

Result<std::shared_ptr<const StoredMatrices>> load_or_make_matrices(const CircuitId& circuit,
                                                                    const std::string& folder,
                                                                    Executor& executor) {
  const std::string path = folder + "/" + matrices_file_name(circuit);
  auto stored = StoredMatrices::open(path);
  if (stored && (*stored)->name() == circuit.name()) return stored;
  CUZK_ASSIGN(const std::shared_ptr<const StoredMatrices> made, make_matrices(circuit, executor));
  CUZK_TRY(made->save(path));
  // What is used from now on is the file: the memory of making it is given back.
  return StoredMatrices::open(path);
}

}  // namespace cuzk
