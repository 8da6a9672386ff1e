// The output of a sealed sector's first commit phase ("C1"): what PoRep proofs are made from.
#pragma once

#include <optional>
#include <vector>

#include "base/executor.hpp"
#include "filecoin/circuits/porep_circuit.hpp"
#include "filecoin/merkle.hpp"
#include "filecoin/public_inputs.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// The parents' labels of one layer, as SHA-256 takes them.
struct LabelProof {
  std::vector<Fr> parents;
  uint32_t layer = 0;
  uint64_t node = 0;
};

// What an opened column repeats beside its labels and path.
struct ColumnOpening {
  uint64_t node = 0;
  Fr root, leaf;
};

struct PorepVanillaProof {
  PorepChallenge circuit;  // all that the circuit reads

  // The rest follows from it and is there to be checked.
  Fr data_root, replica_root, replica_leaf;
  std::vector<Fr> labels;  // of the challenged node
  ColumnOpening column;
  std::vector<ColumnOpening> parents;
  std::vector<LabelProof> label_proofs;  // one for each layer
  LabelProof encoding;
};

struct PorepInput {
  uint64_t sector_bytes = 0;
  ApiVersion api = ApiVersion::kV1_1;
  PorepVariant variant = PorepVariant::kInteractive;
  // The registered proof's; the file may be overruled (field tests use other ids).
  Bytes32 porep_id{};
  Bytes32 comm_r{}, comm_d{}, replica_id{}, seed{}, ticket{};
  std::vector<std::vector<PorepVanillaProof>> partitions;

  // What envelopes around C1 say besides.
  std::optional<uint64_t> sector, miner;
  std::optional<Bytes32> prover;

  TreeShape tree() const;
  PorepPublic public_part() const;
};

// Reads C1 JSON: the network's form (field elements as 32 bytes or as four 64-bit limbs; vanilla proofs named
// by their registered proof, or bare with sector_size), itself or inside an envelope {SectorNum, Phase1Out
// (base64), SectorSize} or {c1out, prover_id, sector_id, miner_id}. Checks the shape (counts, path lengths),
// so that circuits can run on it; nothing else. Errors: kInvalidInput, naming partition, challenge and field.
Result<PorepInput> parse_porep_input(Bytes json);

// Checks that everything holds and belongs together: paths, columns, labels, encoding, commitments,
// challenged nodes and their parents; and, if miner or prover and sector are known, the replica id. Errors:
// kInvalidInput, naming partition, challenge and field.
// Threads: challenges are spread over the executor.
Status check_porep_input(const PorepInput& input, uint32_t partition, Executor& executor);
Status check_porep_input(const PorepInput& input, uint32_t partition);

// Runs the circuit of a partition. Errors: kInvalidInput if there is no such partition.
Status synthesize_porep(const PorepInput& input, uint32_t partition, ConstraintSystem& cs);

// The same as a compact witness: bits are what the circuit allocates as bits
// (MatrixTemplates::witness_shape). Threads: challenges are spread over the executor.
Result<CompactWitness> compact_porep(const PorepInput& input, uint32_t partition, Executor& executor);

}  // namespace cuzk
