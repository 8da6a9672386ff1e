#include "device/cuda/cuda_device.hpp"

#include <algorithm>
#include <bit>

#include "device/cuda/arena.hpp"
#include "device/cuda/evaluate.hpp"
#include "device/cuda/msm_combine.hpp"
#include "device/cuda/ntt.hpp"
#include "r1cs/evaluate.hpp"

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

size_t witness_size(const WitnessInput& witness) {
  return std::visit([](const auto& w) { return w.size(); }, witness);
}

size_t compact_bytes(const ProofShape& shape) {
  // Marks, counts and bits a u32 for 32 variables each, and at most every value wide.
  return shape.num_variables() / 8 * 3 + shape.num_variables() * sizeof(Fr) + 4096;
}

// Unpacked on the host: only to name a constraint that fails.
std::vector<Fr> unpacked(const WitnessInput& witness) {
  if (const auto* values = std::get_if<std::span<const Fr>>(&witness))
    return {values->begin(), values->end()};
  const auto& view = std::get<WitnessView>(witness);
  std::vector<Fr> out(view.size());
  for (size_t i = 0; i < out.size(); ++i) out[i] = view[i];
  return out;
}

Fr first_value(const WitnessInput& witness) {
  return std::visit([](const auto& w) { return w[0]; }, witness);
}

}  // namespace

class CudaMatrices final : public DeviceMatrices {
 public:
  CudaMatrices(std::shared_ptr<const R1cs> circuit, std::shared_ptr<gpu::DeviceHeap> heap)
      : circuit_(std::move(circuit)), heap_(std::move(heap)) {}

  static size_t bytes(const R1cs& c) {
    gpu::Arena arena;
    carve(arena, c);
    return arena.bytes();
  }
  Status upload(gpu::Lane& lane) {
    CUZK_ASSIGN(memory_, heap_->allocate(bytes(*circuit_)));
    gpu::Arena arena(memory_.get());
    auto places = carve(arena, *circuit_);
    const SparseMatrix* sources[] = {&circuit_->a, &circuit_->b, &circuit_->c};
    for (size_t i = 0; i < 3; ++i) {
      CUZK_TRY(lane.upload(places.begins[i], sources[i]->row_begins()));
      CUZK_TRY(lane.upload(places.terms[i], sources[i]->terms()));
      matrices_[i] = {places.begins[i], places.terms[i], sources[i]->rows()};
    }
    std::vector<Fr> table(circuit_->coefficients.size());
    for (size_t i = 0; i < table.size(); ++i) table[i] = circuit_->coefficients[static_cast<uint32_t>(i)];
    coefficients_ = places.coefficients;
    return lane.upload(places.coefficients, std::span<const Fr>(table));
  }
  const R1cs& circuit() const { return *circuit_; }
  Status evaluate(gpu::Stream& stream, size_t which, const void* w, void* out) const {
    return gpu::evaluate_matrix(stream, matrices_[which], coefficients_, w, out);
  }

 private:
  struct Places {
    uint32_t* begins[3];
    Term* terms[3];
    Fr* coefficients;
  };
  static Places carve(gpu::Arena& arena, const R1cs& c) {
    Places p{};
    const SparseMatrix* sources[] = {&c.a, &c.b, &c.c};
    for (size_t i = 0; i < 3; ++i) {
      p.begins[i] = arena.take<uint32_t>(sources[i]->rows() + 1);
      p.terms[i] = arena.take<Term>(sources[i]->nonzeros());
    }
    p.coefficients = arena.take<Fr>(c.coefficients.size());
    return p;
  }

  std::shared_ptr<const R1cs> circuit_;
  std::shared_ptr<gpu::DeviceHeap> heap_;
  gpu::DeviceHeap::Block memory_;
  gpu::DeviceMatrix matrices_[3];
  const void* coefficients_ = nullptr;
};

class CudaKey final : public DeviceKey {
 public:
  const ProofShape& shape() const override { return shape_; }

