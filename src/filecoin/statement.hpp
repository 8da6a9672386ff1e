// What a verifier knows of a proof: ids, commitments, randomness. Everything a proof's public inputs are
// derived from.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "filecoin/circuit_catalog.hpp"
#include "filecoin/public_inputs.hpp"

namespace cuzk {

struct PorepStatement {
  RegisteredSeal seal;
  Bytes32 porep_id{};
  std::optional<uint64_t> miner;  // prover is its id
  Bytes32 prover{};
  uint64_t sector = 0;
  Bytes32 comm_d{}, comm_r{}, ticket{}, seed{};

  Bytes32 replica_id() const;
};

// Whose sectors they are is no part of what is proved: it is carried along.
struct PostStatement {
  uint64_t sector_bytes = 0;
  bool winning = false;
  ApiVersion api = ApiVersion::kV1_2;  // winning: always 1.0
  Bytes32 randomness{};
  std::vector<PostPublicSector> sectors;  // of all partitions; winning: one
  std::optional<uint64_t> miner;          // prover is its id
  std::optional<Bytes32> prover;
};

class Statement {
 public:
  using Form = std::variant<PorepStatement, PostStatement, UpdatePublic>;

  explicit Statement(Form form) : form_(std::move(form)) {}
  const Form& form() const { return form_; }

  CircuitId circuit() const;
  uint32_t partitions() const;
  // Without the constant one. Errors: kInvalidInput for a partition that is not there, for bytes that are no
  // field element.
  Result<std::vector<Fr>> public_inputs(uint32_t partition) const;

 private:
  Form form_;
};

// An object with the fields of docs/filecoin.md, "Statements"; others are skipped. partition: the field of
// this name, if there is one. Errors: kInvalidInput, naming the field.
struct ParsedStatement {
  Statement statement;
  std::optional<uint32_t> partition;
};
Result<ParsedStatement> parse_statement(ProofKind kind, std::string_view json);

// The same object; reads back equal. partition: the proof beside it is of this one alone.
std::string statement_to_json(const Statement& statement, std::optional<uint32_t> partition = {});

// 64 hex digits, with or without 0x, either case. Errors: kInvalidInput, naming `what`.
Result<Bytes32> parse_bytes32(std::string_view hex, const std::string& what);

}  // namespace cuzk
