#include "device/cpu/cpu_device.hpp"

#include <bit>
#include <new>

#include "device/cpu/cpu_circuit.hpp"
#include "device/cpu/cpu_quotient.hpp"
#include "device/cpu/fr_buffer.hpp"
#include "r1cs/evaluate.hpp"

namespace cuzk {
namespace {

constexpr size_t kMsmScratchBytes = size_t{64} << 20;
constexpr size_t kMsmScratchPerThreadBytes = size_t{2} << 20;
constexpr size_t kTwiddleBytes = sizeof(Fr) / 2;  // a point of a Domain
constexpr size_t kLoadChunk = 1024;

// The matrices and sources of a key; the sources themselves or their points, decoded.
class CpuKey final : public DeviceKey {
 public:
  CpuKey(KeyMaterial material, Domain domain)
      : material_(std::move(material)),
        circuit_(material_.matrices()),
        domain_(std::move(domain)),
        shape_(material_.shape()) {}
  const ProofShape& shape() const override { return shape_; }
  const KeyMaterial& material() const { return material_; }
  const detail::CpuCircuit& circuit() const { return circuit_; }
  const Domain& domain() const { return domain_; }

 private:
  KeyMaterial material_;
  detail::CpuCircuit circuit_;
  Domain domain_;
  ProofShape shape_;
};

template <class G>
class CpuBases final : public DeviceBases<G> {
 public:
  explicit CpuBases(Bases<G> bases) : bases_(std::move(bases)) {}
  size_t size() const override { return bases_->size(); }
  const PointSource<G>& source() const { return *bases_; }

 private:
  Bases<G> bases_;
};

class CpuMatrices final : public DeviceMatrices {
 public:
  explicit CpuMatrices(Matrices matrices) : circuit_(std::move(matrices)) {}
  const detail::CpuCircuit& circuit() const { return circuit_; }

 private:
  detail::CpuCircuit circuit_;
};

// Times one operation after the other.
class BusyLog {
 public:
  // What was done since the last call, or since the beginning.
  void done(const char* operation) {
    const auto now = std::chrono::steady_clock::now();
    spans_.push_back({operation, last_, now});
    last_ = now;
  }
  std::vector<BusySpan> take() { return std::move(spans_); }

 private:
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  std::vector<BusySpan> spans_;
};

class ReadySums final : public PendingSums {
 public:
  ReadySums(ProofSums sums, std::vector<BusySpan> busy) : sums_(sums), busy_(std::move(busy)) {}
  bool reads_witness() const override { return false; }
  std::span<const BusySpan> busy() const override { return busy_; }
  Result<ProofSums> wait() override { return sums_; }

 private:
  ProofSums sums_;
  std::vector<BusySpan> busy_;
};

// All sums but the one in G2, which is left for the tail.
class TailSums final : public PendingSums {
 public:
  TailSums(std::shared_ptr<const CpuKey> key, detail::FrBuffer unpacked, std::span<const Fr> witness,
           ProofSums sums, std::vector<BusySpan> busy, Executor& executor)
      : key_(std::move(key)),
        unpacked_(std::move(unpacked)),
        witness_(witness),
        sums_(sums),
        busy_(std::move(busy)),
        executor_(executor) {}
  std::span<const BusySpan> busy() const override { return busy_; }
  Result<ProofSums> wait() override {
    const KeyMaterial& material = key_->material();
    try {
      CUZK_ASSIGN(sums_.b_g2,
                  cuzk::msm<G2>(*material.b_g2, Scalars{witness_, material.b_variables}, executor_));
    } catch (const std::bad_alloc&) {
      return fail(ErrorCode::kResourceExhausted, "no memory for the sum in G2 on the CPU device");
    }
    return sums_;
  }

