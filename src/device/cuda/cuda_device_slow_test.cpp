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

#if CUZK_ON_CARD
TEST(CudaDevice, LargerProofsEqualTheCpus) {
  ThreadPool executor;
  auto device = CudaDevice::open({}, executor);
  ASSERT_TRUE(device) << device.error().message;
  expect_same_proof(**device, random_circuit(5, 3000, 4000, 8), kBellmanForm, false, executor);
  expect_same_proof(**device, random_circuit(5, 3000, 4000, 9), kBellmanForm, true, executor);
}

// A synthetic circuit over a domain of 2^22.
TEST(CudaDevice, BigProofEqualsTheCpus) {
  ThreadPool executor;
  auto device = CudaDevice::open({}, executor);
  ASSERT_TRUE(device) << device.error().message;
  expect_same_proof(**device, random_circuit(5, 3'000'000, 4'000'000, 10), kBellmanForm, false, executor);
}
#endif

}  // namespace
}  // namespace cuzk
