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

// A sector in a circuit, with all or some of its leaves, which must outlive this.
struct PostCircuitSector {
  Fr comm_r, comm_c, comm_r_last;
  std::span<const PostLeaf> leaves;

  PostCircuitSector(const PostSector& sector) : PostCircuitSector(sector, sector.leaves) {}
  PostCircuitSector(const PostSector& sector, std::span<const PostLeaf> some)
      : comm_r(sector.comm_r), comm_c(sector.comm_c), comm_r_last(sector.comm_r_last), leaves(some) {}
};

// The part of post_circuit() for one sector. Parts share nothing. Where the system leaves parts for later,
// they refer to `tree` and the sector's leaves.
void post_sector_circuit(ConstraintSystem& cs, const TreeShape& tree, size_t number,
                         const PostCircuitSector& sector);

// Public inputs: for each sector comm_r and the place of each challenged leaf.
void post_circuit(ConstraintSystem& cs, const TreeShape& tree, std::span<const PostCircuitSector> sectors);

PostSector blank_post_sector(const TreeShape& tree, uint64_t nodes, uint32_t challenges);

}  // namespace cuzk
