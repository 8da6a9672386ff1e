// Several Poseidon permutations side by side, with the values that a circuit allocates: for witnesses, where
// hashes of one shape come by the thousand.
#pragma once

#include "hash/poseidon.hpp"

namespace cuzk {

// One permutation: `arity` elements in; poseidon_trace_size() elements out.
struct PoseidonLane {
  const Fr* preimage;
  Fr* trace;
};

// How many values a trace has: input, square, fourth power and output (with the next round's constant) of
// each S-box; the last three in the first round, where the domain tag's S-box is left out; then the hash.
size_t poseidon_trace_size(const PoseidonConstants& constants);

// Writes the trace of every lane. Threads: the caller's. Cost: by AVX2 half a scalar permutation a lane when
// there are at least four.
void poseidon_traces(const PoseidonConstants& constants, PoseidonDomain domain,
                     std::span<const PoseidonLane> lanes);

namespace detail {

struct PoseidonKernel;
// By a given kernel, nullptr: scalar. For tests.
void poseidon_traces_by(const PoseidonKernel* kernel, const PoseidonConstants& constants,
                        PoseidonDomain domain, std::span<const PoseidonLane> lanes);
// The kernels that this CPU can run, the emulated one first.
std::vector<const PoseidonKernel*> poseidon_kernels();

}  // namespace detail

}  // namespace cuzk
