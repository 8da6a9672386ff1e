#include "filecoin/inputs/porep_input.hpp"

#include "filecoin/challenges.hpp"
#include "filecoin/circuit_parts.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/labels.hpp"
#include "filecoin/sector.hpp"
#include "hash/poseidon.hpp"

namespace cuzk {
namespace {

Status require(bool holds, const std::string& message) {
  if (holds) return {};
  return invalid(message);
}

// Checks of one challenge. Messages name the field as the file has it.
class ChallengeCheck {
 public:
  ChallengeCheck(const PorepInput& input, const PorepVanillaProof& proof, uint64_t node, const Fr& comm_c,
                 const Fr& comm_r_last, const Fr& comm_d)
      : input_(input),
        proof_(proof),
        circuit_(proof.circuit),
        node_(node),
        tree_(input.tree()),
        comm_c_(comm_c),
        comm_r_last_(comm_r_last),
        comm_d_(comm_d) {}

  Status run(const StackedGraph& graph) const {
    CUZK_TRY(check_path("comm_d_proofs", kBinarySha256Tree, node_, circuit_.data, proof_.data_root, comm_d_,
                        circuit_.data_path));
    CUZK_TRY(check_path("comm_r_last_proof", tree_, node_, proof_.replica_leaf, proof_.replica_root,
                        comm_r_last_, circuit_.replica_path));
    CUZK_TRY(check_column("replica_column_proofs: c_x", node_, proof_.labels, proof_.column,
                          circuit_.column_path));
    const StackedGraph::Parents parents = graph.parents(node_);
    for (size_t i = 0; i < parents.size(); ++i) {
      const std::string name = i < kDrgParents
                                   ? "replica_column_proofs: drg_parents " + std::to_string(i)
                                   : "replica_column_proofs: exp_parents " + std::to_string(i - kDrgParents);
      CUZK_TRY(check_column(name, parents[i], circuit_.parents[i].labels, proof_.parents[i],
                            circuit_.parents[i].path));
    }
    return check_labels();
  }

 private:
  Status check_path(const std::string& name, const TreeShape& tree, uint64_t node, const Fr& leaf,
                    const Fr& own_root, const Fr& root, const MerklePath& path) const {
    CUZK_TRY(require(path_index(tree, path) == node, name + ": index: the path is that of node " +
                                                         std::to_string(path_index(tree, path)) +
                                                         ", expected " + std::to_string(node)));
    CUZK_TRY(require(own_root == root, name + ": root: not the commitment"));
    return require(merkle_root(tree, leaf, path) == root,
                   name + ": the path does not lead from leaf to root");
  }

  Status check_column(const std::string& name, uint64_t node, const std::vector<Fr>& labels,
                      const ColumnOpening& opening, const MerklePath& path) const {
    CUZK_TRY(require(opening.node == node, name + ": column: index " + std::to_string(opening.node) +
                                               ", expected " + std::to_string(node)));
    CUZK_TRY(require(poseidon_hash(labels) == opening.leaf,
                     name + ": the leaf is not the hash of the column's rows"));
    return check_path(name + ": inclusion_proof", tree_, node, opening.leaf, opening.root, comm_c_, path);
  }

  // The labels that layer `layer` (from 1) hashes, by the columns.
  std::array<Fr, kLabelParents> parents_of_layer(size_t layer) const {
    std::vector<Fr> parents;
    for (size_t i = 0; i < (layer == 1 ? kDrgParents : circuit_.parents.size()); ++i)
      parents.push_back(circuit_.parents[i].labels[i < kDrgParents ? layer - 1 : layer - 2]);
    return repeated_parents(parents);
  }

  Status check_label_proof(const LabelProof& label, size_t layer) const {
    CUZK_TRY(require(label.node == node_,
                     "node " + std::to_string(label.node) + ", expected " + std::to_string(node_)));
    CUZK_TRY(require(label.layer == layer,
                     "layer_index " + std::to_string(label.layer) + ", expected " + std::to_string(layer)));
    return require(std::ranges::equal(label.parents, parents_of_layer(layer)),
                   "parents: not the labels in the parents' columns");
  }

  Status check_labels() const {
    for (size_t layer = 1; layer <= proof_.label_proofs.size(); ++layer) {
      const LabelProof& label = proof_.label_proofs[layer - 1];
      const std::string place = "labeling_proofs " + std::to_string(layer - 1);
      if (Status s = check_label_proof(label, layer); !s) return tl::unexpected(s.error().at(place));
      CUZK_TRY(require(
          node_label(input_.replica_id, label.layer, label.node, label.parents) == proof_.labels[layer - 1],
          place + ": the label does not follow from the parents (row of c_x, replica_id)"));
    }
    if (Status s = check_label_proof(proof_.encoding, proof_.label_proofs.size()); !s)
      return tl::unexpected(s.error().at("encoding_proof"));
    return require(proof_.labels.back() + circuit_.data == proof_.replica_leaf,
                   "comm_r_last_proof: leaf: not the encoding of comm_d_proofs' leaf with the last label");
  }

