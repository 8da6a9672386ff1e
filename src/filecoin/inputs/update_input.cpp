#include "filecoin/inputs/update_input.hpp"

#include <array>
#include <bit>

#include "filecoin/challenges.hpp"
#include "filecoin/circuit_parts.hpp"
#include "filecoin/sector.hpp"
#include "hash/poseidon.hpp"

namespace cuzk {
namespace {

size_t log2_of(uint64_t v) {
  return static_cast<size_t>(std::countr_zero(v));
}

Status require(bool holds, const std::string& message) {
  if (holds) return {};
  return invalid(message);
}

// The tree over a power-of-two number of leaves; returns its root.
Fr apex_root(std::vector<Fr> row) {
  while (row.size() > 1) {
    for (size_t i = 0; i < row.size() / 2; ++i)
      row[i] = merkle_node(TreeHash::kSha256, std::span(row).subspan(2 * i, 2));
    row.resize(row.size() / 2);
  }
  return row[0];
}

class UpdateCheck {
 public:
  explicit UpdateCheck(const UpdateInput& input)
      : input_(input),
        w_(input.circuit),
        tree_(sector_tree(input.sector_bytes)),
        node_bits_(log2_of(sector_nodes(input.sector_bytes))),
        partition_bits_(log2_of(update_partitions(input.sector_bytes))),
        apex_bits_(log2_of(update_apex_leaves(input.sector_bytes))) {}

  Status run() const {
    CUZK_TRY(require(hash2(w_.comm_c, w_.root_r_old) == w_.comm_r_old,
                     "comm_r_old: not the hash of comm_c and the root of the old tree R"));
    CUZK_TRY(require(hash2(w_.comm_c, w_.root_r_new) == w_.comm_r_new,
                     "comm_r_new: not the hash of comm_c and the root of the new tree R"));
    CUZK_TRY(check_apex());
    const std::vector<uint64_t> nodes =
        update_challenges(input_.sector_bytes, w_.comm_r_new, input_.partition);
    const Fr phi = poseidon_hash(std::array{w_.comm_d_new, w_.comm_r_old}, PoseidonDomain::kRandomness);
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (Status status = check_challenge(i, nodes[i], phi); !status)
        return tl::unexpected(status.error().at("challenge " + std::to_string(i)));
    }
    return {};
  }

 private:
  static Fr hash2(const Fr& a, const Fr& b) { return poseidon_hash(std::array{a, b}); }

  // The rows of a path in tree D above this partition's apex.
  MerklePath partition_path(const MerklePath& path) const {
    return {path.end() - static_cast<ptrdiff_t>(partition_bits_), path.end()};
  }

  Status check_apex() const {
    const MerklePath above = partition_path(w_.challenges[0].path_d_new);
    return require(merkle_root(kBinarySha256Tree, apex_root(w_.apex_leaves), above) == w_.comm_d_new,
                   "apex_leafs: their tree does not lie in comm_d_new");
  }

  Status check_path(const char* name, const TreeShape& tree, uint64_t node, const Fr& leaf,
                    const MerklePath& path, const Fr& own_root, const Fr& root) const {
    const std::string place = std::string(name) + ": ";
    CUZK_TRY(require(path_index(tree, path) == node, place + "index: the path is that of node " +
                                                         std::to_string(path_index(tree, path)) +
                                                         ", challenged was " + std::to_string(node)));
    CUZK_TRY(require(own_root == root, place + "root: not that of the commitments"));
    return require(merkle_root(tree, leaf, path) == root, place + "the path does not lead from leaf to root");
  }

  Status check_challenge(size_t i, uint64_t node, const Fr& phi) const {
    const UpdateChallenge& c = w_.challenges[i];
    const UpdateInput::Challenge& repeated = input_.challenges[i];
    CUZK_TRY(check_path("proof_r_old", tree_, node, c.leaf_r_old, c.path_r_old, repeated.root_r_old,
                        w_.root_r_old));
    CUZK_TRY(check_path("proof_d_new", kBinarySha256Tree, node, c.leaf_d_new, c.path_d_new,
                        repeated.root_d_new, w_.comm_d_new));
    CUZK_TRY(check_path("proof_r_new", tree_, node, repeated.leaf_r_new, c.path_r_new, repeated.root_r_new,
                        w_.root_r_new));
    // The part of the path below the apex leads to the apex leaf, the part above is the partition's.
    const size_t below = node_bits_ - partition_bits_ - apex_bits_;
    const MerklePath lower(c.path_d_new.begin(), c.path_d_new.begin() + static_cast<ptrdiff_t>(below));
    const uint64_t apex = (node >> below) & ((uint64_t{1} << apex_bits_) - 1);
    CUZK_TRY(require(merkle_root(kBinarySha256Tree, c.leaf_d_new, lower) == w_.apex_leaves[apex],
                     "proof_d_new: does not pass through apex leaf " + std::to_string(apex)));
    const uint32_t high_bits = update_high_bits(input_.sector_bytes)[kUpdateHighBitsIndex];
    const Fr rho = poseidon_hash(std::array{phi, Fr::from_u64(node >> (node_bits_ - high_bits))},
                                 PoseidonDomain::kRandomness);
    return require(c.leaf_r_old + c.leaf_d_new * rho == repeated.leaf_r_new,
                   "proof_r_new: leaf: not the encoding of proof_d_new's leaf");
  }