 private:
  std::shared_ptr<const CpuKey> key_;
  detail::FrBuffer unpacked_;
  std::span<const Fr> witness_;
  ProofSums sums_;
  std::vector<BusySpan> busy_;
  Executor& executor_;
};

template <class G>
Result<Bases<G>> decoded(const Bases<G>& source, Executor& executor) {
  if (std::dynamic_pointer_cast<const MemoryPoints<G>>(source) != nullptr)
    return source;  // it is that already
  std::vector<typename G::Point> points(source->size());
  const size_t chunks = (points.size() + kLoadChunk - 1) / kLoadChunk;
  std::vector<Status> status(chunks);
  executor.run(chunks, [&](size_t chunk) {
    const size_t begin = chunk * kLoadChunk, size = std::min(kLoadChunk, points.size() - begin);
    status[chunk] = source->load(begin, std::span(points).subspan(begin, size));
  });
  for (const Status& s : status) CUZK_TRY(s);
  return std::make_shared<MemoryPoints<G>>(std::move(points));
}

// The values of a witness in full: those given, or unpacked into `storage`.
std::span<const Fr> expand(const WitnessInput& witness, detail::FrBuffer& storage, BufferPool& buffers,
                           Executor& executor) {
  if (const auto* values = std::get_if<std::span<const Fr>>(&witness)) return *values;
  const auto& view = std::get<WitnessView>(witness);
  storage = detail::FrBuffer(view.size(), buffers);
  const std::span<Fr> values = storage.span();
  parallel_ranges(executor, values.size(), 4096, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) values[i] = view[i];
  });
  return values;
}

// The sum over h. Holds three vectors of the size of the domain, two of them until the quotient is there.
Result<G1::Sum> sum_over_h(const CpuKey& key, const WitnessInput& w, bool check_constraints, BusyLog& log,
                           BufferPool& buffers, Executor& executor) {
  const KeyMaterial& material = key.material();
  detail::FrBuffer a(material.domain_size, buffers), b(material.domain_size, buffers),
      h(material.domain_size, buffers);
  CUZK_TRY(key.circuit().evaluate(w, a.span(), b.span(), executor));
  if (check_constraints) CUZK_TRY(key.circuit().check(w, a.span(), b.span(), h.span(), executor));
  log.done("evaluate");
  detail::quotient(key.domain(), material.quotient_basis, material.domain_root, a.span(), b.span(), h.span(),
                   executor);
  log.done("ntt");
  a.release();
  b.release();
  return cuzk::msm<G1>(*material.h, Scalars{h.span().first(material.h->size())}, executor);
}

// with_g2: the sum over b in G2, too.
Result<ProofSums> all_sums(const CpuKey& key, const WitnessInput& witness, std::span<const Fr> w,
                           bool check_constraints, bool with_g2, BusyLog& log, BufferPool& buffers,
                           Executor& executor) {
  const KeyMaterial& material = key.material();
  CUZK_TRY(check_witness_form(key.shape().num_variables(), w));
  const Scalars of_l{w.subspan(key.shape().num_inputs)};
  const Scalars of_a{w, material.a_variables}, of_b{w, material.b_variables};
  ProofSums sums;
  CUZK_ASSIGN(sums.h, sum_over_h(key, witness, check_constraints, log, buffers, executor));
  CUZK_ASSIGN(sums.l, cuzk::msm<G1>(*material.l, of_l, executor));
  CUZK_ASSIGN(sums.a, cuzk::msm<G1>(*material.a, of_a, executor));
  CUZK_ASSIGN(sums.b_g1, cuzk::msm<G1>(*material.b_g1, of_b, executor));
  if (with_g2) {
    CUZK_ASSIGN(sums.b_g2, cuzk::msm<G2>(*material.b_g2, of_b, executor));
  }
  log.done("msm");
  return sums;
}

tl::unexpected<Error> out_of_memory(const char* what) {
  return fail(ErrorCode::kResourceExhausted, std::string("no memory for ") + what + " on the CPU device");
}

