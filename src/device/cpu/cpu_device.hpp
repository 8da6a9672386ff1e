// The CPU as a proving device, on the threads of an executor.
#pragma once

#include "base/buffer_pool.hpp"
#include "base/executor.hpp"
#include "device/device.hpp"

namespace cuzk {

struct CpuDeviceOptions {
  // Where the sum over b in G2 is computed after the device was let go, so that the next proof can begin:
  // nullptr: it is a part of the proof's time on the device. Outlives the device.
  Executor* tail = nullptr;
  BufferPolicy buffers = {};  // of the vectors of a proof
};

class CpuDevice final : public Device, public DeviceOperations {
 public:
  // Where bases wait for their proofs.
  enum class Residency {
    kSource,   // read and decoded anew by every proof: for one proof, and for keys larger than memory
    kDecoded,  // decoded once, at load_key
  };

  explicit CpuDevice(Executor& executor, Residency residency = Residency::kSource,
                     const CpuDeviceOptions& options = {})
      : executor_(executor), residency_(residency), tail_(options.tail), buffers_(options.buffers) {}

  std::string name() const override { return "cpu"; }
  bool takes_stored_matrices() const override { return true; }

  MemoryPlan plan_key(const ProofShape& shape) const override;
  Result<std::shared_ptr<const DeviceKey>> load_key(const KeyMaterial& key) override;

  // start computes the sums and wait hands them over; with a tail executor, wait computes the one in G2. What
  // start returns does not outlive the device.
  MemoryPlan plan_proof(const ProofShape& shape) const override;
  Result<std::unique_ptr<PendingSums>> start(std::shared_ptr<const DeviceKey> key,
                                             const WitnessInput& witness, bool check_satisfied) override;

  MemoryPlan plan_bases_g1(size_t count) const override;
  MemoryPlan plan_bases_g2(size_t count) const override;
  Result<std::unique_ptr<DeviceBases<G1>>> load_bases(Bases<G1> bases) override;
  Result<std::unique_ptr<DeviceBases<G2>>> load_bases(Bases<G2> bases) override;

  MemoryPlan plan_matrices(const ProofShape& shape) const override;
  Result<std::unique_ptr<DeviceMatrices>> load_matrices(std::shared_ptr<const R1cs> circuit) override;
  Result<std::unique_ptr<DeviceMatrices>> load_stored_matrices(
      std::shared_ptr<const StoredMatrices> matrices) override;

  MemoryPlan plan_evaluate(const ProofShape& shape) const override;
  Status evaluate(const DeviceMatrices& matrices, const WitnessInput& witness, std::span<Fr> a,
                  std::span<Fr> b) override;

  MemoryPlan plan_quotient(size_t domain_size) const override;
  Status quotient(QuotientBasis basis, DomainRoot root, std::span<Fr> a, std::span<Fr> b,
                  std::span<Fr> out) override;

  MemoryPlan plan_msm_g1(size_t count) const override;
  MemoryPlan plan_msm_g2(size_t count) const override;
  Result<G1::Sum> msm(const DeviceBases<G1>& bases, const Scalars& scalars) override;
  Result<G2::Sum> msm(const DeviceBases<G2>& bases, const Scalars& scalars) override;

  Result<G1::Sum> add_selected(const DeviceBases<G1>& bases, std::span<const uint32_t> bits) override;
  Result<G2::Sum> add_selected(const DeviceBases<G2>& bases, std::span<const uint32_t> bits) override;

  const BufferPool& buffers() const { return buffers_; }

 private:
  Executor& executor_;
  Residency residency_;
  Executor* tail_;
  BufferPool buffers_;
};

}  // namespace cuzk
