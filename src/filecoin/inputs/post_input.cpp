#include "filecoin/inputs/post_input.hpp"

#include <array>

#include "filecoin/challenges.hpp"
#include "filecoin/circuit_parts.hpp"
#include "filecoin/sector.hpp"
#include "hash/poseidon.hpp"

namespace cuzk {
namespace {

Status check_place(const PostInput& input, uint32_t partition) {
  if (input.winning && input.sectors.size() != 1)
    return invalid(std::to_string(input.sectors.size()) + " sectors, a WinningPoSt has one");
  if (input.sectors.empty()) return invalid("no sectors");
  if (partition >= input.partitions())
    return invalid("partition " + std::to_string(partition) + " of " + std::to_string(input.partitions()));
  return {};
}

size_t challenges_of(const PostInput& input) {
  return input.winning ? kWinningChallenges : kWindowChallengesPerSector;
}

std::string place_of(const PostSectorProof& sector) {
  return "sector " + std::to_string(sector.sector_id);
}

Status check_count(const PostInput& input, const PostSectorProof& sector) {
  if (sector.circuit.leaves.size() == challenges_of(input)) return {};
  return invalid(place_of(sector) + ": " + std::to_string(sector.circuit.leaves.size()) +
                 " inclusion_proofs, expected " + std::to_string(challenges_of(input)));
}

// The sectors of a partition, without padding.
std::span<const PostSectorProof> sectors_of(const PostInput& input, uint32_t partition) {
  const std::span<const PostSectorProof> all(input.sectors);
  if (input.winning) return all;
  const size_t size = window_sectors_per_partition(input.sector_bytes), first = partition * size;
  return all.subspan(first, std::min(size, all.size() - first));
}

Status check_leaf(const PostInput& input, const PostSectorProof& sector, size_t i, uint64_t node) {
  const TreeShape tree = sector_tree(input.sector_bytes);
  const PostLeaf& leaf = sector.circuit.leaves[i];
  const std::string place = place_of(sector) + ": challenge " + std::to_string(i) + ": inclusion_proofs: ";
  if (path_index(tree, leaf.path) != node)
    return invalid(place + "index: the path is that of node " + std::to_string(path_index(tree, leaf.path)) +
                   ", challenged was " + std::to_string(node));
  if (!(sector.leaf_roots[i] == sector.circuit.comm_r_last)) return invalid(place + "root: not comm_r_last");
  if (!(merkle_root(tree, leaf.value, leaf.path) == sector.circuit.comm_r_last))
    return invalid(place + "the path does not lead from leaf to root");
  return {};
}

Result<PostSectorProof> read_sector_proof(BincodeReader& reader, uint64_t sector_bytes) {
  const TreeShape tree = sector_tree(sector_bytes);
  PostSectorProof out;
  CUZK_ASSIGN(out.sector_id, reader.u64("sector_id"));
  CUZK_ASSIGN(out.comm_r, reader.bytes32("comm_r"));
  CUZK_ASSIGN(out.circuit.comm_r, field_element(out.comm_r, "comm_r"));
  CUZK_ASSIGN(const size_t sectors, reader.length("sectors", 72));
  if (sectors != 1) return invalid(std::to_string(sectors) + " sectors in a vanilla proof, expected 1");
  CUZK_ASSIGN(const size_t proofs, reader.length("inclusion_proofs", 76));
  for (size_t i = 0; i < proofs; ++i) {
    CUZK_ASSIGN(MerkleProof proof, reader.merkle_proof("inclusion_proofs", tree));
    if (!path_has_shape(tree, sector_nodes(sector_bytes), proof.path))
      return invalid("inclusion_proofs: challenge " + std::to_string(i) +
                     ": the path does not have the shape of " + tree_name(tree) + " over " +
                     std::to_string(sector_nodes(sector_bytes)) + " leaves");
    out.circuit.leaves.push_back({proof.leaf, std::move(proof.path)});
    out.leaf_roots.push_back(proof.root);
  }
  CUZK_ASSIGN(out.circuit.comm_c, reader.element("comm_c"));
  CUZK_ASSIGN(out.circuit.comm_r_last, reader.element("comm_r_last"));
  return out;
}

}  // namespace

Result<PostSectorProof> parse_post_sector_proof(Bytes bincode, uint64_t sector_bytes) {
  BincodeReader reader(bincode);
  CUZK_ASSIGN(PostSectorProof out, read_sector_proof(reader, sector_bytes));
  CUZK_TRY(reader.end());
  return out;
}

Result<std::vector<PostSectorProof>> parse_post_sector_proofs(Bytes bincode, uint64_t sector_bytes) {
  return read_all<PostSectorProof>(
      bincode, [&](BincodeReader& reader) { return read_sector_proof(reader, sector_bytes); });
}

uint32_t PostInput::partitions() const {
  if (winning) return 1;
  const size_t size = window_sectors_per_partition(sector_bytes);
  return static_cast<uint32_t>((sectors.size() + size - 1) / size);
}

Result<std::vector<Fr>> PostInput::public_inputs(uint32_t partition) const {
  CUZK_TRY(check_place(*this, partition));
  std::vector<PostPublicSector> all;
  for (const PostSectorProof& sector : sectors) all.push_back({sector.sector_id, sector.comm_r});
  if (winning) return winning_public_inputs(sector_bytes, randomness, all[0]);
  return window_public_inputs(sector_bytes, api, randomness, all, partition);
}

Status check_post_input(const PostInput& input, uint32_t partition) {
  CUZK_TRY(check_place(input, partition));
  CUZK_TRY(field_element(input.randomness, "randomness"));
  const std::span<const PostSectorProof> sectors = sectors_of(input, partition);
  const size_t challenges = challenges_of(input);
  for (size_t s = 0; s < sectors.size(); ++s) {
    const PostSectorProof& sector = sectors[s];
    CUZK_TRY(check_count(input, sector));
    const std::array<Fr, 2> roots = {sector.circuit.comm_c, sector.circuit.comm_r_last};
    if (!(poseidon_hash(roots) == sector.circuit.comm_r))
      return invalid(place_of(sector) + ": comm_r: not the hash of comm_c and comm_r_last");
    const size_t sector_index =
        input.winning ? 0 : partition * window_sectors_per_partition(input.sector_bytes) + s;
    for (size_t i = 0; i < challenges; ++i) {
      const uint64_t number =
          input.winning ? i : post_challenge_number(input.api, sector_index, challenges, i);
      const uint64_t node =
          post_challenge(input.randomness, sector.sector_id, number, sector_nodes(input.sector_bytes));
      CUZK_TRY(check_leaf(input, sector, i, node));
    }
  }
  return {};
}

namespace {

// The sectors of a partition as its circuit has them.
Result<std::vector<PostCircuitSector>> circuit_sectors(const PostInput& input, uint32_t partition) {
  CUZK_TRY(check_place(input, partition));
  const std::span<const PostSectorProof> sectors = sectors_of(input, partition);
  for (const PostSectorProof& sector : sectors) CUZK_TRY(check_count(input, sector));
  std::vector<PostCircuitSector> out;
  if (input.winning) {
    // The circuit has a sector with one challenge for each challenge of the one sector.
    const PostSector& sector = sectors[0].circuit;
    out.reserve(sector.leaves.size());
    for (const PostLeaf& leaf : sector.leaves) out.emplace_back(sector, std::span(&leaf, 1));
  } else {
    const size_t count = window_sectors_per_partition(input.sector_bytes);
    out.reserve(count);
    for (const PostSectorProof& sector : sectors) out.emplace_back(sector.circuit);
    out.resize(count, sectors.back().circuit);
  }
  return out;
}

}  // namespace

Status synthesize_post(const PostInput& input, uint32_t partition, ConstraintSystem& cs) {
  CUZK_ASSIGN(const std::vector<PostCircuitSector> sectors, circuit_sectors(input, partition));
  post_circuit(cs, sector_tree(input.sector_bytes), sectors);
  return {};
}

Result<CompactWitness> compact_post(const PostInput& input, uint32_t partition, Executor& executor) {
  CUZK_ASSIGN(const std::vector<PostCircuitSector> sectors, circuit_sectors(input, partition));
  const TreeShape tree = sector_tree(input.sector_bytes);
  return write_in_parts(
      {input.winning ? ProofKind::kWinning : ProofKind::kWindow, input.sector_bytes}, sectors.size(),
      [](ConstraintSystem&) {},
      [&](ConstraintSystem& cs, size_t i) { post_sector_circuit(cs, tree, i, sectors[i]); }, executor);
}

}  // namespace cuzk