  const UpdateInput& input_;
  const UpdateWitness& w_;
  const TreeShape tree_;
  const size_t node_bits_, partition_bits_, apex_bits_;
};

Status check_path_shape(const TreeShape& tree, uint64_t nodes, const MerklePath& path, size_t i,
                        const char* name) {
  return require(path_has_shape(tree, nodes, path),
                 "challenge " + std::to_string(i) + ": " + name + ": the path does not have the shape of " +
                     tree_name(tree) + " over " + std::to_string(nodes) + " leaves");
}

Result<UpdateInput> read_update_input(BincodeReader& reader, const UpdateStatement& s) {
  if (s.partition >= update_partitions(s.sector_bytes))
    return invalid("partition " + std::to_string(s.partition) + " of " +
                   std::to_string(update_partitions(s.sector_bytes)));
  UpdateInput out{s.sector_bytes, s.partition, s.comm_r_old, s.comm_d_new, s.comm_r_new, {}, {}};
  UpdateWitness& w = out.circuit;
  w.k_and_h_select = update_k_and_h_select(s.sector_bytes, s.partition);
  CUZK_ASSIGN(w.comm_r_old, field_element(s.comm_r_old, "comm_r_old"));
  CUZK_ASSIGN(w.comm_d_new, field_element(s.comm_d_new, "comm_d_new"));
  CUZK_ASSIGN(w.comm_r_new, field_element(s.comm_r_new, "comm_r_new"));

  const TreeShape tree = sector_tree(s.sector_bytes);
  const uint64_t nodes = sector_nodes(s.sector_bytes);
  CUZK_ASSIGN(w.comm_c, reader.element("comm_c"));
  CUZK_ASSIGN(w.apex_leaves, reader.elements("apex_leafs"));
  CUZK_TRY(require(w.apex_leaves.size() == update_apex_leaves(s.sector_bytes),
                   std::to_string(w.apex_leaves.size()) + " apex_leafs, expected " +
                       std::to_string(update_apex_leaves(s.sector_bytes))));
  CUZK_ASSIGN(const size_t count, reader.length("challenge_proofs", 228));
  CUZK_TRY(require(count == update_challenges_per_partition(s.sector_bytes),
                   std::to_string(count) + " challenge_proofs, expected " +
                       std::to_string(update_challenges_per_partition(s.sector_bytes))));
  for (size_t i = 0; i < count; ++i) {
    CUZK_ASSIGN(MerkleProof r_old, reader.merkle_proof("proof_r_old", tree));
    CUZK_ASSIGN(MerkleProof d_new, reader.merkle_proof("proof_d_new", kBinarySha256Tree));
    CUZK_ASSIGN(MerkleProof r_new, reader.merkle_proof("proof_r_new", tree));
    CUZK_TRY(check_path_shape(tree, nodes, r_old.path, i, "proof_r_old"));
    CUZK_TRY(check_path_shape(kBinarySha256Tree, nodes, d_new.path, i, "proof_d_new"));
    CUZK_TRY(check_path_shape(tree, nodes, r_new.path, i, "proof_r_new"));
    out.challenges.push_back({r_old.root, d_new.root, r_new.root, r_new.leaf});
    w.challenges.push_back(
        {r_old.leaf, d_new.leaf, std::move(r_old.path), std::move(d_new.path), std::move(r_new.path)});
  }
  w.root_r_old = out.challenges[0].root_r_old;
  w.root_r_new = out.challenges[0].root_r_new;
  return out;
}

}  // namespace

Result<UpdateInput> parse_update_input(Bytes bincode, const UpdateStatement& statement) {
  BincodeReader reader(bincode);
  CUZK_ASSIGN(UpdateInput out, read_update_input(reader, statement));
  CUZK_TRY(reader.end());
  return out;
}

Result<std::vector<UpdateInput>> parse_update_inputs(Bytes bincode, UpdateStatement statement) {
  return read_all<UpdateInput>(bincode, [&](BincodeReader& reader) {
    auto input = read_update_input(reader, statement);
    ++statement.partition;
    return input;
  });
}

Status check_update_input(const UpdateInput& input) {
  return UpdateCheck(input).run();
}

void synthesize_update(const UpdateInput& input, ConstraintSystem& cs) {
  update_circuit(cs, input.sector_bytes, input.circuit);
}

CompactWitness compact_update(const UpdateInput& input, Executor& executor) {
  UpdateHeader header;
  return write_in_parts(
      {ProofKind::kSnap, input.sector_bytes}, input.circuit.challenges.size(),
      [&](ConstraintSystem& cs) { header = update_header_circuit(cs, input.sector_bytes, input.circuit); },
      [&](ConstraintSystem& cs, size_t i) {
        update_challenge_circuit(cs, input.sector_bytes, header, i, input.circuit.challenges[i]);
      },
      executor);
}

}  // namespace cuzk
