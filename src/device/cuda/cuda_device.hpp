// A CUDA card as a proving device. Bases, matrices, transforms and multiplications are on the card; the host
// combines the sums of windows and names the constraint that a witness fails.
//
// Memory: open makes one allocation on the card, from which keys and the workspaces of proofs are carved, and
// pinned memory of 32 MiB for each call that may run at the same time; afterwards nothing is allocated on the
// card or freed there, and nothing synchronises the whole card. A key whose bases do not fit beside the
// workspace of a proof is placed in part in pinned memory, allocated with the key (cuda_key.hpp). Threads:
// any number; calls run side by side on streams of their own and share the keys.
#pragma once

#include <atomic>
#include <memory>

#include "base/executor.hpp"
#include "device/cuda/heap.hpp"
#include "device/cuda/lane.hpp"
#include "device/cuda/msm.hpp"
#include "device/cuda/runtime.hpp"
#include "device/device.hpp"

namespace cuzk {

namespace gpu {
class CudaKey;
class CudaMatrices;
struct KeyPlacement;
}  // namespace gpu

struct CudaOptions {
  int card = 0;
  size_t memory_bytes = 0;  // 0: all that is free, less 1 GiB for the driver and others
  size_t calls = 3;         // at the same time; further ones wait
  size_t base_bytes = 0;    // most memory on the card for the bases of a key; 0: all that a proof leaves
};

class CudaDevice final : public Device, public DeviceOperations {
 public:
  // Errors: kUnavailable when there is no such card or it cannot be used, saying why (also in a program built
  // without CUDA); kResourceExhausted when it has not that much memory free. The executor outlives the
  // device.
  static Result<std::unique_ptr<CudaDevice>> open(const CudaOptions& options, Executor& executor);

  std::string name() const override { return "cuda:" + std::to_string(card_.index) + " " + card_.name; }
  std::string pci_bus_id() const override { return card_.pci_bus; }

  // The card failed in a way that only ends with the process: every further call is kUnavailable.
  bool lost() const { return lost_.load(std::memory_order_relaxed); }

  MemoryPlan plan_key(const ProofShape& shape) const override;
  Result<std::shared_ptr<const DeviceKey>> load_key(const KeyMaterial& key) override;

  // start does all the work; wait hands the sums over.
  MemoryPlan plan_proof(const ProofShape& shape) const override;
  Result<std::unique_ptr<PendingSums>> start(std::shared_ptr<const DeviceKey> key,
                                             const WitnessInput& witness, bool check_satisfied) override;

  MemoryPlan plan_bases_g1(size_t count) const override;
  MemoryPlan plan_bases_g2(size_t count) const override;
  Result<std::unique_ptr<DeviceBases<G1>>> load_bases(Bases<G1> bases) override;
  Result<std::unique_ptr<DeviceBases<G2>>> load_bases(Bases<G2> bases) override;

  MemoryPlan plan_matrices(const ProofShape& shape) const override;
  Result<std::unique_ptr<DeviceMatrices>> load_matrices(std::shared_ptr<const R1cs> circuit) override;

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

 private:
  CudaDevice(gpu::CardInfo card, const CudaOptions& options, std::shared_ptr<gpu::DeviceHeap> heap,
             Executor& executor)
      : card_(std::move(card)), options_(options), heap_(std::move(heap)), executor_(executor) {}

  // A lane for this thread, or why there is none.
  Result<gpu::LanePool::Lease> begin();
  // Passes a result on; if it is an error of a card that no longer answers, marks the card lost.
  template <class R>
  R ended(R result) {
    if (!result && result.error().code == ErrorCode::kUnavailable && !gpu::card_answers())
      lost_.store(true, std::memory_order_relaxed);
    return result;
  }

  size_t msm_bytes(size_t count, const gpu::MsmSets& sets) const;
  template <class G>
  Result<std::unique_ptr<DeviceBases<G>>> load(const PointSource<G>& source);
  template <class G>
  Result<typename G::Sum> sum(const DeviceBases<G>& bases, const Scalars& scalars);
  template <class G>
  Result<typename G::Sum> selected_sum(const DeviceBases<G>& bases, std::span<const uint32_t> bits);
  template <class G>
  Result<typename G::Sum> run(gpu::Lane& lane, const DeviceBases<G>& bases, const gpu::MsmScalars& scalars);

  // Proofs: cuda_proof.cpp.
  gpu::KeyPlacement placement(const ProofShape& shape) const;
  size_t proof_workspace(const ProofShape& shape, const gpu::KeyPlacement& placement) const;
  Result<ProofSums> prove(gpu::Lane& lane, const gpu::CudaKey& key, const WitnessInput& witness,
                          bool check_satisfied, std::vector<BusySpan>& busy);

  gpu::CardInfo card_;
  CudaOptions options_;
  std::shared_ptr<gpu::DeviceHeap> heap_;
  Executor& executor_;
  gpu::LanePool lanes_;
  std::atomic<bool> lost_ = false;
};

}  // namespace cuzk
