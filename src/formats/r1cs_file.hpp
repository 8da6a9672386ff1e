// circom's .r1cs files, version 1 of the format, over the scalar field of bls12381. docs/formats/r1cs.md.
#pragma once

#include <string>
#include <vector>

#include "formats/input_file.hpp"
#include "r1cs/r1cs.hpp"

namespace cuzk {

// A circuit with what circom's header says about its wires beyond that. Wires are the circuit's variables:
// the constant one, public outputs, public inputs (together the circuit's inputs), private inputs, the rest.
struct R1csFile {
  R1cs circuit;
  uint32_t num_public_outputs = 0, num_public_inputs = 0, num_private_inputs = 0;
  uint64_t num_labels = 0;
  std::vector<uint64_t> labels;  // of each wire, or empty: the map section is optional
};

// Errors: kInvalidInput for anything but a whole, consistent file: section lengths, counts against lengths,
// wire numbers, coefficients not below r, another curve (named), custom gates in use. Terms of a variable
// that occurs twice in a combination are summed, zero terms dropped. Memory: the circuit.
Result<R1csFile> read_r1cs(InputFilePtr file);

// Sections header, constraints, map (if there are labels), in this order. The file appears when it is whole.
Status write_r1cs(const std::string& path, const R1csFile& file);

// A circuit that did not come from circom: its inputs count as public inputs, no labels.
R1csFile as_r1cs_file(R1cs circuit);

}  // namespace cuzk
