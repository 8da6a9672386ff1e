// Steps of a proof on the card that single operations and whole proofs share.
#pragma once

#include "device/cuda/arena.hpp"
#include "device/cuda/cuda_key.hpp"

namespace cuzk::gpu {

size_t witness_size(const WitnessInput& witness);
// Device memory of an uploaded witness; of any witness of so many variables, at most.
size_t witness_bytes(const WitnessInput& witness);
size_t most_witness_bytes(size_t variables);
// The witness on the card, in memory that `arena` has; as full or compact as it is given.
Result<DeviceWitness> upload_witness(Lane& lane, const WitnessInput& witness, Arena& arena);

// DeviceOperations::evaluate with everything on the card; n: length of a and b.
Status evaluate_on_card(Lane& lane, const CudaMatrices& matrices, const DeviceWitness& witness, void* a,
                        void* b, size_t n);

size_t quotient_table_bytes(size_t domain_size);
// DeviceOperations::quotient with everything on the card; *result: which of a and b has it.
Status quotient_on_card(Lane& lane, QuotientBasis basis, DomainRoot root, size_t n, char* a, char* b,
                        char* scratch, void* tables, char** result);

}  // namespace cuzk::gpu
