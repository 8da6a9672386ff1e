// The CUDA device, on the card or in the emulator: the conformance suite.
#include "device/cuda/cuda_device_cases_test.hpp"

namespace cuzk {
namespace {

using namespace cuda_cases;

TEST(CudaDevice, Conforms) {
  ThreadPool executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  conformance::check_device(*device);
}

TEST(CudaDevice, StreamsShareAKey) {
  ThreadPool executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  check_shared_key(*device, ProofCase(random_circuit(3, 200, 120, 11), kBellmanForm, executor), 4,
                   CUZK_ON_CARD ? 50 : 2);
}

TEST(CudaDevice, MoreOfTheSmallestCircuits) {
  InlineExecutor executor;
  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  for (const auto& form : {kBellmanForm, kSnarkjsForm})
    for (const auto& test :
         {random_circuit(4, 0, 0, 3), random_circuit(1, 1, 1, 4), random_circuit(2, 1, 2, 6)})
      ProofCase(test, form, executor).expect_same(*device);
}

TEST(CudaDevice, Placements) {
  ThreadPool executor;
  check_placements(random_circuit(3, 300, 200, 12), kBellmanForm, {1, 40'000, 150'000}, executor);
  check_placements(random_circuit(3, 300, 200, 12), kSnarkjsForm, {100'000}, executor);
}

#if CUZK_ON_CARD
TEST(CudaDevice, LargeQuotientsEqualTheCpus) {
  ThreadPool executor;
  auto device = must_open(executor, {});
  ASSERT_TRUE(device != nullptr);
  CpuDevice cpu(executor);
  TestRandom random(16);
  for (size_t log = 9; log <= 24; ++log) {
    const size_t n = size_t{1} << log;
    const auto a = conformance::random_values(n, random), b = conformance::random_values(n, random);
    const auto basis = log % 2 == 0 ? QuotientBasis::kCoefficients : QuotientBasis::kOddLagrange;
    const auto root = log % 3 == 0 ? DomainRoot::kSnarkjs : DomainRoot::kBellman;
    auto run = [&](DeviceOperations& on) {
      auto a_copy = a, b_copy = b;
      std::vector<Fr> out(n);
      auto status = on.quotient(basis, root, a_copy, b_copy, out);
      EXPECT_TRUE(status) << status.error().message;
      return out;
    };
    EXPECT_TRUE(run(*device) == run(cpu)) << log;
  }
}

TEST(CudaDevice, LargerProofsEqualTheCpus) {
  ThreadPool executor;
  check_placements(random_circuit(5, 30'000, 40'000, 8), kBellmanForm, {0, 1 << 20, 5 << 20, 10 << 20},
                   executor);
  check_placements(random_circuit(5, 3000, 4000, 9), kSnarkjsForm, {0, 1 << 18}, executor);
  check_shared_key(*must_open(executor),
                   ProofCase(random_circuit(5, 30'000, 40'000, 8), kBellmanForm, executor), 3, 20);
}

// A synthetic circuit over a domain of 2^22, its bases on the card, mostly in pinned memory, and all there.
TEST(CudaDevice, BigProofEqualsTheCpus) {
  ThreadPool executor;
  const ProofCase proof(random_circuit(5, 3'000'000, 4'000'000, 10), kBellmanForm, executor);
  for (size_t base_bytes : {size_t{0}, size_t{500} << 20, size_t{200} << 20}) {
    auto device = must_open(executor, {.base_bytes = base_bytes});
    ASSERT_TRUE(device != nullptr);
    proof.expect_same(*device);
    auto resident = proof.load(*device);
    ASSERT_TRUE(resident);
    double least = 1e9;
    for (int i = 0; i < 3; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      EXPECT_TRUE(proof.prove(*device, *resident, Form::kFull));
      const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - begin;
      least = std::min(least, time.count());
    }
    const MemoryPlan plan = device->plan_key((*resident)->on_device()->shape());
    std::printf("key: %zu MiB on the card, %zu MiB pinned: a proof in %.1f ms\n", plan.device_bytes >> 20,
                plan.pinned_bytes >> 20, least);
  }
}
#endif

}  // namespace
}  // namespace cuzk
