// For tests: reading the reference vectors beside the project, and comparing with them.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "filecoin/circuit_catalog.hpp"
#include "filecoin/circuit_matrices.hpp"
#include "filecoin/inputs/porep_input.hpp"
#include "filecoin/inputs/post_input.hpp"
#include "filecoin/inputs/update_input.hpp"

namespace cuzk::testing_support {

inline const std::string kVectors = CUZK_SOURCE_DIR "/../shared/vectors/";

// One JSON object of the vectors. Keys that are missing read as "" and 0.
class Case {
 public:
  // path: below the vectors' folder, without ".json".
  static std::optional<Case> load(const std::string& path);

  const std::string& path() const { return path_; }
  bool has(const std::string& key) const;
  std::string text(const std::string& key) const;
  uint64_t number(const std::string& key) const;
  std::vector<std::string> texts(const std::string& key) const;
  Bytes32 bytes32(const std::string& key) const;
  // input_files, or the one input_file.
  std::vector<std::string> input_files() const;
  std::vector<PostPublicSector> sectors() const;
  // The `digest` of the gadget of this name in an index of gadgets.
  std::string gadget_digest(const std::string& gadget) const;
  // blocks of a circuit: auxiliaries before, inputs before, digest.
  struct Block {
    uint64_t aux_before, inputs_before;
    std::string digest;
  };
  std::vector<Block> blocks() const;
  std::array<uint64_t, 3> nonzeros() const;

  // Bytes of a file in the same folder, decompressed where it is there only as .zst.
  std::optional<std::string> read_file(const std::string& name) const;

 private:
  struct Json;
  std::string path_;
  std::shared_ptr<const Json> json_;
};

// All cases of assignments in inputs/, real/ and full/.
std::vector<Case> all_cases();

inline Bytes as_bytes(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

// Counts, identifiers and all block digests of a circuit; names the first block that differs.
void check_circuit(const std::string& name);

// Parses the input of a case, with the ids that the case states.
Result<PorepInput> porep_input(const Case& c);
Result<PostInput> post_input(const Case& c);
Result<UpdateInput> update_input(const Case& c);

// Parses, checks, runs the circuit; compares all digests, and that it is satisfied.
void check_case(const std::string& path);

// A circuit's stored matrices, made once in a process.
Result<std::shared_ptr<const StoredMatrices>> matrices_of(const CircuitId& circuit);

// Counts and digest of a circuit's stored matrices; names the first block that differs.
void check_matrices(const std::string& name);

// The compact witness of a case, on stored matrices: digests of its values and of A·w, B·w and C·w.
void check_compact_case(const std::string& path);
Result<CompactWitness> compact_witness(const Case& c, Executor& executor);
CircuitId circuit_of(const Case& c);

}  // namespace cuzk::testing_support
