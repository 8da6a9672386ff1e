// What a file is that is not what it should be: for messages.
#pragma once

#include <optional>
#include <string>

#include "formats/input_file.hpp"

namespace cuzk {

// From the first bytes alone: "it is empty: …", "it is an HTML page: …", "it is a circom .r1cs file"; nothing
// for a file of no such kind.
std::optional<std::string> recognise_foreign(const InputFile& file);
// The same, or "its first bytes are 0011…".
std::string describe_foreign(const InputFile& file);

// The curve that a modulus belongs to ("bls12381", "bn128", …) with which of its two fields, or the modulus
// in hex. little_endian: any number of bytes.
std::string describe_modulus(Bytes little_endian);

// OK if the bytes are the order r of BLS12-381's groups, or the modulus p of its coordinates; else "wrong
// curve: …".
Status check_modulus_r(Bytes little_endian);
Status check_modulus_p(Bytes little_endian);

}  // namespace cuzk
