// Cases for the tests of the CUDA device.
#pragma once

#include "device/conformance_test.hpp"
#include "device/cpu/cpu_device.hpp"
#include "device/cuda/cuda_device.hpp"
#include "groth16/circuits_test.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"

namespace cuzk::cuda_cases {

inline std::unique_ptr<CudaDevice> must_open(Executor& executor) {
  auto device = CudaDevice::open({.card = 0, .memory_bytes = size_t{1} << 30}, executor);
  EXPECT_TRUE(device) << device.error().message;
  return device ? std::move(*device) : nullptr;
}

// Byte for byte the CPU's proof for the same r and s.
inline void expect_same_proof(CudaDevice& device, const TestCircuit& test, const KeyForm& form, bool packed,
                              Executor& executor) {
  TestRandom random(31);
  auto key = setup(*test.circuit, SetupSecrets::random(random), form, executor);
  ASSERT_TRUE(key) << key.error().message;
  const Blinding blinding = Blinding::random(random);
  auto prove = [&](Device& on, const WitnessInput& witness) -> Result<Proof> {
    CUZK_ASSIGN(auto resident, ResidentKey::load(on, *key, test.circuit));
    CUZK_ASSIGN(auto pending, start(on, resident, witness, blinding));
    return finish(std::move(pending));
  };
  CpuDevice cpu(executor);
  WitnessShape shape = WitnessShape::of(*test.circuit);
  auto compacted = compact(shape, test.witness);
  ASSERT_TRUE(compacted);
  const WitnessInput full = std::span<const Fr>(test.witness);
  const WitnessInput given = packed ? WitnessInput(WitnessView(shape, *compacted)) : full;
  auto expected = prove(cpu, full), got = prove(device, given);
  ASSERT_TRUE(expected) << expected.error().message;
  ASSERT_TRUE(got) << got.error().message;
  EXPECT_TRUE(got->a == expected->a);
  EXPECT_TRUE(got->b == expected->b);
  EXPECT_TRUE(got->c == expected->c);
}

}  // namespace cuzk::cuda_cases
