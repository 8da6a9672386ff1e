// Filecoin's circuits as the engine's: keys from a folder, stored matrices, compact witnesses.
#pragma once

#include "base/executor.hpp"
#include "engine/circuit.hpp"
#include "filecoin/circuit_matrices.hpp"
#include "filecoin/proof_input.hpp"
#include "srs/key_directory.hpp"

namespace cuzk::engine {

class FilecoinInput final : public JobInput {
 public:
  // The digest is that of what is to be proved: the statement's, and the bytes the input came from.
  FilecoinInput(ProofInput input, Bytes source);
  uint32_t partitions() const override { return input_.partitions(); }
  std::string digest() const override { return digest_; }
  const ProofInput& input() const { return input_; }

 private:
  ProofInput input_;
  std::string digest_;
};

// "porep-32g", or as other engines name the same circuits: "wpost-32g" for "window-32g". Errors: kNotFound.
Result<CircuitId> parse_engine_circuit(const std::string& name);

class FilecoinCircuit final : public Circuit {
 public:
  struct Keys {
    std::string folder;
    Manifest manifest = Manifest::network();
    bool network_only = false;
  };
  // Looks for the key, so that no work begins without one; then maps the matrices, which are made and kept in
  // the folder of keys if they are not there. Errors: those of KeyDirectory, with how to get a key where
  // there is none; kIo.
  static Result<std::shared_ptr<FilecoinCircuit>> open(const CircuitId& id, Keys keys, Executor& executor);

  const std::string& name() const override { return name_; }
  Result<ProofShape> shape() const override { return shape_; }
  uint64_t witness_bytes() const override;
  Result<CircuitKey> load_key() override;
  // That it is this circuit's and says whose it is; the rest is checked partition by partition in
  // synthesise().
  Status check_input(const JobInput& input) const override;
  Result<PartitionWitness> synthesise(const JobInput& input, uint32_t partition,
                                      const SynthesisContext& context) const override;

 private:
  FilecoinCircuit() = default;

  CircuitId id_{};
  std::string name_;
  Keys keys_;
  std::shared_ptr<const StoredMatrices> matrices_;
  std::shared_ptr<const WitnessShape> witness_shape_;
  ProofShape shape_;
};

}  // namespace cuzk::engine