template <class G>
Result<typename G::Sum> selected_sum(const PointSource<G>& bases, std::span<const uint32_t> bits,
                                     Executor& executor) {
  if (bits.size() != (bases.size() + 31) / 32) {
    return invalid("batch addition over " + std::to_string(bases.size()) + " bases needs " +
                   std::to_string((bases.size() + 31) / 32) + " words of bits, got " +
                   std::to_string(bits.size()));
  }
  std::vector<Fr> scalars(bases.size());
  for (size_t k = 0; k < scalars.size(); ++k)
    scalars[k] = (bits[k / 32] >> (k % 32) & 1) != 0 ? Fr::one() : Fr::zero();
  return cuzk::msm<G>(bases, Scalars{scalars}, executor);
}

}  // namespace

MemoryPlan CpuDevice::plan_key(const ProofShape& shape) const {
  MemoryPlan plan = plan_matrices(shape);
  plan.host_bytes += kTwiddleBytes * shape.domain_size;
  if (residency_ == Residency::kSource) return plan;
  return plan + plan_bases_g1(shape.num_h + shape.num_l + shape.num_a + shape.num_b) +
         plan_bases_g2(shape.num_b);
}

Result<std::shared_ptr<const DeviceKey>> CpuDevice::load_key(const KeyMaterial& key) {
  try {
    KeyMaterial material = key;
    if (residency_ == Residency::kDecoded) {
      for (Bases<G1>* list : {&material.h, &material.l, &material.a, &material.b_g1}) {
        CUZK_ASSIGN(*list, decoded(*list, executor_));
      }
      CUZK_ASSIGN(material.b_g2, decoded(material.b_g2, executor_));
    }
    CUZK_ASSIGN(Domain domain, Domain::create(key.domain_size, executor_, key.domain_root));
    return std::make_shared<CpuKey>(std::move(material), std::move(domain));
  } catch (const std::bad_alloc&) {
    return out_of_memory("a proving key");
  }
}

MemoryPlan CpuDevice::plan_proof(const ProofShape& shape) const {
  MemoryPlan plan;
  // a, b and the quotient; a compact witness is unpacked.
  plan.host_bytes = sizeof(Fr) * (3 * shape.domain_size + shape.num_variables());
  if (tail_ != nullptr)
    plan.host_bytes += kMsmScratchBytes + kMsmScratchPerThreadBytes * tail_->concurrency();
  return plan + plan_msm_g1(0);
}

Result<std::unique_ptr<PendingSums>> CpuDevice::start(std::shared_ptr<const DeviceKey> key,
                                                      const WitnessInput& witness, bool check_satisfied) {
  try {
    BusyLog log;
    detail::FrBuffer unpacked;
    const std::span<const Fr> w = expand(witness, unpacked, buffers_, executor_);
    auto cpu_key = std::dynamic_pointer_cast<const CpuKey>(key);
    CUZK_ASSIGN(const ProofSums sums,
                all_sums(*cpu_key, witness, w, check_satisfied, tail_ == nullptr, log, buffers_, executor_));
    if (tail_ == nullptr) return std::make_unique<ReadySums>(sums, log.take());
    return std::make_unique<TailSums>(std::move(cpu_key), std::move(unpacked), w, sums, log.take(), *tail_);
  } catch (const std::bad_alloc&) {
    return out_of_memory("a proof");
  }
}

MemoryPlan CpuDevice::plan_bases_g1(size_t count) const {
  MemoryPlan plan;
  if (residency_ == Residency::kDecoded) plan.host_bytes = count * sizeof(G1Affine);
  return plan;
}

MemoryPlan CpuDevice::plan_bases_g2(size_t count) const {
  MemoryPlan plan;
  if (residency_ == Residency::kDecoded) plan.host_bytes = count * sizeof(G2Affine);
  return plan;
}

Result<std::unique_ptr<DeviceBases<G1>>> CpuDevice::load_bases(Bases<G1> bases) {
  if (residency_ == Residency::kDecoded) {
    CUZK_ASSIGN(bases, decoded(bases, executor_));
  }
  return std::make_unique<CpuBases<G1>>(std::move(bases));
}

