// Cases for the tests of the CUDA device.
#pragma once

#include <atomic>
#include <thread>

#include "device/conformance_test.hpp"
#include "device/cpu/cpu_device.hpp"
#include "device/cuda/cuda_device.hpp"
#include "groth16/circuits_test.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"

#ifndef CUZK_ON_CARD
#define CUZK_ON_CARD 0
#endif

namespace cuzk::cuda_cases {

constexpr size_t kTestMemory = size_t{CUZK_ON_CARD ? 1024 : 64} << 20;

inline std::unique_ptr<CudaDevice> must_open(Executor& executor,
                                             CudaOptions options = {.memory_bytes = kTestMemory}) {
  auto device = CudaDevice::open(options, executor);
  EXPECT_TRUE(device) << device.error().message;
  return device ? std::move(*device) : nullptr;
}

enum class Form { kFull, kPacked };

// A circuit with its key and blinding factors, and the CPU's proof.
class ProofCase {
 public:
  ProofCase(TestCircuit test, const KeyForm& form, Executor& executor)
      : test_(std::move(test)), shape_(test_.witness.size()) {
    TestRandom random(31);
    auto key = setup(*test_.circuit, SetupSecrets::random(random), form, executor);
    EXPECT_TRUE(key) << key.error().message;
    key_ = std::move(*key);
    blinding_ = Blinding::random(random);
    // Every variable that is 0 or 1 is a bit, whether the circuit forces it or not.
    for (size_t v = 0; v < test_.witness.size(); ++v)
      if (test_.witness[v].is_zero() || test_.witness[v].is_one()) shape_.mark_bit(v);
    shape_.finish();
    auto packed = compact(shape_, test_.witness);
    EXPECT_TRUE(packed);
    packed_ = std::move(*packed);
    CpuDevice cpu(executor);
    auto resident = load(cpu);
    EXPECT_TRUE(resident);
    auto proof = prove(cpu, *resident, Form::kFull);
    EXPECT_TRUE(proof) << proof.error().message;
    if (proof) expected_ = *proof;
  }

  const TestCircuit& test() const { return test_; }
  const ProvingKey& key() const { return key_; }

  Result<std::shared_ptr<const ResidentKey>> load(Device& device) const {
    return ResidentKey::load(device, key_, test_.circuit);
  }
  Result<Proof> prove(Device& device, std::shared_ptr<const ResidentKey> resident, Form form) const {
    const WitnessInput witness = form == Form::kPacked ? WitnessInput(WitnessView(shape_, packed_))
                                                       : std::span<const Fr>(test_.witness);
    CUZK_ASSIGN(auto pending, start(device, std::move(resident), witness, blinding_));
    return finish(std::move(pending));
  }
  // Byte for byte the CPU's proof for the same r and s.
  bool is_expected(const Proof& proof) const {
    return proof.a == expected_.a && proof.b == expected_.b && proof.c == expected_.c;
  }
  void expect_same(Device& device) const {
    auto resident = load(device);
    ASSERT_TRUE(resident) << resident.error().message;
    for (Form form : {Form::kFull, Form::kPacked}) {
      auto got = prove(device, *resident, form);
      ASSERT_TRUE(got) << got.error().message;
      EXPECT_TRUE(is_expected(*got)) << (form == Form::kPacked ? "packed" : "full");
    }
  }

 private:
  TestCircuit test_;
  ProvingKey key_;
  Blinding blinding_;
  WitnessShape shape_;
  CompactWitness packed_;
  Proof expected_;
};

// Bases all on the card, all in pinned memory, and in parts of both.
inline void check_placements(const TestCircuit& test, const KeyForm& form,
                             std::initializer_list<size_t> base_bytes, Executor& executor) {
  const ProofCase proof(test, form, executor);
  for (size_t bytes : base_bytes) {
    SCOPED_TRACE(bytes);
    auto device = must_open(executor, {.memory_bytes = kTestMemory, .base_bytes = bytes});
    ASSERT_TRUE(device != nullptr);
    proof.expect_same(*device);
  }
}

// The same key in several threads at once.
inline void check_shared_key(CudaDevice& device, const ProofCase& proof, size_t threads, int proofs) {
  auto resident = proof.load(device);
  ASSERT_TRUE(resident);
  std::atomic<int> right = 0;
  {
    std::vector<std::jthread> workers;
    for (size_t t = 0; t < threads; ++t)
      workers.emplace_back([&, t] {
        for (int i = 0; i < proofs; ++i) {
          auto got = proof.prove(device, *resident, t % 2 == 0 ? Form::kFull : Form::kPacked);
          if (got && proof.is_expected(*got)) ++right;
        }
      });
  }
  EXPECT_EQ(right.load(), static_cast<int>(threads) * proofs);
}

}  // namespace cuzk::cuda_cases