  const PorepInput& input_;
  const PorepVanillaProof& proof_;
  const PorepChallenge& circuit_;
  const uint64_t node_;
  const TreeShape tree_;
  const Fr comm_c_, comm_r_last_, comm_d_;
};

std::string place_of(uint32_t partition, size_t challenge) {
  return "partition " + std::to_string(partition) + ": challenge " + std::to_string(challenge);
}

Status check_partition_number(const PorepInput& input, uint32_t partition) {
  return require(partition < input.partitions.size(),
                 "partition " + std::to_string(partition) + " of " + std::to_string(input.partitions.size()));
}

Status check_replica_id(const PorepInput& input) {
  if (!input.sector || (!input.prover && !input.miner)) return {};
  if (input.prover && input.miner)
    CUZK_TRY(require(*input.prover == prover_id(*input.miner), "prover_id: not that of the miner"));
  const Bytes32 prover = input.prover ? *input.prover : prover_id(*input.miner);
  const Bytes32 expected =
      compute_replica_id(prover, *input.sector, input.ticket, input.comm_d, input.porep_id);
  return require(expected == input.replica_id, "replica_id: " + to_hex(input.replica_id) +
                                                   ", but prover, sector, ticket, comm_d and porep_id give " +
                                                   to_hex(expected));
}

}  // namespace

TreeShape PorepInput::tree() const {
  return sector_tree(sector_bytes);
}

PorepPublic PorepInput::public_part() const {
  return {sector_bytes, api, variant, porep_id, replica_id, comm_d, comm_r, seed};
}

Status check_porep_input(const PorepInput& input, uint32_t partition) {
  InlineExecutor inline_executor;
  return check_porep_input(input, partition, inline_executor);
}

Status check_porep_input(const PorepInput& input, uint32_t partition, Executor& executor) {
  CUZK_TRY(check_partition_number(input, partition));
  CUZK_TRY(check_replica_id(input));
  CUZK_TRY(field_element(input.replica_id, "replica_id"));
  CUZK_ASSIGN(const Fr comm_d, field_element(input.comm_d, "comm_d"));
  CUZK_ASSIGN(const Fr comm_r, field_element(input.comm_r, "comm_r"));
  const auto& proofs = input.partitions[partition];
  const Fr comm_c = proofs[0].column.root, comm_r_last = proofs[0].replica_root;
  CUZK_TRY(require(
      poseidon_hash(std::array{comm_c, comm_r_last}) == comm_r,
      "comm_r: not the hash of the roots of trees C and R in partition " + std::to_string(partition)));
  const uint64_t nodes = sector_nodes(input.sector_bytes);
  const StackedGraph graph(nodes, input.porep_id, input.api);
  const std::vector<uint64_t> challenges =
      porep_challenges({input.variant, nodes, porep_challenges_per_partition(input.sector_bytes),
                        input.replica_id, input.comm_r, input.seed},
                       partition);
  std::vector<Status> status(proofs.size());
  executor.run(proofs.size(), [&](size_t i) {
    status[i] = ChallengeCheck(input, proofs[i], challenges[i], comm_c, comm_r_last, comm_d).run(graph);
  });
  for (size_t i = 0; i < proofs.size(); ++i)
    if (!status[i]) return tl::unexpected(status[i].error().at(place_of(partition, i)));
  return {};
}

namespace {

Result<PorepCommitments> commitments_of(const PorepInput& input, uint32_t partition) {
  CUZK_TRY(check_partition_number(input, partition));
  PorepCommitments commitments;
  CUZK_ASSIGN(commitments.replica_id, field_element(input.replica_id, "replica_id"));
  CUZK_ASSIGN(commitments.comm_d, field_element(input.comm_d, "comm_d"));
  CUZK_ASSIGN(commitments.comm_r, field_element(input.comm_r, "comm_r"));
  const auto& proofs = input.partitions[partition];
  commitments.comm_r_last = proofs[0].replica_root;
  commitments.comm_c = proofs[0].column.root;
  return commitments;
}

}  // namespace

Status synthesize_porep(const PorepInput& input, uint32_t partition, ConstraintSystem& cs) {
  CUZK_ASSIGN(const PorepCommitments commitments, commitments_of(input, partition));
  std::vector<const PorepChallenge*> challenges;
  for (const PorepVanillaProof& proof : input.partitions[partition]) challenges.push_back(&proof.circuit);
  porep_circuit(cs, input.tree(), commitments, challenges);
  return {};
}

Result<CompactWitness> compact_porep(const PorepInput& input, uint32_t partition, Executor& executor) {
  CUZK_ASSIGN(const PorepCommitments commitments, commitments_of(input, partition));
  const auto& proofs = input.partitions[partition];
  const TreeShape tree = input.tree();
  PorepHeader header;
  return write_in_parts(
      {ProofKind::kPorep, input.sector_bytes}, proofs.size(),
      [&](ConstraintSystem& cs) { header = porep_header_circuit(cs, commitments); },
      [&](ConstraintSystem& cs, size_t i) {
        porep_challenge_circuit(cs, tree, header, i, proofs[i].circuit);
      },
      executor);
}

}  // namespace cuzk
