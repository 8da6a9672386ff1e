// The circuit of FallbackPoSt, behind both WinningPoSt and WindowPoSt, as storage-proofs-post 19 synthesises
// it.
#pragma once

#include <span>

#include "gadgets/merkle_circuit.hpp"

namespace cuzk {

struct PostLeaf {
  Fr value;
  MerklePath path;  // in tree R (last)
};

struct PostSector {
  Fr comm_r, comm_c, comm_r_last;
  std::vector<PostLeaf> leaves;  // one for each challenge
};

// The part of post_circuit() for one sector. Parts share nothing. Where the system leaves parts for later,
// they refer to `tree` and `sector`.
void post_sector_circuit(ConstraintSystem& cs, const TreeShape& tree, size_t number,
                         const PostSector& sector);

// Public inputs: for each sector comm_r and the place of each challenged leaf.
void post_circuit(ConstraintSystem& cs, const TreeShape& tree, std::span<const PostSector* const> sectors);

PostSector blank_post_sector(const TreeShape& tree, uint64_t nodes, uint32_t challenges);

}  // namespace cuzk
