// Whole proofs on a CUDA card.
#include <algorithm>

#include "base/check.hpp"
#include "device/cuda/cuda_device.hpp"
#include "device/cuda/cuda_steps.hpp"
#include "device/cuda/msm_combine.hpp"
#include "r1cs/evaluate.hpp"

namespace cuzk {

namespace {

using gpu::kNumLists;

constexpr size_t kLeastPiece = 1 << 12;

// Of the multiplications of one piece of the witness. The lists a and b have about the same share of it as of
// the whole.
gpu::MsmSets witness_sets(const ProofShape& shape) {
  const double share =
      static_cast<double>(std::min(shape.num_a, shape.num_b)) / static_cast<double>(shape.num_variables());
  return {.g1 = true, .g2 = true, .subsets = true, .count = 4, .least_share = std::min(1.0, share)};
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

// Where everything of one proof is in its block of device memory.
struct ProofSpace {
  char *witness, *a, *b, *scratch, *tables;
  uint32_t* flag;
  char *workspace, *staging;

  ProofSpace(gpu::Arena& arena, const ProofShape& shape, size_t witness_bytes, size_t workspace_bytes,
             size_t staging_bytes)
      : witness(arena.take<char>(witness_bytes)),
        a(arena.take<char>(shape.domain_size * sizeof(Fr))),
        b(arena.take<char>(shape.domain_size * sizeof(Fr))),
        scratch(arena.take<char>(shape.domain_size * sizeof(Fr))),
        tables(arena.take<char>(gpu::quotient_table_bytes(shape.domain_size))),
        flag(arena.take<uint32_t>(1)),
        workspace(arena.take<char>(workspace_bytes)),
        staging(arena.take<char>(staging_bytes)) {}
};

size_t space_bytes(const ProofShape& shape, size_t witness_bytes, size_t workspace_bytes,
                   size_t staging_bytes) {
  gpu::Arena arena;
  ProofSpace(arena, shape, witness_bytes, workspace_bytes, staging_bytes);
  return arena.bytes();
}

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

// The multiplications of a proof: piece after piece, the bases of the next streamed piece on their way while
// one is worked on.
class Multiplications {
 public:
  Multiplications(gpu::Lane& lane, const gpu::CudaKey& key, const ProofSpace& space, unsigned multiprocessors)
      : lane_(lane), key_(key), space_(space), multiprocessors_(multiprocessors) {}

  // h: its scalars. The sums of h are added to sums.h, those of the witness to the others.
  Status run(const gpu::DeviceWitness& witness, const char* h, ProofSums& sums) {
    const auto &of_h = key_.placement().h_pieces, &of_variables = key_.placement().variable_pieces;
    for (size_t i = 0; i < of_h.size(); ++i) steps_.push_back({&of_h[i], i, true});
    for (size_t i = 0; i < of_variables.size(); ++i) steps_.push_back({&of_variables[i], i, false});
    CUZK_TRY(fetch_from(0));
    for (size_t i = 0; i < steps_.size(); ++i) {
      const Step& step = steps_[i];
      const bool streamed = step.piece->streamed;
      const size_t half = half_;
      if (streamed) {
        CUZK_TRY(lane_.copies().wait());
        half_ ^= 1;
        CUZK_TRY(fetch_from(i + 1));
      }
      CUZK_TRY(multiply(step, streamed ? half_of(half) : nullptr, witness, h, sums));
    }
    return {};
  }

 private:
  struct Step {
    const gpu::MsmPiece* piece;
    size_t number;
    bool of_h;
    size_t first_list() const { return of_h ? size_t{gpu::kListH} : 0; }
    size_t end_list() const { return of_h ? size_t{kNumLists} : size_t{gpu::kListH}; }
  };

  char* half_of(size_t half) const { return space_.staging + half * (key_.placement().staging_bytes / 2); }

  // Starts the copies of the first streamed step at or after this one to the half whose turn it is.
  Status fetch_from(size_t step) {
    while (step < steps_.size() && !steps_[step].piece->streamed) ++step;
    if (step == steps_.size()) return {};
    gpu::Arena arena(half_of(half_));
    for (size_t list = steps_[step].first_list(); list < steps_[step].end_list(); ++list) {
      const gpu::BaseRange range = key_.bases(list, steps_[step].number);
      const size_t bytes = range.count * gpu::point_bytes(list);
      char* to = arena.take<char>(bytes);
      if (bytes != 0) CUZK_TRY(lane_.copies().to_device(to, range.at, bytes));
    }
    CUZK_CHECK(2 * arena.bytes() <= key_.placement().staging_bytes);
    return {};
  }

  Status multiply(const Step& step, char* staged, const gpu::DeviceWitness& witness, const char* h,
                  ProofSums& sums) {
    const gpu::MsmPiece& piece = *step.piece;
    gpu::Arena arena(staged);
    std::vector<gpu::MsmBases> sets;
    std::vector<size_t> lists;
    for (size_t list = step.first_list(); list < step.end_list(); ++list) {
      const gpu::BaseRange range = key_.bases(list, step.number);
      const char* at = staged == nullptr ? range.at : arena.take<char>(range.count * gpu::point_bytes(list));
      if (range.count == 0) continue;
      gpu::MsmBases set = key_.subset(list, piece.first);
      set.points = at;
      set.skipped = static_cast<uint32_t>(range.first);
      sets.push_back(set);
      lists.push_back(list);
    }
    gpu::MsmScalars scalars{.count = piece.count};
    if (step.of_h) {
      scalars.values = h + piece.first * sizeof(Fr);
    } else if (witness.values != nullptr) {
      scalars.values = static_cast<const char*>(witness.values) + piece.first * sizeof(Fr);
    } else {
      scalars.compact = &witness.compact;
      scalars.first = piece.first;
    }
    const gpu::MsmSets kinds = step.of_h ? gpu::MsmSets{} : witness_sets(key_.shape());
    CUZK_ASSIGN(const auto plan,
                gpu::plan_msm(piece.count, kinds, gpu::tune_msm(piece.count, kinds), multiprocessors_));
    CUZK_CHECK(plan.pinned_bytes <= gpu::Lane::kSmallBytes);
    CUZK_ASSIGN(const auto parts,
                gpu::run_msm(lane_.stream(), plan, space_.workspace, lane_.small(), scalars, sets));
    G1::Sum* const g1_sums[kNumLists] = {&sums.l, &sums.a, &sums.b_g1, nullptr, &sums.h};
    for (size_t s = 0; s < sets.size(); ++s) {
      if (sets[s].g2) {
        sums.b_g2 += gpu::combine_msm<G2>(parts[s]);
      } else {
        *g1_sums[lists[s]] += gpu::combine_msm<G1>(parts[s]);
      }
    }
    return {};
  }

  gpu::Lane& lane_;
  const gpu::CudaKey& key_;
  const ProofSpace& space_;
  unsigned multiprocessors_;
  std::vector<Step> steps_;
  size_t half_ = 0;
};

}  // namespace

size_t CudaDevice::proof_workspace(const ProofShape& shape, const gpu::KeyPlacement& placement) const {
  size_t bytes = 0;
  for (const gpu::MsmPiece& piece : placement.variable_pieces)
    bytes = std::max(bytes, msm_bytes(piece.count, witness_sets(shape)));
  for (const gpu::MsmPiece& piece : placement.h_pieces) bytes = std::max(bytes, msm_bytes(piece.count, {}));
  return bytes;
}

// The pieces are as large as their workspace may be: half of the memory. Then the bases get what a proof
// leaves.
gpu::KeyPlacement CudaDevice::placement(const ProofShape& shape) const {
  const size_t all = heap_->bytes(), most_witness = gpu::most_witness_bytes(shape.num_variables());
  size_t piece = std::max(shape.num_variables(), shape.num_h) + gpu::kPieceMultiple;
  while (piece > kLeastPiece && proof_workspace(shape, gpu::place_key(shape, SIZE_MAX, piece)) > all / 2)
    piece /= 2;
  const size_t workspace = proof_workspace(shape, gpu::place_key(shape, SIZE_MAX, piece));
  const size_t others =
      space_bytes(shape, most_witness, workspace, 0) + gpu::CudaKey::plan(shape, {}).device_bytes;
  size_t room = all - std::min(all, others);
  if (options_.base_bytes != 0) room = std::min(room, options_.base_bytes);
  return gpu::place_key(shape, room, piece);
}

MemoryPlan CudaDevice::plan_key(const ProofShape& shape) const {
  return gpu::CudaKey::plan(shape, placement(shape));
}

Result<std::shared_ptr<const DeviceKey>> CudaDevice::load_key(const KeyMaterial& key) {
  CUZK_ASSIGN(auto lane, begin());
  return ended(gpu::CudaKey::load(key, placement(key.shape()), heap_, *lane, executor_));
}

MemoryPlan CudaDevice::plan_proof(const ProofShape& shape) const {
  const gpu::KeyPlacement placed = placement(shape);
  return {space_bytes(shape, gpu::most_witness_bytes(shape.num_variables()), proof_workspace(shape, placed),
                      placed.staging_bytes),
          gpu::Lane::kStagingBytes + gpu::Lane::kSmallBytes, 0};
}

Result<std::unique_ptr<PendingSums>> CudaDevice::start(std::shared_ptr<const DeviceKey> key,
                                                       const WitnessInput& witness, bool check_satisfied) {
  const auto& on_card = static_cast<const gpu::CudaKey&>(*key);
  const R1cs& circuit = on_card.matrices().circuit();
  if (gpu::witness_size(witness) != circuit.num_variables() || gpu::witness_size(witness) == 0 ||
      !first_value(witness).is_one()) {
    const std::vector<Fr> values = unpacked(witness);
    CUZK_TRY(check_witness_form(circuit.num_variables(), values));
  }
  CUZK_ASSIGN(auto lane, begin());
  std::vector<BusySpan> busy;
  CUZK_ASSIGN(auto sums, ended(prove(*lane, on_card, witness, check_satisfied, busy)));
  return std::make_unique<ReadySums>(sums, std::move(busy));
}

Result<ProofSums> CudaDevice::prove(gpu::Lane& lane, const gpu::CudaKey& key, const WitnessInput& witness,
                                    bool check_satisfied, std::vector<BusySpan>& busy) {
  const ProofShape& shape = key.shape();
  const R1cs& circuit = key.matrices().circuit();
  gpu::Stream& stream = lane.stream();
  const size_t witness_bytes = gpu::witness_bytes(witness),
               workspace = proof_workspace(shape, key.placement());
  const size_t staging = key.placement().staging_bytes;
  CUZK_ASSIGN(auto memory, heap_->allocate(space_bytes(shape, witness_bytes, workspace, staging)));
  gpu::Arena arena(memory.get());
  const ProofSpace space(arena, shape, witness_bytes, workspace, staging);

  auto last = std::chrono::steady_clock::now();
  auto done = [&](const char* operation) -> Status {
    CUZK_TRY(stream.wait());
    const auto now = std::chrono::steady_clock::now();
    busy.push_back({operation, last, now});
    last = now;
    return {};
  };
  gpu::Arena witness_arena(space.witness);
  CUZK_ASSIGN(const gpu::DeviceWitness w, gpu::upload_witness(lane, witness, witness_arena));
  CUZK_TRY(done("transfer_to"));
  CUZK_TRY(gpu::evaluate_on_card(lane, key.matrices(), w, space.a, space.b, shape.domain_size));
  if (check_satisfied && key.has_c()) {
    CUZK_TRY(key.matrices().evaluate(stream, 2, w, space.scratch));
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
  CUZK_TRY(gpu::quotient_on_card(lane, shape.quotient_basis, shape.domain_root, shape.domain_size, space.a,
                                 space.b, space.scratch, space.tables, &h));
  CUZK_TRY(done("ntt"));
  ProofSums sums{G1::Sum::infinity(), G1::Sum::infinity(), G1::Sum::infinity(), G1::Sum::infinity(),
                 G2::Sum::infinity()};
  CUZK_TRY(Multiplications(lane, key, space, card_.multiprocessors).run(w, h, sums));
  CUZK_TRY(done("msm"));
  return sums;
}

}  // namespace cuzk
