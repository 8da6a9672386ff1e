#include "device/cpu/cpu_device.hpp"

#include "device/conformance_test.hpp"

namespace cuzk {
namespace {

TEST(CpuDevice, ConformsOnOneThread) {
  InlineExecutor executor;
  CpuDevice device(executor);
  conformance::check_device(device);
}

TEST(CpuDevice, ConformsOnTwoThreadsWithDecodedBases) {
  ThreadPool executor(2);
  CpuDevice device(executor, CpuDevice::Residency::kDecoded);
  conformance::check_device(device);
}

TEST(CpuDevice, PlansTellWhatIsHeld) {
  InlineExecutor executor;
  ProofShape shape;
  shape.num_h = 1000, shape.num_l = 900, shape.num_a = 800, shape.num_b = 300;
  shape.domain_size = 1024;
  shape.nonzeros = 5000, shape.num_constraints = 1000, shape.num_inputs = 2, shape.num_aux = 900;
  const size_t points = 3000 * sizeof(G1Affine) + 300 * sizeof(G2Affine);
  const MemoryPlan source = CpuDevice(executor).plan_key(shape);
  const MemoryPlan decoded = CpuDevice(executor, CpuDevice::Residency::kDecoded).plan_key(shape);
  EXPECT_EQ(decoded.host_bytes - source.host_bytes, points);
  EXPECT_EQ(source.device_bytes, 0u);
  EXPECT_GE(CpuDevice(executor).plan_proof(shape).host_bytes, 3 * 1024 * sizeof(Fr));
}

TEST(CpuDevice, ErrorsOfASourceComeThrough) {
  class Broken final : public PointSource<G1> {
    size_t size() const override { return 5; }
    Status load(size_t, std::span<G1Affine>) const override {
      return invalid("list a, point 3: not on the curve");
    }
  };
  InlineExecutor executor;
  const std::vector<Fr> scalars(5, Fr::zero());
  CpuDevice device(executor);
  auto bases = device.load_bases(Bases<G1>(std::make_shared<Broken>()));
  ASSERT_TRUE(bases);
  auto sum = device.msm(**bases, Scalars{scalars});
  ASSERT_FALSE(sum);
  EXPECT_EQ(sum.error().message, "list a, point 3: not on the curve");
  CpuDevice decoding(executor, CpuDevice::Residency::kDecoded);
  EXPECT_FALSE(decoding.load_bases(Bases<G1>(std::make_shared<Broken>())));
}

}  // namespace
}  // namespace cuzk
