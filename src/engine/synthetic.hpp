// A built-in family of circuits of any size and share of bits, for benchmarks:
// synthetic:LOG2SIZE[:bits=0.99][:work=1].
#pragma once

#include <string>

#include "base/executor.hpp"
#include "engine/circuit.hpp"

namespace cuzk::engine {

struct SyntheticSpec {
  size_t log2_size = 10;  // domain size of the key: 2^4 to 2^27
  double bits = 0.99;     // share of the auxiliary variables that are 0 or 1
  uint32_t work = 1;      // how often the witness is computed: for synthesis that takes its time
};

// "synthetic:18", "synthetic:18:bits=0.9", "synthetic:14:bits=0.5:work=500". Errors: kInvalidInput.
Result<SyntheticSpec> parse_synthetic(const std::string& text);

// Partition i is proved with the witness of seed + i.
class SyntheticInput final : public JobInput {
 public:
  SyntheticInput(uint64_t seed, uint32_t partitions) : seed_(seed), partitions_(partitions) {}
  uint32_t partitions() const override { return partitions_; }
  std::string digest() const override { return std::to_string(seed_) + "/" + std::to_string(partitions_); }
  uint64_t seed() const { return seed_; }

 private:
  uint64_t seed_;
  uint32_t partitions_;
};

// Bits b with b·(b − 1) = 0, and a chain of products y_k = y_(k−1)·(y_(k−1) + b_k) over the wide values; the
// last one is the public input.
class SyntheticCircuit final : public Circuit {
 public:
  // executor: for making the key; nullptr: the calling thread alone.
  SyntheticCircuit(const SyntheticSpec& spec, Executor* executor);

  const std::string& name() const override { return name_; }
  Result<ProofShape> shape() const override;
  uint64_t witness_bytes() const override;
  // From a fixed seed: keys of the same spec are equal. Not for anything that must be sound.
  Result<CircuitKey> load_key() override;
  Status check_input(const JobInput& input) const override;
  Result<PartitionWitness> synthesise(const JobInput& input, uint32_t partition,
                                      const SynthesisContext& context) const override;

  // context: where to pause; a cancelled job's witness is cut short.
  PartitionWitness witness(uint64_t seed, const SynthesisContext* context = nullptr) const;

 private:
  size_t num_constraints() const { return num_bits_ + num_wide_; }

  SyntheticSpec spec_;
  Executor* executor_;
  std::string name_;
  size_t num_bits_, num_wide_;  // auxiliary variables: bits, then wide values
  std::shared_ptr<const R1cs> circuit_;
  std::shared_ptr<const WitnessShape> shape_;
};

}  // namespace cuzk::engine
