#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "filecoin/challenges.hpp"
#include "filecoin/gen/generate.hpp"
#include "filecoin/gen/seeded_values.hpp"
#include "filecoin/gen/sparse_tree.hpp"
#include "filecoin/graph.hpp"
#include "filecoin/labels.hpp"
#include "filecoin/sector.hpp"
#include "hash/poseidon.hpp"

namespace cuzk {
namespace {

constexpr uint64_t kDataPeriod = 4096;

class PorepGenerator {
 public:
  PorepGenerator(uint64_t sector_bytes, uint64_t seed, Executor& executor)
      : values_(seed),
        executor_(executor),
        input_(head(sector_bytes, values_)),
        nodes_(sector_nodes(sector_bytes)),
        layers_(porep_layers(sector_bytes)),
        graph_(nodes_, input_.porep_id, input_.api),
        data_(kBinarySha256Tree, nodes_, nodes_, std::min(nodes_, kDataPeriod),
              [this](uint64_t, uint64_t place) { return values_.element("data", place); }),
        columns_(input_.tree(), nodes_,
                 [this](size_t level, uint64_t index) { return values_.element("tree c", level, index); }),
        replica_(input_.tree(), nodes_,
                 [this](size_t level, uint64_t index) { return values_.element("tree r", level, index); }) {}

  PorepInput run() {
    input_.comm_d = bytes_of(data_.root());
    input_.replica_id = compute_replica_id(prover_id(*input_.miner), *input_.sector, input_.ticket,
                                           input_.comm_d, input_.porep_id);
    const uint32_t per_partition = porep_challenges_per_partition(input_.sector_bytes);
    std::vector<std::vector<uint64_t>> challenges;
    for (uint32_t k = 0; k < porep_partitions(input_.sector_bytes, false); ++k) {
      challenges.push_back(
          porep_challenges({input_.variant, nodes_, per_partition, input_.replica_id, {}, input_.seed}, k));
      challenged_.insert(challenges.back().begin(), challenges.back().end());
    }
    build_trees();
    for (const std::vector<uint64_t>& partition : challenges) {
      auto& proofs = input_.partitions.emplace_back();
      for (uint64_t node : partition) proofs.push_back(proof_of(node));
    }
    return std::move(input_);
  }

 private:
  static PorepInput head(uint64_t sector_bytes, const SeededValues& values) {
    PorepInput out;
    out.sector_bytes = sector_bytes;
    out.porep_id = is_network_sector_size(sector_bytes)
                       ? porep_id(RegisteredSeal{sector_bytes, ApiVersion::kV1_1, PorepVariant::kInteractive})
                       : porep_id_of(5);
    out.miner = 1000 + values.number("miner", 1'000'000);
    out.sector = values.number("sector", 1'000'000);
    out.ticket = values.bytes("ticket");
    out.seed = values.bytes("seed");
    return out;
  }

  static Bytes32 bytes_of(const Fr& value) {
    Bytes32 out;
    value.to_le_bytes(out.data());
    return out;
  }

  // The parents' labels that the label of `node` in `layer` (from 1) hashes.
  std::vector<Fr> parent_labels(uint32_t layer, const StackedGraph::Parents& parents) {
    std::vector<Fr> out;
    for (size_t i = 0; i < (layer == 1 ? kDrgParents : parents.size()); ++i)
      out.push_back(label(i < kDrgParents ? layer : layer - 1, parents[i]));
    const auto repeated = repeated_parents(out);
    return {repeated.begin(), repeated.end()};
  }

  // Forced for challenged nodes, chosen for all others. Parents have smaller numbers or are in the layer
  // before.
  Fr label(uint32_t layer, uint64_t node) {
    if (!challenged_.contains(node)) return values_.element("label", layer, node);
    const uint64_t key = node * layers_ + (layer - 1);
    if (const auto known = labels_.find(key); known != labels_.end()) return known->second;
    const Fr value = node_label(input_.replica_id, layer, node, parent_labels(layer, graph_.parents(node)));
    labels_.emplace(key, value);
    return value;
  }

  std::vector<Fr> column(uint64_t node) {
    std::vector<Fr> out(layers_);
    for (uint32_t layer = 1; layer <= layers_; ++layer) out[layer - 1] = label(layer, node);
    return out;
  }

  void build_trees() {
    std::unordered_set<uint64_t> opened = challenged_;
    for (uint64_t node : challenged_)
      for (uint32_t parent : graph_.parents(node)) opened.insert(parent);
    for (uint64_t node : opened) columns_.set_leaf(node, poseidon_hash(column(node)));
    columns_.build(executor_);
    for (uint64_t node : challenged_) replica_.set_leaf(node, label(layers_, node) + data_.node(0, node));
    replica_.build(executor_);
    input_.comm_r = bytes_of(poseidon_hash(std::array{columns_.root(), replica_.root()}));
  }

  PorepVanillaProof proof_of(uint64_t node) {
    PorepVanillaProof out;
    const StackedGraph::Parents parents = graph_.parents(node);
    MerkleProof data = data_.proof(node), replica = replica_.proof(node), own = columns_.proof(node);
    out.circuit = {node, data.leaf, std::move(data.path), std::move(replica.path), std::move(own.path), {}};
    out.data_root = data.root;
    out.replica_root = replica.root;
    out.replica_leaf = replica.leaf;
    out.labels = column(node);
    out.column = {node, own.root, own.leaf};
    for (uint32_t parent : parents) {
      MerkleProof opening = columns_.proof(parent);
      out.circuit.parents.push_back({column(parent), std::move(opening.path)});
      out.parents.push_back({parent, opening.root, opening.leaf});
    }
    for (uint32_t layer = 1; layer <= layers_; ++layer)
      out.label_proofs.push_back({parent_labels(layer, parents), layer, node});
    out.encoding = out.label_proofs.back();
    return out;
  }

  const SeededValues values_;
  Executor& executor_;
  PorepInput input_;
  const uint64_t nodes_;
  const uint32_t layers_;
  const StackedGraph graph_;
  RepeatingTree data_;
  SparseTree columns_, replica_;
  std::unordered_set<uint64_t> challenged_;
  std::unordered_map<uint64_t, Fr> labels_;
};

}  // namespace

PorepInput generate_porep(uint64_t sector_bytes, uint64_t seed, Executor& executor) {
  return PorepGenerator(sector_bytes, seed, executor).run();
}

}  // namespace cuzk