  ProofShape shape_;
  bool has_c = false;
  std::unique_ptr<CudaMatrices> matrices;
  std::unique_ptr<CudaBases<G1>> h, l, a, b_g1;
  std::unique_ptr<CudaBases<G2>> b_g2;
  gpu::DeviceHeap::Block a_select, b_select;  // empty: base k takes variable k
};

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
  return std::unique_ptr<CudaDevice>(new CudaDevice(card, std::move(heap), executor));
}

Result<gpu::LanePool::Lease> CudaDevice::begin() {
  if (lost())
    return fail(ErrorCode::kUnavailable, name() + " (" + card_.pci_bus + ") is lost: restart the program");
  CUZK_TRY(gpu::use_card(card_.index));
  return lanes_.take();
}

template <class R>
R CudaDevice::ended(R result) {
  if (!result && result.error().code == ErrorCode::kUnavailable && !gpu::card_answers())
    lost_.store(true, std::memory_order_relaxed);
  return result;
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
  CUZK_TRY(ended(lane->template upload_points<G>(points.get(), source, executor_)));
  return std::make_unique<CudaBases<G>>(heap_, std::move(points), source.size());
}
Result<std::unique_ptr<DeviceBases<G1>>> CudaDevice::load_bases(Bases<G1> bases) {
  return load<G1>(*bases);
}
Result<std::unique_ptr<DeviceBases<G2>>> CudaDevice::load_bases(Bases<G2> bases) {
  return load<G2>(*bases);
}

// Multiplication.

size_t CudaDevice::msm_bytes(size_t count, bool g2) const {
  if (!gpu::use_card(card_.index)) return 0;
  auto plan = gpu::plan_msm(count, g2, gpu::tune_msm(count, g2), card_.multiprocessors);
  return plan ? plan->device_bytes : 0;
}

MemoryPlan CudaDevice::plan_msm_g1(size_t count) const {
  return {msm_bytes(count, false) + count * (sizeof(Fr) + sizeof(uint32_t)) + 512, gpu::Lane::kStagingBytes,
          0};
}
MemoryPlan CudaDevice::plan_msm_g2(size_t count) const {
  return {msm_bytes(count, true) + count * (sizeof(Fr) + sizeof(uint32_t)) + 512, gpu::Lane::kStagingBytes,
          0};
}

