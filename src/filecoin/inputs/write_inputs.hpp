// Writing inputs in the network's forms: what the readers beside this file read.
#pragma once

#include <string>
#include <vector>

#include "filecoin/inputs/porep_input.hpp"
#include "filecoin/inputs/post_input.hpp"
#include "filecoin/inputs/update_input.hpp"

namespace cuzk {

// The C1 object, field elements as 32 bytes; where the network registers no such sector size, sector_size in
// place of registered_proof and a bare list of proofs. Byte for byte what upstream writes.
std::string porep_input_to_json(const PorepInput& input);

// bincode of FallbackPoStSectorProof, and of one partition's PartitionProof.
std::vector<uint8_t> post_sector_proof_to_bincode(const PostSectorProof& sector, uint64_t sector_bytes);
std::vector<uint8_t> update_input_to_bincode(const UpdateInput& input);

}  // namespace cuzk