Result<std::unique_ptr<DeviceBases<G2>>> CpuDevice::load_bases(Bases<G2> bases) {
  if (residency_ == Residency::kDecoded) {
    CUZK_ASSIGN(bases, decoded(bases, executor_));
  }
  return std::make_unique<CpuBases<G2>>(std::move(bases));
}

MemoryPlan CpuDevice::plan_matrices(const ProofShape& shape) const {
  MemoryPlan plan;
  if (shape.stored_bytes != 0) {
    // The file's pages, the witness shape, and the forms once more, prepared for evaluation.
    plan.host_bytes = 2 * shape.stored_bytes + shape.num_variables() / 4;
    return plan;
  }
  plan.host_bytes = shape.nonzeros * sizeof(Term) + 3 * (shape.num_constraints + 1) * sizeof(uint32_t) +
                    shape.coefficients * sizeof(Fr);
  return plan;
}

Result<std::unique_ptr<DeviceMatrices>> CpuDevice::load_matrices(std::shared_ptr<const R1cs> circuit) {
  return std::make_unique<CpuMatrices>(Matrices(std::move(circuit)));
}

Result<std::unique_ptr<DeviceMatrices>> CpuDevice::load_stored_matrices(
    std::shared_ptr<const StoredMatrices> matrices) {
  return std::make_unique<CpuMatrices>(Matrices(std::move(matrices)));
}

MemoryPlan CpuDevice::plan_evaluate(const ProofShape&) const {
  return {};
}

Status CpuDevice::evaluate(const DeviceMatrices& matrices, const WitnessInput& witness, std::span<Fr> a,
                           std::span<Fr> b) {
  const detail::CpuCircuit& circuit = dynamic_cast<const CpuMatrices&>(matrices).circuit();
  if (a.size() != b.size() ||
      a.size() < circuit.matrices().num_constraints() + circuit.matrices().num_inputs())
    return invalid("a and b must have one length, at least constraints + inputs");
  return circuit.evaluate(witness, a, b, executor_);
}

MemoryPlan CpuDevice::plan_quotient(size_t domain_size) const {
  MemoryPlan plan;
  plan.host_bytes = kTwiddleBytes * domain_size;
  return plan;
}

Status CpuDevice::quotient(QuotientBasis basis, DomainRoot root, std::span<Fr> a, std::span<Fr> b,
                           std::span<Fr> out) {
  if (!std::has_single_bit(a.size()) || a.size() != b.size() || a.size() != out.size())
    return invalid("a, b and the quotient must have one length, a power of two");
  CUZK_ASSIGN(const Domain domain, Domain::create(a.size(), executor_, root));
  detail::quotient(domain, basis, root, a, b, out, executor_);
  return {};
}

MemoryPlan CpuDevice::plan_msm_g1(size_t) const {
  MemoryPlan plan;
  plan.host_bytes = kMsmScratchBytes + kMsmScratchPerThreadBytes * executor_.concurrency();
  return plan;
}

MemoryPlan CpuDevice::plan_msm_g2(size_t count) const {
  return plan_msm_g1(count);
}

Result<G1::Sum> CpuDevice::msm(const DeviceBases<G1>& bases, const Scalars& scalars) {
  return cuzk::msm<G1>(dynamic_cast<const CpuBases<G1>&>(bases).source(), scalars, executor_);
}

Result<G2::Sum> CpuDevice::msm(const DeviceBases<G2>& bases, const Scalars& scalars) {
  return cuzk::msm<G2>(dynamic_cast<const CpuBases<G2>&>(bases).source(), scalars, executor_);
}

Result<G1::Sum> CpuDevice::add_selected(const DeviceBases<G1>& bases, std::span<const uint32_t> bits) {
  return selected_sum(dynamic_cast<const CpuBases<G1>&>(bases).source(), bits, executor_);
}

Result<G2::Sum> CpuDevice::add_selected(const DeviceBases<G2>& bases, std::span<const uint32_t> bits) {
  return selected_sum(dynamic_cast<const CpuBases<G2>&>(bases).source(), bits, executor_);
}

}  // namespace cuzk
