#include "filecoin/statement.hpp"

#include "filecoin/sector.hpp"

namespace cuzk {
namespace {

ProofKind kind_of(const Statement::Form& form) {
  if (std::holds_alternative<PorepStatement>(form)) return ProofKind::kPorep;
  if (std::holds_alternative<UpdatePublic>(form)) return ProofKind::kSnap;
  return std::get<PostStatement>(form).winning ? ProofKind::kWinning : ProofKind::kWindow;
}

uint64_t sector_bytes_of(const Statement::Form& form) {
  if (const auto* porep = std::get_if<PorepStatement>(&form)) return porep->seal.sector_bytes;
  if (const auto* post = std::get_if<PostStatement>(&form)) return post->sector_bytes;
  return std::get<UpdatePublic>(form).sector_bytes;
}

Result<std::vector<Fr>> inputs_of(const PorepStatement& s, uint32_t partition) {
  return porep_public_inputs({s.seal.sector_bytes, s.seal.api, s.seal.variant, s.porep_id, s.replica_id(),
                              s.comm_d, s.comm_r, s.seed},
                             partition);
}

Result<std::vector<Fr>> inputs_of(const PostStatement& s, uint32_t partition) {
  if (s.winning) return winning_public_inputs(s.sector_bytes, s.randomness, s.sectors[0]);
  return window_public_inputs(s.sector_bytes, s.api, s.randomness, s.sectors, partition);
}

Result<std::vector<Fr>> inputs_of(const UpdatePublic& s, uint32_t partition) {
  return update_public_inputs(s, partition);
}

}  // namespace

Bytes32 PorepStatement::replica_id() const {
  return compute_replica_id(prover, sector, ticket, comm_d, porep_id);
}

CircuitId Statement::circuit() const {
  return {kind_of(form_), sector_bytes_of(form_)};
}

uint32_t Statement::partitions() const {
  if (const auto* porep = std::get_if<PorepStatement>(&form_)) return porep->seal.partitions();
  if (const auto* update = std::get_if<UpdatePublic>(&form_)) return update_partitions(update->sector_bytes);
  const auto& post = std::get<PostStatement>(form_);
  if (post.winning) return 1;
  const size_t size = window_sectors_per_partition(post.sector_bytes);
  return static_cast<uint32_t>((post.sectors.size() + size - 1) / size);
}

Result<std::vector<Fr>> Statement::public_inputs(uint32_t partition) const {
  if (partition >= partitions())
    return invalid("partition " + std::to_string(partition) + ": there are " + std::to_string(partitions()) +
                   ", numbered from 0");
  return std::visit([&](const auto& form) { return inputs_of(form, partition); }, form_);
}

Result<Bytes32> parse_bytes32(std::string_view hex, const std::string& what) {
  std::string_view digits = hex;
  if (digits.starts_with("0x") || digits.starts_with("0X")) digits.remove_prefix(2);
  const auto bytes = from_hex(digits);
  if (!bytes || bytes->size() != 32)
    return invalid(what + ": found \"" + std::string(hex.substr(0, 80)) +
                   "\", expected 64 hex digits (32 bytes)");
  Bytes32 out;
  std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

}  // namespace cuzk