template <class G>
Result<typename G::Sum> CudaDevice::run(gpu::Lane& lane, void* workspace, const gpu::MsmTerms& terms) {
  if (terms.count == 0) return G::Sum::infinity();
  CUZK_ASSIGN(auto plan, gpu::plan_msm(terms.count, kIsG2<G>, gpu::tune_msm(terms.count, kIsG2<G>),
                                       card_.multiprocessors));
  static_assert(gpu::Lane::kSmallBytes >= size_t{257} * sizeof(G2::Sum));
  CUZK_ASSIGN(auto parts, gpu::run_msm(lane.stream(), plan, workspace, lane.small(), terms));
  return gpu::combine_msm<G>(parts);
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
  CUZK_ASSIGN(auto workspace, heap_->allocate(msm_bytes(count, kIsG2<G>)));
  CUZK_TRY(ended(lane->upload(values.get(), scalars.values)));
  CUZK_TRY(ended(lane->upload(select.get(), scalars.select)));
  return ended(run<G>(*lane, workspace.get(),
                      {.points = static_cast<const CudaBases<G>&>(bases).points(),
                       .scalars = values.get(),
                       .select = scalars.select.empty() ? nullptr : select.template as<const uint32_t>(),
                       .bits = nullptr,
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
  CUZK_ASSIGN(auto workspace, heap_->allocate(msm_bytes(count, kIsG2<G>)));
  CUZK_TRY(ended(lane->upload(on_card.get(), bits)));
  return ended(run<G>(*lane, workspace.get(),
                      {.points = static_cast<const CudaBases<G>&>(bases).points(),
                       .scalars = nullptr,
                       .select = nullptr,
                       .bits = on_card.template as<const uint32_t>(),
                       .count = count}));
}
Result<G1::Sum> CudaDevice::add_selected(const DeviceBases<G1>& bases, std::span<const uint32_t> bits) {
  return selected_sum<G1>(bases, bits);
}
Result<G2::Sum> CudaDevice::add_selected(const DeviceBases<G2>& bases, std::span<const uint32_t> bits) {
  return selected_sum<G2>(bases, bits);
}

// Evaluation.

MemoryPlan CudaDevice::plan_matrices(const ProofShape& shape) const {
  return {shape.nonzeros * sizeof(Term) + 3 * (shape.num_constraints + 1) * sizeof(uint32_t) +
              shape.coefficients * sizeof(Fr) + 7 * 256,
          0, 0};
}

Result<std::unique_ptr<DeviceMatrices>> CudaDevice::load_matrices(std::shared_ptr<const R1cs> circuit) {
  CUZK_ASSIGN(auto lane, begin());
  auto matrices = std::make_unique<CudaMatrices>(std::move(circuit), heap_);
  CUZK_TRY(ended(matrices->upload(*lane)));
  return matrices;
}

MemoryPlan CudaDevice::plan_evaluate(const ProofShape& shape) const {
  return {compact_bytes(shape) + (shape.num_variables() + 2 * shape.domain_size) * sizeof(Fr),
          gpu::Lane::kStagingBytes, 0};
}

// w on the card; scratch: room for a compact witness (compact_bytes).
Status CudaDevice::upload_witness(gpu::Lane& lane, const WitnessInput& witness, void* w, void* scratch) {
  if (const auto* values = std::get_if<std::span<const Fr>>(&witness)) return lane.upload(w, *values);
  const auto& view = std::get<WitnessView>(witness);
  const WitnessShape& shape = view.shape();
  gpu::Arena arena(scratch);
  auto put = [&]<class T>(std::span<const T> values, const T** place) -> Status {
    T* to = arena.take<T>(values.size());
    *place = to;
    return lane.upload(to, values);
  };
  gpu::DeviceCompact compact{};
  compact.variables = view.size();
  const Fr* wide = nullptr;
  CUZK_TRY(put(shape.bit_marks(), &compact.bit_marks));
  CUZK_TRY(put(shape.bits_before_word(), &compact.bits_before_word));
  CUZK_TRY(put(std::span<const uint32_t>(view.packed().bits), &compact.bits));
  CUZK_TRY(put(std::span<const Fr>(view.packed().wide), &wide));
  compact.wide = wide;
  return gpu::expand_witness(lane.stream(), compact, w);
}

Status CudaDevice::evaluate_on_card(gpu::Lane& lane, const CudaMatrices& matrices, const void* w, void* a,
                                    void* b, size_t n) {
  gpu::Stream& stream = lane.stream();
  const size_t rows = matrices.circuit().num_constraints(), inputs = matrices.circuit().num_inputs;
  CUZK_TRY(matrices.evaluate(stream, 0, w, a));
  CUZK_TRY(matrices.evaluate(stream, 1, w, b));
  char *a_rest = static_cast<char*>(a) + rows * sizeof(Fr),
       *b_rest = static_cast<char*>(b) + rows * sizeof(Fr);
  CUZK_TRY(stream.on_device(a_rest, w, inputs * sizeof(Fr)));
  CUZK_TRY(stream.fill(a_rest + inputs * sizeof(Fr), 0, (n - rows - inputs) * sizeof(Fr)));
  return stream.fill(b_rest, 0, (n - rows) * sizeof(Fr));
}

Status CudaDevice::evaluate(const DeviceMatrices& matrices, const WitnessInput& witness, std::span<Fr> a,
                            std::span<Fr> b) {
  const auto& on_card = static_cast<const CudaMatrices&>(matrices);
  const R1cs& circuit = on_card.circuit();
  if (witness_size(witness) != circuit.num_variables()) {
    return invalid("the witness has " + std::to_string(witness_size(witness)) + " values, the circuit has " +
                   std::to_string(circuit.num_variables()) + " variables");
  }
  if (a.size() != b.size() || a.size() < circuit.num_constraints() + circuit.num_inputs)
    return invalid("a and b must have one length, at least constraints + inputs");
  CUZK_ASSIGN(auto lane, begin());
  ProofShape shape;
  shape.num_inputs = circuit.num_inputs;
  shape.num_aux = circuit.num_aux;
  CUZK_ASSIGN(auto w, heap_->allocate(shape.num_variables() * sizeof(Fr)));
  CUZK_ASSIGN(auto values, heap_->allocate(2 * a.size_bytes()));
  CUZK_ASSIGN(auto scratch, heap_->allocate(compact_bytes(shape)));
  char *da = values.get(), *db = da + a.size_bytes();
  CUZK_TRY(ended(upload_witness(*lane, witness, w.get(), scratch.get())));
  CUZK_TRY(ended(evaluate_on_card(*lane, on_card, w.get(), da, db, a.size())));
  CUZK_TRY(ended(lane->download(a.data(), da, a.size_bytes())));
  return ended(lane->download(b.data(), db, b.size_bytes()));
}

// Quotient.

MemoryPlan CudaDevice::plan_quotient(size_t domain_size) const {
  return {3 * domain_size * sizeof(Fr) +
              gpu::ntt_table_bytes(static_cast<uint32_t>(std::bit_width(domain_size) - 1)),
          gpu::Lane::kStagingBytes, 0};
}

Status CudaDevice::quotient_on_card(gpu::Lane& lane, QuotientBasis basis, DomainRoot root, size_t n, char* a,
                                    char* b, char* scratch, void* tables, char** result) {
  const auto log = static_cast<uint32_t>(std::bit_width(n) - 1);
  const bool odd = basis == QuotientBasis::kOddLagrange;
  const Fr shift = odd ? fr_root_of_unity(log + 1, root) : Fr::generator();
  CUZK_ASSIGN(auto domain, gpu::NttDomain::create(lane.stream(), log, tables, root, shift));
  *result = odd ? a : b;
  if (odd) return domain.values_on_coset(lane.stream(), a, b, scratch);
  return domain.quotient(lane.stream(), a, b, scratch);
}

Status CudaDevice::quotient(QuotientBasis basis, DomainRoot root, std::span<Fr> a, std::span<Fr> b,
                            std::span<Fr> out) {
  if (!std::has_single_bit(a.size()) || a.size() != b.size() || a.size() != out.size())
    return invalid("a, b and the quotient must have one length, a power of two");
  CUZK_ASSIGN(auto lane, begin());
  const size_t bytes = a.size_bytes();
  CUZK_ASSIGN(auto memory, heap_->allocate(3 * bytes));
  CUZK_ASSIGN(auto tables, heap_->allocate(plan_quotient(a.size()).device_bytes - 3 * bytes));
  char *da = memory.get(), *db = da + bytes, *result = nullptr;
  CUZK_TRY(ended(lane->upload(da, a.data(), bytes)));
  CUZK_TRY(ended(lane->upload(db, b.data(), bytes)));
  CUZK_TRY(ended(quotient_on_card(*lane, basis, root, a.size(), da, db, db + bytes, tables.get(), &result)));
  return ended(lane->download(out.data(), result, bytes));
}

// Proofs.

namespace {

// Where everything of one proof is in its block of device memory.
struct ProofSpace {
  char *w, *a, *b, *scratch, *tables;
  uint32_t* flag;
  void* workspace;

  ProofSpace(gpu::Arena& arena, const ProofShape& shape, size_t table_bytes, size_t workspace_bytes)
      : w(arena.take<char>(shape.num_variables() * sizeof(Fr))),
        a(arena.take<char>(shape.domain_size * sizeof(Fr))),
        b(arena.take<char>(shape.domain_size * sizeof(Fr))),
        scratch(arena.take<char>(std::max(shape.domain_size * sizeof(Fr), compact_bytes(shape)))),
        tables(arena.take<char>(table_bytes)),
        flag(arena.take<uint32_t>(1)),
        workspace(arena.take_bytes(workspace_bytes)) {}
};

class ReadySums final : public PendingSums {
 public:
  ReadySums(const ProofSums& sums, std::vector<BusySpan> busy) : sums_(sums), busy_(std::move(busy)) {}
  bool reads_witness() const override { return false; }
  std::span<const BusySpan> busy() const override { return busy_; }
  Result<ProofSums> wait() override { return sums_; }

 private:
  ProofSums sums_;
  std::vector<BusySpan> busy_;
};

size_t table_bytes(const ProofShape& shape) {
  return gpu::ntt_table_bytes(static_cast<uint32_t>(std::bit_width(shape.domain_size) - 1));
}

}  // namespace

MemoryPlan CudaDevice::plan_key(const ProofShape& shape) const {
  MemoryPlan plan = plan_matrices(shape) +
                    plan_bases_g1(shape.num_h + shape.num_l + shape.num_a + shape.num_b) +
                    plan_bases_g2(shape.num_b);
  plan.device_bytes += (shape.num_a + shape.num_b) * sizeof(uint32_t) + 16 * 256;
  return plan;
}

Result<std::shared_ptr<const DeviceKey>> CudaDevice::load_key(const KeyMaterial& key) {
  auto out = std::make_shared<CudaKey>();
  out->shape_ = key.shape();
  out->has_c = key.has_c();
  CUZK_ASSIGN(auto lane, begin());
  out->matrices = std::make_unique<CudaMatrices>(key.circuit, heap_);
  CUZK_TRY(ended(out->matrices->upload(*lane)));
  auto load_into = [&]<class G>(const Bases<G>& source, std::unique_ptr<CudaBases<G>>& place) -> Status {
    CUZK_ASSIGN(auto points, heap_->allocate(source->size() * sizeof(typename G::Point)));
    CUZK_TRY(lane->template upload_points<G>(points.get(), *source, executor_));
    place = std::make_unique<CudaBases<G>>(heap_, std::move(points), source->size());
    return {};
  };
  CUZK_TRY(ended(load_into(key.h, out->h)));
  CUZK_TRY(ended(load_into(key.l, out->l)));
  CUZK_TRY(ended(load_into(key.a, out->a)));
  CUZK_TRY(ended(load_into(key.b_g1, out->b_g1)));
  CUZK_TRY(ended(load_into(key.b_g2, out->b_g2)));
  auto load_select = [&](const VariableSet& variables, gpu::DeviceHeap::Block& place) -> Status {
    if (variables.empty()) return {};
    CUZK_ASSIGN(place, heap_->allocate(variables.size() * sizeof(uint32_t)));
    return lane->upload(place.get(), std::span<const uint32_t>(variables));
  };
  CUZK_TRY(ended(load_select(key.a_variables, out->a_select)));
  CUZK_TRY(ended(load_select(key.b_variables, out->b_select)));
  return out;
}

MemoryPlan CudaDevice::plan_proof(const ProofShape& shape) const {
  const size_t most_g1 = std::max({shape.num_h, shape.num_l, shape.num_a, shape.num_b});
  gpu::Arena arena;
  ProofSpace space(arena, shape, table_bytes(shape),
                   std::max(msm_bytes(most_g1, false), msm_bytes(shape.num_b, true)));
  return {arena.bytes(), gpu::Lane::kStagingBytes + gpu::Lane::kSmallBytes, 0};
}

Result<std::unique_ptr<PendingSums>> CudaDevice::start(std::shared_ptr<const DeviceKey> key,
                                                       const WitnessInput& witness, bool check_satisfied) {
  const auto& on_card = static_cast<const CudaKey&>(*key);
  const R1cs& circuit = on_card.matrices->circuit();
  if (witness_size(witness) != circuit.num_variables() || witness_size(witness) == 0 ||
      !first_value(witness).is_one()) {
    const std::vector<Fr> values = unpacked(witness);
    CUZK_TRY(check_witness_form(circuit.num_variables(), values));
  }
  CUZK_ASSIGN(auto lane, begin());
  std::vector<BusySpan> busy;
  CUZK_ASSIGN(auto sums, ended(prove(*lane, on_card, witness, check_satisfied, busy)));
  return std::make_unique<ReadySums>(sums, std::move(busy));
}

Result<ProofSums> CudaDevice::prove(gpu::Lane& lane, const CudaKey& key, const WitnessInput& witness,
                                    bool check_satisfied, std::vector<BusySpan>& busy) {
  const ProofShape& shape = key.shape();
  const R1cs& circuit = key.matrices->circuit();
  gpu::Stream& stream = lane.stream();
  const size_t workspace_bytes =
      std::max({msm_bytes(shape.num_h, false), msm_bytes(shape.num_l, false), msm_bytes(shape.num_a, false),
                msm_bytes(shape.num_b, false), msm_bytes(shape.num_b, true)});
  gpu::Arena count;
  ProofSpace(count, shape, table_bytes(shape), workspace_bytes);
  CUZK_ASSIGN(auto memory, heap_->allocate(count.bytes()));
  gpu::Arena arena(memory.get());
  const ProofSpace space(arena, shape, table_bytes(shape), workspace_bytes);

  auto last = std::chrono::steady_clock::now();
  auto done = [&](const char* operation) -> Status {
    CUZK_TRY(stream.wait());
    const auto now = std::chrono::steady_clock::now();
    busy.push_back({operation, last, now});
    last = now;
    return {};
  };
  CUZK_TRY(upload_witness(lane, witness, space.w, space.scratch));
  CUZK_TRY(done("transfer_to"));
  CUZK_TRY(evaluate_on_card(lane, *key.matrices, space.w, space.a, space.b, shape.domain_size));
  if (check_satisfied && key.has_c) {
    CUZK_TRY(key.matrices->evaluate(stream, 2, space.w, space.scratch));
    CUZK_TRY(gpu::compare_products(stream, space.a, space.b, space.scratch, circuit.num_constraints(),
                                   space.flag));
    auto* differs = static_cast<uint32_t*>(lane.small());
    CUZK_TRY(stream.to_host(differs, space.flag, sizeof *differs));
    CUZK_TRY(stream.wait());
    if (*differs != 0) {
      const std::vector<Fr> values = unpacked(witness);
      CUZK_TRY(cuzk::check_satisfied(circuit, values, executor_));
      return fail(ErrorCode::kInternal, name() + ": a constraint failed on the card that holds on the host");
    }
  }
  CUZK_TRY(done("evaluate"));
  char* h = nullptr;
  CUZK_TRY(quotient_on_card(lane, shape.quotient_basis, shape.domain_root, shape.domain_size, space.a,
                            space.b, space.scratch, space.tables, &h));
  CUZK_TRY(done("ntt"));

  ProofSums sums;
  auto terms = [&](const auto& bases, const char* scalars, const gpu::DeviceHeap::Block* select) {
    gpu::MsmTerms t;
    t.points = bases.points();
    t.scalars = scalars;
    t.select =
        select == nullptr || select->get() == nullptr ? nullptr : select->template as<const uint32_t>();
    t.count = bases.size();
    return t;
  };
  CUZK_ASSIGN(sums.h, run<G1>(lane, space.workspace, terms(*key.h, h, nullptr)));
  CUZK_ASSIGN(sums.l, run<G1>(lane, space.workspace,
                              terms(*key.l, space.w + circuit.num_inputs * sizeof(Fr), nullptr)));
  CUZK_ASSIGN(sums.a, run<G1>(lane, space.workspace, terms(*key.a, space.w, &key.a_select)));
  CUZK_ASSIGN(sums.b_g1, run<G1>(lane, space.workspace, terms(*key.b_g1, space.w, &key.b_select)));
  CUZK_ASSIGN(sums.b_g2, run<G2>(lane, space.workspace, terms(*key.b_g2, space.w, &key.b_select)));
  CUZK_TRY(done("msm"));
  return sums;
}

}  // namespace cuzk
