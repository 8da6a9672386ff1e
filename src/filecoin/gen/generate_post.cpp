#include "filecoin/challenges.hpp"
#include "filecoin/gen/generate.hpp"
#include "filecoin/gen/seeded_values.hpp"
#include "filecoin/gen/sparse_tree.hpp"
#include "filecoin/sector.hpp"
#include "hash/poseidon.hpp"

namespace cuzk {
namespace {

// The sector's proofs for `challenges` challenges numbered from 0.
PostSectorProof generate_sector(const SeededValues& values, uint64_t sector_bytes, const Bytes32& randomness,
                                uint64_t sector_id, uint64_t challenges) {
  InlineExecutor executor;
  const uint64_t nodes = sector_nodes(sector_bytes);
  const SeededValues own(load_le64(values.bytes("sector", sector_id).data()));
  SparseTree tree(sector_tree(sector_bytes), nodes,
                  [&](size_t level, uint64_t index) { return own.element("tree r", level, index); });
  std::vector<uint64_t> leaves;
  for (uint64_t i = 0; i < challenges; ++i) {
    leaves.push_back(post_challenge(randomness, sector_id, i, nodes));
    tree.set_leaf(leaves.back(), own.element("tree r", 0, leaves.back()));
  }
  tree.build(executor);
  PostSectorProof out;
  out.sector_id = sector_id;
  out.circuit.comm_c = own.element("comm_c");
  out.circuit.comm_r_last = tree.root();
  out.circuit.comm_r = poseidon_hash(std::array{out.circuit.comm_c, out.circuit.comm_r_last});
  out.circuit.comm_r.to_le_bytes(out.comm_r.data());
  for (uint64_t leaf : leaves) {
    MerkleProof proof = tree.proof(leaf);
    out.circuit.leaves.push_back({proof.leaf, std::move(proof.path)});
    out.leaf_roots.push_back(proof.root);
  }
  return out;
}

uint64_t made_up_miner(const SeededValues& values) {
  return 1000 + values.number("miner", 1'000'000);
}

}  // namespace

PostInput generate_winning(uint64_t sector_bytes, uint64_t seed, Executor&) {
  const SeededValues values(seed);
  PostInput out{sector_bytes, true, ApiVersion::kV1_0, values.bytes("randomness"), {}, made_up_miner(values)};
  out.sectors.push_back(generate_sector(values, sector_bytes, out.randomness,
                                        values.number("sector", 1'000'000), kWinningChallenges));
  return out;
}

PostInput generate_window(uint64_t sector_bytes, uint64_t sectors, uint64_t seed, Executor& executor) {
  const SeededValues values(seed);
  PostInput out{sector_bytes,         false, ApiVersion::kV1_2, values.bytes("randomness"), {},
                made_up_miner(values)};
  out.sectors.resize(sectors);
  const uint64_t first = values.number("sector", 1'000'000);
  parallel_ranges(executor, sectors, 1, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i)
      out.sectors[i] =
          generate_sector(values, sector_bytes, out.randomness, first + i, kWindowChallengesPerSector);
  });
  return out;
}

}  // namespace cuzk
