// Proofs as bellman writes them: A, B, C as compressed zcash points, 48 + 96 + 48 bytes.
#pragma once

#include <array>
#include <string>

#include "base/bytes.hpp"
#include "formats/input_file.hpp"
#include "groth16/keys.hpp"

namespace cuzk {

inline constexpr size_t kProofBytes = 192;

// Strict: exactly 192 bytes, canonical encodings, each point in its subgroup and not infinity (bellman
// refuses infinity, too). Errors: kInvalidInput that names the point: "malformed", as opposed to "invalid".
Result<Proof> decode_proof(Bytes bytes);
std::array<uint8_t, kProofBytes> encode_proof(const Proof& proof);

Result<Proof> read_proof_bytes(const InputFilePtr& file);
Status write_proof_bytes(const std::string& path, const Proof& proof);

}  // namespace cuzk
