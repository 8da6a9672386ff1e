// Made-up inputs of the full shape that satisfy the circuits, without sealing a sector: labels and data are
// chosen under a seed, what the constraints force is computed. Nobody stores such a sector; the proofs are
// valid all the same. For benchmarks and tests.
#pragma once

#include "base/executor.hpp"
#include "filecoin/proof_input.hpp"

namespace cuzk {

// An interactive PoRep, API 1.1, all partitions. Labels of challenged nodes follow from those of their
// parents by SHA-256; all other labels, and subtrees without a challenge, are pseudo-random; data repeats.
PorepInput generate_porep(uint64_t sector_bytes, uint64_t seed, Executor& executor);

// A WinningPoSt.
PostInput generate_winning(uint64_t sector_bytes, uint64_t seed, Executor& executor);
// A WindowPoSt of so many sectors, API 1.2.
PostInput generate_window(uint64_t sector_bytes, uint64_t sectors, uint64_t seed, Executor& executor);

// An update, all partitions. Old replica and new data repeat within each of the regions that share an
// encoding, so that the new tree R is known whole.
UpdateInputs generate_update(uint64_t sector_bytes, uint64_t seed);

// The above by circuit; a WindowPoSt of as many sectors as fill a partition.
ProofInput generate_input(const CircuitId& circuit, uint64_t seed, Executor& executor);

}  // namespace cuzk
