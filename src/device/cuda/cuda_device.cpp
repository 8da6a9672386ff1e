#include "device/cuda/cuda_device.hpp"

#include <algorithm>
#include <bit>

#include "base/check.hpp"
#include "device/cuda/cuda_steps.hpp"
#include "device/cuda/msm_combine.hpp"

namespace cuzk {

namespace {

constexpr size_t kReserveBytes = size_t{1} << 30;

template <class G>
class CudaBases final : public DeviceBases<G> {
 public:
  CudaBases(std::shared_ptr<gpu::DeviceHeap> heap, gpu::DeviceHeap::Block points, size_t count)
      : heap_(std::move(heap)), points_(std::move(points)), count_(count) {}
  size_t size() const override { return count_; }
  const void* points() const { return points_.get(); }

 private:
  std::shared_ptr<gpu::DeviceHeap> heap_;  // outlives the block
  gpu::DeviceHeap::Block points_;
  size_t count_;
};

template <class G>
constexpr bool kIsG2 = std::is_same_v<G, G2>;

constexpr gpu::MsmSets one_set(bool g2) {
  return {.g1 = !g2, .g2 = g2};
}

}  // namespace

Result<std::unique_ptr<CudaDevice>> CudaDevice::open(const CudaOptions& options, Executor& executor) {
  CUZK_ASSIGN(auto cards, gpu::list_cards());
  if (options.card < 0 || static_cast<size_t>(options.card) >= cards.size()) {
    return fail(ErrorCode::kUnavailable, "there is no CUDA card " + std::to_string(options.card) +
                                             "; the driver shows " + std::to_string(cards.size()));
  }
  const gpu::CardInfo& card = cards[static_cast<size_t>(options.card)];
  if (!card.unusable.empty())
    return fail(ErrorCode::kUnavailable, "CUDA card " + std::to_string(card.index) + " (" + card.name +
                                             ") cannot be used: " + card.unusable);
  CUZK_TRY(gpu::use_card(card.index));
  const size_t bytes = options.memory_bytes != 0
                           ? options.memory_bytes
                           : card.free_bytes - std::min(card.free_bytes / 2, kReserveBytes);
  auto memory = gpu::DeviceMemory::allocate(bytes);
  if (!memory)
    return tl::unexpected<Error>(memory.error().at("memory of CUDA card " + std::to_string(card.index)));
  auto heap = std::make_shared<gpu::DeviceHeap>(std::move(*memory));
  std::unique_ptr<CudaDevice> device(new CudaDevice(card, options, std::move(heap), executor));
  CUZK_TRY(device->lanes_.add(std::max<size_t>(1, options.calls)));
  return device;
}

Result<gpu::LanePool::Lease> CudaDevice::begin() {
  auto lane = lanes_.take();
  if (lost())
    return fail(ErrorCode::kUnavailable, name() + " (" + card_.pci_bus + ") is lost: restart the program");
  CUZK_TRY(ended(gpu::use_card(card_.index)));
  return lane;
}

// Bases.

MemoryPlan CudaDevice::plan_bases_g1(size_t count) const {
  return {count * sizeof(G1Affine), 0, 0};
}
MemoryPlan CudaDevice::plan_bases_g2(size_t count) const {
  return {count * sizeof(G2Affine), 0, 0};
}

template <class G>
Result<std::unique_ptr<DeviceBases<G>>> CudaDevice::load(const PointSource<G>& source) {
  CUZK_ASSIGN(auto lane, begin());
  CUZK_ASSIGN(auto points, heap_->allocate(source.size() * sizeof(typename G::Point)));
  CUZK_TRY(ended(lane->template upload_points<G>(points.get(), source, source.size(), executor_)));
  return std::make_unique<CudaBases<G>>(heap_, std::move(points), source.size());
}
Result<std::unique_ptr<DeviceBases<G1>>> CudaDevice::load_bases(Bases<G1> bases) {
  return load<G1>(*bases);
}
Result<std::unique_ptr<DeviceBases<G2>>> CudaDevice::load_bases(Bases<G2> bases) {
  return load<G2>(*bases);
}

// Multiplication.

size_t CudaDevice::msm_bytes(size_t count, const gpu::MsmSets& sets) const {
  if (!gpu::use_card(card_.index)) return 0;
  auto plan = gpu::plan_msm(count, sets, gpu::tune_msm(count, sets), card_.multiprocessors);
  return plan ? plan->device_bytes : 0;
}

MemoryPlan CudaDevice::plan_msm_g1(size_t count) const {
  return {msm_bytes(count, one_set(false)) + count * (sizeof(Fr) + sizeof(uint32_t)) + 512,
          gpu::Lane::kStagingBytes, 0};
}
MemoryPlan CudaDevice::plan_msm_g2(size_t count) const {
  return {msm_bytes(count, one_set(true)) + count * (sizeof(Fr) + sizeof(uint32_t)) + 512,
          gpu::Lane::kStagingBytes, 0};
}

template <class G>
Result<typename G::Sum> CudaDevice::run(gpu::Lane& lane, const DeviceBases<G>& bases,
                                        const gpu::MsmScalars& scalars) {
  const size_t count = scalars.count;
  CUZK_ASSIGN(auto plan,
              gpu::plan_msm(count, one_set(kIsG2<G>), gpu::tune_msm(count), card_.multiprocessors));
  CUZK_ASSIGN(auto workspace, heap_->allocate(plan.device_bytes));
  CUZK_CHECK(plan.pinned_bytes <= gpu::Lane::kSmallBytes);
  const gpu::MsmBases set{.points = static_cast<const CudaBases<G>&>(bases).points(), .g2 = kIsG2<G>};
  CUZK_ASSIGN(auto parts,
              gpu::run_msm(lane.stream(), plan, workspace.get(), lane.small(), scalars, {&set, 1}));
  return gpu::combine_msm<G>(parts.front());
}

template <class G>
Result<typename G::Sum> CudaDevice::sum(const DeviceBases<G>& bases, const Scalars& scalars) {
  const size_t count = bases.size();
  if (count == 0) return G::Sum::infinity();
  if (scalars.size() != count) {
    return invalid("a multiplication over " + std::to_string(count) + " bases got " +
                   std::to_string(scalars.size()) + " scalars");
  }
  for (uint32_t index : scalars.select) {
    if (index >= scalars.values.size())
      return invalid("a selected scalar, " + std::to_string(index) + ", is beyond the " +
                     std::to_string(scalars.values.size()) + " values");
  }
  CUZK_ASSIGN(auto lane, begin());
  CUZK_ASSIGN(auto values, heap_->allocate(scalars.values.size_bytes()));
  CUZK_ASSIGN(auto select, heap_->allocate(scalars.select.size_bytes()));
  CUZK_TRY(ended(lane->upload(values.get(), scalars.values)));
  CUZK_TRY(ended(lane->upload(select.get(), scalars.select)));
  return ended(run<G>(*lane, bases,
                      {.values = values.get(),
                       .select = scalars.select.empty() ? nullptr : select.template as<const uint32_t>(),
                       .count = count}));
}
Result<G1::Sum> CudaDevice::msm(const DeviceBases<G1>& bases, const Scalars& scalars) {
  return sum<G1>(bases, scalars);
}
Result<G2::Sum> CudaDevice::msm(const DeviceBases<G2>& bases, const Scalars& scalars) {
  return sum<G2>(bases, scalars);
}

template <class G>
Result<typename G::Sum> CudaDevice::selected_sum(const DeviceBases<G>& bases,
                                                 std::span<const uint32_t> bits) {
  const size_t count = bases.size(), words = (count + 31) / 32;
  if (bits.size() != words) {
    return invalid("batch addition over " + std::to_string(count) + " bases needs " + std::to_string(words) +
                   " words of bits, got " + std::to_string(bits.size()));
  }
  if (count == 0) return G::Sum::infinity();
  CUZK_ASSIGN(auto lane, begin());
  CUZK_ASSIGN(auto on_card, heap_->allocate(bits.size_bytes()));
  CUZK_TRY(ended(lane->upload(on_card.get(), bits)));
  return ended(run<G>(*lane, bases, {.bits = on_card.template as<const uint32_t>(), .count = count}));
}
Result<G1::Sum> CudaDevice::add_selected(const DeviceBases<G1>& bases, std::span<const uint32_t> bits) {
  return selected_sum<G1>(bases, bits);
}
Result<G2::Sum> CudaDevice::add_selected(const DeviceBases<G2>& bases, std::span<const uint32_t> bits) {
  return selected_sum<G2>(bases, bits);
}

// Evaluation.

MemoryPlan CudaDevice::plan_matrices(const ProofShape& shape) const {
  return gpu::CudaMatrices::plan(shape);
}

Result<std::unique_ptr<DeviceMatrices>> CudaDevice::load_matrices(std::shared_ptr<const R1cs> circuit) {
  CUZK_ASSIGN(auto lane, begin());
  return ended(gpu::CudaMatrices::load(std::move(circuit), heap_, *lane));
}

MemoryPlan CudaDevice::plan_evaluate(const ProofShape& shape) const {
  return {gpu::most_witness_bytes(shape.num_variables()) + 2 * shape.domain_size * sizeof(Fr),
          gpu::Lane::kStagingBytes, 0};
}

Status CudaDevice::evaluate(const DeviceMatrices& matrices, const WitnessInput& witness, std::span<Fr> a,
                            std::span<Fr> b) {
  const auto& on_card = static_cast<const gpu::CudaMatrices&>(matrices);
  const R1cs& circuit = on_card.circuit();
  if (gpu::witness_size(witness) != circuit.num_variables()) {
    return invalid("the witness has " + std::to_string(gpu::witness_size(witness)) +
                   " values, the circuit has " + std::to_string(circuit.num_variables()) + " variables");
  }
  if (a.size() != b.size() || a.size() < circuit.num_constraints() + circuit.num_inputs)
    return invalid("a and b must have one length, at least constraints + inputs");
  CUZK_ASSIGN(auto lane, begin());
  CUZK_ASSIGN(auto memory, heap_->allocate(gpu::witness_bytes(witness)));
  CUZK_ASSIGN(auto values, heap_->allocate(2 * a.size_bytes()));
  gpu::Arena arena(memory.get());
  char *da = values.get(), *db = da + a.size_bytes();
  CUZK_ASSIGN(auto w, ended(gpu::upload_witness(*lane, witness, arena)));
  CUZK_TRY(ended(gpu::evaluate_on_card(*lane, on_card, w, da, db, a.size())));
  CUZK_TRY(ended(lane->download(a.data(), da, a.size_bytes())));
  return ended(lane->download(b.data(), db, b.size_bytes()));
}

// Quotient.

MemoryPlan CudaDevice::plan_quotient(size_t domain_size) const {
  return {3 * domain_size * sizeof(Fr) + gpu::quotient_table_bytes(domain_size), gpu::Lane::kStagingBytes, 0};
}

Status CudaDevice::quotient(QuotientBasis basis, DomainRoot root, std::span<Fr> a, std::span<Fr> b,
                            std::span<Fr> out) {
  if (!std::has_single_bit(a.size()) || a.size() != b.size() || a.size() != out.size())
    return invalid("a, b and the quotient must have one length, a power of two");
  CUZK_ASSIGN(auto lane, begin());
  const size_t bytes = a.size_bytes();
  CUZK_ASSIGN(auto memory, heap_->allocate(3 * bytes));
  CUZK_ASSIGN(auto tables, heap_->allocate(gpu::quotient_table_bytes(a.size())));
  char *da = memory.get(), *db = da + bytes, *result = nullptr;
  CUZK_TRY(ended(lane->upload(da, a.data(), bytes)));
  CUZK_TRY(ended(lane->upload(db, b.data(), bytes)));
  CUZK_TRY(
      ended(gpu::quotient_on_card(*lane, basis, root, a.size(), da, db, db + bytes, tables.get(), &result)));
  return ended(lane->download(out.data(), result, bytes));
}

}  // namespace cuzk
