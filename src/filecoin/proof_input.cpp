#include "filecoin/proof_input.hpp"

#include "filecoin/sector.hpp"

namespace cuzk {
namespace {

struct CircuitOf {
  CircuitId operator()(const PorepInput& in) const { return {ProofKind::kPorep, in.sector_bytes}; }
  CircuitId operator()(const PostInput& in) const {
    return {in.winning ? ProofKind::kWinning : ProofKind::kWindow, in.sector_bytes};
  }
  CircuitId operator()(const UpdateInputs& in) const { return {ProofKind::kSnap, in.statement.sector_bytes}; }
};

struct PartitionsOf {
  uint32_t operator()(const PorepInput& in) const { return static_cast<uint32_t>(in.partitions.size()); }
  uint32_t operator()(const PostInput& in) const { return in.partitions(); }
  uint32_t operator()(const UpdateInputs& in) const { return update_partitions(in.statement.sector_bytes); }
};

struct StatementOf {
  Result<Statement> operator()(const PorepInput& in) const {
    if (!in.sector) return invalid("the sector number is not known");
    if (!in.miner && !in.prover) return invalid("the miner is not known");
    PorepStatement out;
    out.seal = {in.sector_bytes, in.api, in.variant};
    out.porep_id = in.porep_id;
    out.miner = in.miner;
    out.prover = in.prover ? *in.prover : prover_id(*in.miner);
    out.sector = *in.sector;
    out.comm_d = in.comm_d;
    out.comm_r = in.comm_r;
    out.ticket = in.ticket;
    out.seed = in.seed;
    return Statement(out);
  }
  Result<Statement> operator()(const PostInput& in) const {
    PostStatement out{in.sector_bytes, in.winning, in.api, in.randomness, {}, in.miner, std::nullopt};
    if (in.miner) out.prover = prover_id(*in.miner);
    for (const PostSectorProof& sector : in.sectors) out.sectors.push_back({sector.sector_id, sector.comm_r});
    if (out.sectors.empty() || (in.winning && out.sectors.size() != 1))
      return invalid(std::to_string(out.sectors.size()) + " sectors");
    return Statement(std::move(out));
  }
  Result<Statement> operator()(const UpdateInputs& in) const { return Statement(in.statement); }
};

Result<const UpdateInput*> find_partition(const UpdateInputs& in, uint32_t partition) {
  for (const UpdateInput& candidate : in.partitions)
    if (candidate.partition == partition) return &candidate;
  return invalid("partition " + std::to_string(partition) + " is not among the vanilla proofs");
}

}  // namespace

CircuitId ProofInput::circuit() const {
  return std::visit(CircuitOf{}, form_);
}

uint32_t ProofInput::partitions() const {
  return std::visit(PartitionsOf{}, form_);
}

Result<Statement> ProofInput::statement() const {
  return std::visit(StatementOf{}, form_);
}

Status ProofInput::check(uint32_t partition, Executor& executor) const {
  if (const auto* porep = std::get_if<PorepInput>(&form_))
    return check_porep_input(*porep, partition, executor);
  if (const auto* post = std::get_if<PostInput>(&form_)) return check_post_input(*post, partition);
  CUZK_ASSIGN(const UpdateInput* update, find_partition(std::get<UpdateInputs>(form_), partition));
  if (Status status = check_update_input(*update); !status)
    return tl::unexpected(status.error().at("partition " + std::to_string(partition)));
  return {};
}

Status ProofInput::synthesize(uint32_t partition, ConstraintSystem& cs) const {
  if (const auto* porep = std::get_if<PorepInput>(&form_)) return synthesize_porep(*porep, partition, cs);
  if (const auto* post = std::get_if<PostInput>(&form_)) return synthesize_post(*post, partition, cs);
  CUZK_ASSIGN(const UpdateInput* update, find_partition(std::get<UpdateInputs>(form_), partition));
  synthesize_update(*update, cs);
  return {};
}

Result<CompactWitness> ProofInput::compact(uint32_t partition, Executor& executor) const {
  if (const auto* porep = std::get_if<PorepInput>(&form_)) return compact_porep(*porep, partition, executor);
  if (const auto* post = std::get_if<PostInput>(&form_)) return compact_post(*post, partition, executor);
  CUZK_ASSIGN(const UpdateInput* update, find_partition(std::get<UpdateInputs>(form_), partition));
  return compact_update(*update, executor);
}

}  // namespace cuzk
