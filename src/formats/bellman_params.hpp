// Proving keys in the form of bellman and bellperson (.params): the verifying key, then the lists h, l, a,
// b_g1 (G1) and b_g2 (G2), each a u32 big-endian count and uncompressed zcash points.
// docs/formats/bellman.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/atomic_file.hpp"
#include "base/executor.hpp"
#include "formats/file_points.hpp"
#include "formats/input_file.hpp"
#include "groth16/keys.hpp"

namespace cuzk {

// What may follow the lists: the record of a phase-2 ceremony (the "MPCParameters" of phase2: 64 bytes hash
// of the circuit, u32 big-endian number of contributions, 544 bytes each).
struct CeremonyRecord {
  uint64_t offset = 0;
  uint32_t contributions = 0;
};

struct ParamsFile {
  InputFilePtr file;
  ProvingKey key;  // lists are decoded from the file as they are used, to the level asked for
  std::optional<CeremonyRecord> ceremony;
  std::vector<PointList> lists;  // h, l, a, b_g1, b_g2
};

// Reads head, counts and ic; every count is checked against the size of the file before anything is
// allocated, and against the others. check: for ic and, when they are loaded, for the lists.
Result<ParamsFile> open_params(InputFilePtr file, PointCheck check, Executor& executor);

}  // namespace cuzk
