#include "filecoin/circuits/post_circuit.hpp"

#include <array>

#include "gadgets/poseidon_circuit.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {

namespace {

void leaf_witnesses(std::span<CompactSystem* const> systems, const TreeShape& tree,
                    std::span<const PostLeaf> leaves, const AllocatedNum& root) {
  SideBySide<AllocatedNum> values;
  SideBySide<const MerklePath*> paths;
  for (size_t i = 0; i < systems.size(); ++i) {
    values.push_back(AllocatedNum::alloc(*systems[i], leaves[i].value));
    paths.push_back(&leaves[i].path);
  }
  inclusion_witnesses(systems, tree, values, paths, root);
}

}  // namespace

void post_sector_circuit(ConstraintSystem& cs, const TreeShape& tree, size_t number,
                         const PostCircuitSector& sector) {
  const Scope outer(cs, "outer namespace"), scope(cs, {"sector_{}", number});
  const AllocatedNum comm_r_last = AllocatedNum::alloc(*Scope(cs, "comm_r_last"), sector.comm_r_last);
  const AllocatedNum comm_c = AllocatedNum::alloc(*Scope(cs, "comm_c"), sector.comm_c);
  const AllocatedNum comm_r = AllocatedNum::alloc(*Scope(cs, "comm_r"), sector.comm_r);
  comm_r.inputize(*Scope(cs, "comm_r_input"));
  run_apart(cs, [=](ConstraintSystem& system) {
    const AllocatedNum hash =
        poseidon_circuit(*Scope(system, "H_comm_c_comm_r_last"), std::array{comm_c, comm_r_last});
    enforce_equal(system, "enforce_comm_c_comm_r_last_hash_comm_r", comm_r, hash);
  });
  if (CompactSystem* compact = cs.compact()) {
    leave_side_by_side(*compact, sector.leaves, [comm_r_last, &tree](auto systems, auto leaves) {
      leaf_witnesses(systems, tree, leaves, comm_r_last);
    });
    return;
  }
  for (size_t i = 0; i < sector.leaves.size(); ++i) {
    const Scope inclusion(cs, {"challenge_inclusion_{}", i});
    const AllocatedNum leaf = AllocatedNum::alloc(*Scope(cs, "value"), sector.leaves[i].value);
    inclusion_circuit(cs, tree, leaf, sector.leaves[i].path, comm_r_last);
  }
}

void post_circuit(ConstraintSystem& cs, const TreeShape& tree, std::span<const PostCircuitSector> sectors) {
  for (size_t i = 0; i < sectors.size(); ++i) post_sector_circuit(cs, tree, i, sectors[i]);
}

PostSector blank_post_sector(const TreeShape& tree, uint64_t nodes, uint32_t challenges) {
  const Fr zero = Fr::zero();
  return {zero, zero, zero, std::vector<PostLeaf>(challenges, {zero, blank_path(tree, nodes)})};
}

}  // namespace cuzk
