// Errors of a real card: memory that is not there, a launch that is refused, and one that takes the card from
// the process.
#include "bench_kernels.hpp"
#include "device/cuda/cuda_device_cases_test.hpp"

namespace cuzk {
namespace {

using namespace cuda_cases;

TEST(LostCard, ErrorsAreResults) {
  ThreadPool executor;
  auto too_large = CudaDevice::open({.memory_bytes = size_t{1} << 44}, executor);
  ASSERT_FALSE(too_large);
  EXPECT_TRUE(too_large.error().code == ErrorCode::kResourceExhausted);

  auto device = must_open(executor);
  ASSERT_TRUE(device != nullptr);
  const ProofCase proof(random_circuit(3, 300, 200, 15), kBellmanForm, executor);
  auto resident = proof.load(*device);
  ASSERT_TRUE(resident);
  auto expect_good = [&] {
    auto got = proof.prove(*device, *resident, Form::kPacked);
    ASSERT_TRUE(got) << got.error().message;
    EXPECT_TRUE(proof.is_expected(*got));
  };
  expect_good();
  auto stream = gpu::Stream::create();
  ASSERT_TRUE(stream);
  EXPECT_FALSE(gpu::launch_wrongly(*stream));
  EXPECT_TRUE(gpu::card_answers());
  expect_good();

  EXPECT_TRUE(gpu::write_nowhere(*stream));
  auto waited = stream->wait();
  ASSERT_FALSE(waited);
  EXPECT_TRUE(waited.error().code == ErrorCode::kUnavailable);
  auto failed = proof.prove(*device, *resident, Form::kPacked);
  ASSERT_FALSE(failed);
  EXPECT_TRUE(failed.error().code == ErrorCode::kUnavailable);
  EXPECT_TRUE(device->lost());
  auto after = proof.prove(*device, *resident, Form::kFull);
  ASSERT_FALSE(after);
  EXPECT_TRUE(after.error().message.find("is lost") != std::string::npos) << after.error().message;
  EXPECT_FALSE(proof.load(*device));
  (void)device->plan_proof((*resident)->on_device()->shape());
}

}  // namespace
}  // namespace cuzk
