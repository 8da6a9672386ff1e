// The CUDA device, on the card or in the emulator: proofs equal to the CPU's, errors.
#include "device/cuda/cuda_device_cases_test.hpp"

namespace cuzk {
namespace {

using namespace cuda_cases;

TEST(CudaDevice, ProofsEqualTheCpus) {
  InlineExecutor executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  for (const auto& form : {kBellmanForm, kSnarkjsForm}) {
    for (bool packed : {false, true}) {
      expect_same_proof(*device, random_circuit(1, 1, 1, 5), form, packed, executor);
      expect_same_proof(*device, random_circuit(3, 20, 13, 6), form, packed, executor);
    }
  }
}

TEST(CudaDevice, RefusesBadWitnesses) {
  InlineExecutor executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  auto test = random_circuit(3, 20, 13, 7);
  TestRandom random(32);
  auto key = setup(*test.circuit, SetupSecrets::random(random), kBellmanForm, executor);
  ASSERT_TRUE(key);
  auto resident = ResidentKey::load(*device, *key, test.circuit);
  ASSERT_TRUE(resident);
  auto start_with = [&](std::vector<Fr> witness) {
    return device->start((*resident)->on_device(), std::span<const Fr>(witness), true);
  };
  EXPECT_TRUE(start_with(test.witness).has_value());
  auto wrong = test.witness;
  wrong[5] += Fr::one();
  auto result = start_with(wrong);
  ASSERT_FALSE(result);
  EXPECT_TRUE(result.error().code == ErrorCode::kUnsatisfied);
  wrong = test.witness;
  wrong.pop_back();
  EXPECT_TRUE(start_with(wrong).error().code == ErrorCode::kInvalidInput);
  wrong = test.witness;
  wrong[0] = Fr::zero();
  EXPECT_TRUE(start_with(wrong).error().code == ErrorCode::kInvalidInput);
}

TEST(CudaDevice, MemoryIsPlannedAndGivenBack) {
  InlineExecutor executor;
  auto device = CudaDevice::open({.card = 0, .memory_bytes = size_t{1} << 20}, executor);
  ASSERT_TRUE(device);
  auto bases = conformance::test_bases<G1>(10, *std::make_unique<TestRandom>(1));
  auto resident = (*device)->load_bases(Bases<G1>(std::make_shared<MemoryPoints<G1>>(bases)));
  ASSERT_TRUE(resident);
  // A transform's tables alone do not fit into what is left.
  std::vector<Fr> a(1 << 14, Fr::one()), b = a, out = a;
  auto status = (*device)->quotient(QuotientBasis::kCoefficients, DomainRoot::kBellman, a, b, out);
  ASSERT_FALSE(status);
  EXPECT_TRUE(status.error().code == ErrorCode::kResourceExhausted);
  EXPECT_FALSE((*device)->lost());
  EXPECT_FALSE(CudaDevice::open({.card = 99, .memory_bytes = 1}, executor).has_value());
}

}  // namespace
}  // namespace cuzk
