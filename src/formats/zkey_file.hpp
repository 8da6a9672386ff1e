// Groth16 proving keys of snarkjs (.zkey, version 1) over bls12381. docs/formats/zkey.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "formats/file_points.hpp"
#include "formats/input_file.hpp"
#include "groth16/keys.hpp"
#include "r1cs/r1cs.hpp"

namespace cuzk {

struct ZkeyFile {
  InputFilePtr file;
  ProvingKey key;  // lists are decoded from the file as they are used, to the level asked for
  uint64_t num_variables = 0, num_public = 0, num_coefficients = 0;
  std::optional<uint32_t> contributions;  // of the ceremony, if the file says
  std::vector<PointList> lists;           // A, B1, B2, C, H
  uint64_t coefficients_offset = 0;
};

// Reads the head and ic, checks every section's length against the header. check: for ic and, when they are
// loaded, for the lists. Errors: kInvalidInput for anything but a whole, consistent groth16 key of bls12381
// (another curve or protocol is named).
Result<ZkeyFile> open_zkey(InputFilePtr file, PointCheck check, Executor& executor);

// The matrices A and B of the circuit; C, which a zkey does not hold, has no rows. The rows that key
// generation appended are checked and taken off. Errors: entries out of range, coefficients not canonical,
// appended rows missing.
Result<R1cs> read_zkey_circuit(const ZkeyFile& zkey, Executor& executor);

}  // namespace cuzk
