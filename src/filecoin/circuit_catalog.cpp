#include "filecoin/circuit_catalog.hpp"

#include "filecoin/circuits/porep_circuit.hpp"
#include "filecoin/circuits/post_circuit.hpp"
#include "filecoin/circuits/update_circuit.hpp"
#include "filecoin/sector.hpp"
#include "hash/sha256.hpp"

namespace cuzk {
namespace {

constexpr ProofKind kKinds[] = {ProofKind::kPorep, ProofKind::kWinning, ProofKind::kWindow, ProofKind::kSnap};

std::string post_identifier(uint64_t bytes, uint32_t challenges, uint32_t sectors) {
  return "FallbackPoSt::PublicParams{sector_size: " + std::to_string(bytes) +
         ", challenge_count: " + std::to_string(challenges) + ", sector_count: " + std::to_string(sectors) +
         "}";
}

std::string porep_identifier(uint64_t bytes) {
  return "layered_drgporep::PublicParams{ graph: stacked_graph::StackedGraph{expansion_degree: " +
         std::to_string(kExpanderParents) +
         " base_graph: drgraph::BucketGraph{size: " + std::to_string(sector_nodes(bytes)) +
         "; degree: " + std::to_string(kDrgParents) +
         "; hasher: poseidon_hasher} }, challenges: LayerChallenges { layers: " +
         std::to_string(porep_layers(bytes)) +
         ", max_count: " + std::to_string(porep_challenges_per_partition(bytes)) +
         " }, tree: " + tree_name(sector_tree(bytes)) + " }";
}

void synthesize_post(uint64_t bytes, uint32_t challenges, size_t sectors, ConstraintSystem& cs) {
  const TreeShape tree = sector_tree(bytes);
  const PostSector blank = blank_post_sector(tree, sector_nodes(bytes), challenges);
  post_circuit(cs, tree, std::vector<PostCircuitSector>(sectors, blank));
}

}  // namespace

const char* proof_kind_name(ProofKind kind) {
  switch (kind) {
    case ProofKind::kPorep:
      return "porep";
    case ProofKind::kWinning:
      return "winning";
    case ProofKind::kWindow:
      return "window";
    case ProofKind::kSnap:
      return "snap";
  }
  return "";
}

std::string CircuitId::name() const {
  return std::string(proof_kind_name(kind)) + "-" + sector_size_short_name(sector_bytes);
}

std::vector<CircuitId> all_circuits() {
  std::vector<CircuitId> out;
  for (ProofKind kind : kKinds)
    for (uint64_t bytes : kSectorSizes) out.push_back({kind, bytes});
  return out;
}

Result<CircuitId> parse_circuit_name(const std::string& name) {
  std::string known;
  for (const CircuitId& circuit : all_circuits()) {
    if (circuit.name() == name) return circuit;
    known.append(known.empty() ? "" : ", ").append(circuit.name());
  }
  return fail(ErrorCode::kNotFound, "no circuit is named \"" + name + "\"; there are " + known);
}

std::string circuit_identifier(const CircuitId& circuit) {
  const uint64_t bytes = circuit.sector_bytes;
  switch (circuit.kind) {
    case ProofKind::kPorep:
      return porep_identifier(bytes);
    case ProofKind::kWinning:
      return post_identifier(bytes, 1, kWinningChallenges);
    case ProofKind::kWindow:
      return post_identifier(bytes, kWindowChallengesPerSector, window_sectors_per_partition(bytes));
    case ProofKind::kSnap:
      return "empty_sector_update::PublicParams{ sector_nodes: " + std::to_string(sector_nodes(bytes)) + " }";
  }
  return "";
}

std::string key_name(const CircuitId& circuit) {
  const std::string identifier = circuit_identifier(circuit),
                    tree = tree_name(sector_tree(circuit.sector_bytes));
  std::string prefix;
  switch (circuit.kind) {
    case ProofKind::kPorep:
      prefix = "stacked-proof-of-replication-" + tree + "-sha256_hasher";
      break;
    case ProofKind::kWinning:
    case ProofKind::kWindow:
      prefix = "proof-of-spacetime-fallback-" + tree;
      break;
    case ProofKind::kSnap:
      prefix = "empty-sector-update-" + tree;
      break;
  }
  const Digest256 digest = sha256({reinterpret_cast<const uint8_t*>(identifier.data()), identifier.size()});
  return "v28-" + prefix + "-" + to_hex(digest);
}

void synthesize_shape(const CircuitId& circuit, ConstraintSystem& cs) {
  const uint64_t bytes = circuit.sector_bytes;
  switch (circuit.kind) {
    case ProofKind::kPorep: {
      const TreeShape tree = sector_tree(bytes);
      const PorepChallenge blank = blank_porep_challenge(tree, sector_nodes(bytes), porep_layers(bytes));
      const Fr zero = Fr::zero();
      porep_circuit(cs, tree, {zero, zero, zero, zero, zero},
                    std::vector<const PorepChallenge*>(porep_challenges_per_partition(bytes), &blank));
      break;
    }
    case ProofKind::kWinning:
      synthesize_post(bytes, 1, kWinningChallenges, cs);
      break;
    case ProofKind::kWindow:
      synthesize_post(bytes, kWindowChallengesPerSector, window_sectors_per_partition(bytes), cs);
      break;
    case ProofKind::kSnap:
      update_circuit(cs, bytes, blank_update_witness(bytes));
      break;
  }
}

}  // namespace cuzk
