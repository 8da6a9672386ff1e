// The public inputs of proofs from what a verifier knows: commitments, ids, randomness. In the circuits'
// order, without the constant one.
#pragma once

#include <span>
#include <vector>

#include "base/result.hpp"
#include "field/fr.hpp"
#include "filecoin/registered_proof.hpp"

namespace cuzk {

// Errors everywhere: kInvalidInput where bytes are no field element.
Result<Fr> field_element(const Bytes32& bytes, const char* what);

struct PorepPublic {
  uint64_t sector_bytes;
  ApiVersion api;
  PorepVariant variant;
  Bytes32 porep_id;
  Bytes32 replica_id, comm_d, comm_r, seed;
};
Result<std::vector<Fr>> porep_public_inputs(const PorepPublic& porep, uint32_t partition);

struct PostPublicSector {
  uint64_t id;
  Bytes32 comm_r;
};
// WinningPoSt of one sector.
Result<std::vector<Fr>> winning_public_inputs(uint64_t sector_bytes, const Bytes32& randomness,
                                              const PostPublicSector& sector);
// WindowPoSt of all sectors of a deadline; partition k proves the k-th group of them, the last sector
// repeated where there are too few.
Result<std::vector<Fr>> window_public_inputs(uint64_t sector_bytes, ApiVersion api, const Bytes32& randomness,
                                             std::span<const PostPublicSector> sectors, uint32_t partition);

struct UpdatePublic {
  uint64_t sector_bytes;
  Bytes32 comm_r_old, comm_d_new, comm_r_new;
};
Result<std::vector<Fr>> update_public_inputs(const UpdatePublic& update, uint32_t partition);
// The first of them as an integer: partition, and which number of high bits is taken.
uint64_t update_k_and_h_select(uint64_t sector_bytes, uint32_t partition);

}  // namespace cuzk
