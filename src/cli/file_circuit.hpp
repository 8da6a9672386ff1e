// A circuit from files as the engine's circuit: .r1cs, .params and one or more .wtns.
#pragma once

#include "base/executor.hpp"
#include "engine/circuit.hpp"

namespace cuzk::cli {

struct CircuitFiles {
  std::string r1cs, params;
  std::vector<std::string> witnesses;
};

// Partition i of a job is proved with witness (i mod their number).
class FileInput final : public engine::JobInput {
 public:
  explicit FileInput(uint32_t partitions) : partitions_(partitions) {}
  uint32_t partitions() const override { return partitions_; }
  std::string digest() const override { return "files/" + std::to_string(partitions_); }

 private:
  uint32_t partitions_;
};

class FileCircuit final : public engine::Circuit {
 public:
  // Reads circuit and witnesses; the key is read by load_key().
  static Result<std::shared_ptr<FileCircuit>> open(const CircuitFiles& files, Executor& executor);

  const std::string& name() const override { return name_; }
  Result<ProofShape> shape() const override { return shape_; }
  uint64_t witness_bytes() const override;
  Result<engine::CircuitKey> load_key() override;
  Status check_input(const engine::JobInput& input) const override;
  Result<engine::PartitionWitness> synthesise(const engine::JobInput& input, uint32_t partition,
                                              const engine::SynthesisContext& context) const override;

 private:
  FileCircuit() = default;

  std::string name_;
  CircuitFiles files_;
  std::shared_ptr<const R1cs> circuit_;
  std::shared_ptr<const WitnessShape> witness_shape_;
  ProofShape shape_;
  std::vector<std::vector<Fr>> witnesses_;
};

}  // namespace cuzk::cli
