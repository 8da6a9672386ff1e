#include "engine/self_test.hpp"

#include "engine/synthetic.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"

namespace cuzk::engine {

Status self_test(Device& device) {
  constexpr size_t kLog2Size = 6;
  SyntheticCircuit circuit({.log2_size = kLog2Size, .bits = 0.5}, nullptr);
  CUZK_ASSIGN(CircuitKey key, circuit.load_key());
  CUZK_ASSIGN(auto resident, ResidentKey::load(device, key.key, key.circuit));
  PartitionWitness witness = circuit.witness(1);
  TestRandom random(1);  // the proof is thrown away
  CUZK_ASSIGN(auto pending, start(device, resident, witness.view(), Blinding::random(random)));
  CUZK_ASSIGN(auto proof, finish(std::move(pending)));
  (void)proof;
  return {};
}

}  // namespace cuzk::engine
