// The JSON files of snarkjs: proof, public values, verification key. docs/formats/json.md.
//
// Numbers are decimal strings, as snarkjs writes them; hexadecimal strings with 0x are read as well, and bare
// JSON numbers where they are exact (integers below 2^64). All else is an error that names the field.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "formats/input_file.hpp"
#include "groth16/keys.hpp"

namespace cuzk {

// A value of the scalar field from text: decimal, or hexadecimal after 0x. Errors: not a number; not below r.
Result<Fr> parse_fr(std::string_view text);

// parse_…: from text; name: of its source, for messages. Errors: kInvalidInput.
//
// Proof points are tested in full (canonical coordinates, curve, subgroup) and not infinity. "protocol" and
// "curve" must be groth16 and bls12381.
Result<Proof> parse_proof_json(std::string_view text, const std::string& name);
// An array of values; one that is not below r is refused with its index, not reduced.
Result<std::vector<Fr>> parse_public_json(std::string_view text, const std::string& name);
// Points are tested in full; infinity only in IC (see key_warnings). The form has no beta_1 and delta_1: both
// are infinity in the result, which is enough to verify and not enough to write a .vk file. vk_alphabeta_12
// is not read.
Result<VerifyingKey> parse_verification_key_json(std::string_view text, const std::string& name);

Result<Proof> read_proof_json(const InputFilePtr& file);
Result<std::vector<Fr>> read_public_json(const InputFilePtr& file);
Result<VerifyingKey> read_verification_key_json(const InputFilePtr& file);

// As snarkjs writes them, to the byte.
std::string proof_to_json(const Proof& proof);
std::string public_to_json(std::span<const Fr> values);
std::string verification_key_to_json(const VerifyingKey& vk);

// Whether the file begins as a JSON object, array or string does, and not as a key in bellman's form: the
// first bytes of a point can be those of a line break and a brace.
bool looks_like_json(const InputFile& file);

// The whole text of a JSON file, checked by check_json_depth. Errors: larger than 256 MiB; not text at all
// (says what it is).
Result<std::string> read_json_text(const InputFilePtr& file);

// Refuses brackets that are nested deeper than any file has them: to print, copy or free such a document
// takes a stack frame a level.
Status check_json_depth(std::string_view text, const std::string& name);

}  // namespace cuzk
