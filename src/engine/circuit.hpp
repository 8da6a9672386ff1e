// Circuits as the engine sees them: a key to load, inputs to check, partitions to synthesise.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "device/device.hpp"
#include "groth16/keys.hpp"
#include "r1cs/matrices.hpp"
#include "r1cs/witness.hpp"

namespace cuzk::engine {

// What a request brings: each circuit knows its own kind.
class JobInput {
 public:
  virtual ~JobInput() = default;
  // Partitions to prove, at least 1.
  virtual uint32_t partitions() const = 0;
  // The same digest: the same statement. For idempotency keys.
  virtual std::string digest() const = 0;
};

// One partition's compact witness. Shared by the proof that reads it and the thread that frees it.
struct PartitionWitness {
  std::shared_ptr<const WitnessShape> shape;
  CompactWitness values;
  WitnessView view() const { return WitnessView(*shape, values); }
};

// Where a synthesis may pause.
class PausePoint {
 public:
  virtual ~PausePoint() = default;
  // Waits while the engine wants synthesis to yield. Cheap when it does not: to be called every few
  // milliseconds.
  virtual void pause() const = 0;
};

// What synthesis needs of the engine.
struct SynthesisContext {
  const PausePoint& throttle;
  const std::atomic<bool>& stop;  // the job was cancelled: return kCancelled soon
};

struct CircuitKey {
  ProvingKey key;
  Matrices circuit;
};

class Circuit {
 public:
  virtual ~Circuit() = default;

  virtual const std::string& name() const = 0;
  // Known without loading the key.
  virtual Result<ProofShape> shape() const = 0;
  // Bytes of a partition's compact witness, at most.
  virtual uint64_t witness_bytes() const = 0;
  // Reads or makes the key. Called by one thread at a time, again after an eviction.
  virtual Result<CircuitKey> load_key() = 0;
  // Whether the input is one of this circuit's, and right as far as that shows before synthesis.
  virtual Status check_input(const JobInput& input) const = 0;
  // Called by several threads at the same time.
  virtual Result<PartitionWitness> synthesise(const JobInput& input, uint32_t partition,
                                              const SynthesisContext& context) const = 0;
};

}  // namespace cuzk::engine
