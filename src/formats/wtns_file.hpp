// Witnesses as circom's calculators and snarkjs write them (.wtns, version 2), over the scalar field of
// bls12381. docs/formats/wtns.md.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "field/fr.hpp"
#include "formats/input_file.hpp"

namespace cuzk {

// One value for each wire. Errors: kInvalidInput for anything but a whole, consistent file, for another curve
// (named), for a value that is not below r (its index). Whether the values fit a circuit is not asked here.
Result<std::vector<Fr>> read_wtns(InputFilePtr file, Executor& executor);

// How many values the file holds; reads the header alone.
Result<uint64_t> wtns_size(const InputFilePtr& file);

// The file appears when it is whole.
Status write_wtns(const std::string& path, std::span<const Fr> values);

}  // namespace cuzk
