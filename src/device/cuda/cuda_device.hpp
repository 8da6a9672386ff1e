// A CUDA card as a proving device. Bases, matrices, transforms and multiplications are on the card; the host
// combines the sums of windows and names the constraint that a witness fails.
//
// Memory: one allocation, made by open, from which keys and the workspaces of proofs are carved; afterwards
// nothing synchronises the whole card. Pinned memory: 32 MiB for each call that runs at the same time, kept.
// Threads: any number; calls run side by side on streams of their own and share the keys.
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

struct CudaOptions {
  int card = 0;
  size_t memory_bytes = 0;  // 0: all that is free, less 1 GiB for the driver and others
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
  CudaDevice(gpu::CardInfo card, std::shared_ptr<gpu::DeviceHeap> heap, Executor& executor)
      : card_(std::move(card)), heap_(std::move(heap)), executor_(executor) {}

  // A lane for this thread, or why there is none.
  Result<gpu::LanePool::Lease> begin();
  // Passes a result on; if it is an error of a card that no longer answers, marks the card lost.
  template <class R>
  R ended(R result);

  template <class G>
  Result<std::unique_ptr<DeviceBases<G>>> load(const PointSource<G>& source);
  template <class G>
  Result<typename G::Sum> sum(const DeviceBases<G>& bases, const Scalars& scalars);
  template <class G>
  Result<typename G::Sum> selected_sum(const DeviceBases<G>& bases, std::span<const uint32_t> bits);
  size_t msm_bytes(size_t count, bool g2) const;
  template <class G>
  Result<typename G::Sum> run(gpu::Lane& lane, void* workspace, const gpu::MsmTerms& terms);
  Result<ProofSums> prove(gpu::Lane& lane, const class CudaKey& key, const WitnessInput& witness,
                          bool check_satisfied, std::vector<BusySpan>& busy);
  Status upload_witness(gpu::Lane& lane, const WitnessInput& witness, void* w, void* scratch);
  Status evaluate_on_card(gpu::Lane& lane, const class CudaMatrices& matrices, const void* w, void* a,
                          void* b, size_t n);
  Status quotient_on_card(gpu::Lane& lane, QuotientBasis basis, DomainRoot root, size_t n, char* a, char* b,
                          char* scratch, void* tables, char** result);

  gpu::CardInfo card_;
  std::shared_ptr<gpu::DeviceHeap> heap_;
  Executor& executor_;
  gpu::LanePool lanes_;
  std::atomic<bool> lost_ = false;
};

}  // namespace cuzk
