// Reads C1 JSON by simdjson's on-demand interface: one pass, numbers straight into field elements.
#include <simdjson.h>

#include <algorithm>
#include <string_view>

#include "filecoin/inputs/base64.hpp"
#include "filecoin/inputs/porep_input.hpp"
#include "filecoin/sector.hpp"

namespace cuzk {
namespace {

using Value = simdjson::ondemand::value;
using Array = simdjson::ondemand::array;
using Object = simdjson::ondemand::object;
using simdjson::error_code;

tl::unexpected<Error> expected(const char* what, error_code code) {
  return invalid(std::string("expected ") + what + " (" + simdjson::error_message(code) + ")");
}

// The same with what the file has there.
tl::unexpected<Error> expected(const char* what, error_code code, Value value) {
  std::string_view token = value.raw_json_token();
  token = token.substr(0, token.find_last_not_of(" \t\r\n") + 1);
  const std::string found = std::string(token.substr(0, 40)) + (token.size() > 40 ? "…" : "");
  if (code == simdjson::INCORRECT_TYPE) return invalid(std::string("expected ") + what + ", found " + found);
  return invalid(std::string("expected ") + what + ", found " + found + " (" + simdjson::error_message(code) +
                 ")");
}

// An element of an array of numbers.
tl::unexpected<Error> expected_number(simdjson::simdjson_result<Value>& entry, error_code code) {
  Value value;
  if (entry.get(value) != simdjson::SUCCESS) return expected("a number", code);
  return expected("a number", code, value);
}

Status at(Status status, std::string_view place) {
  if (status) return status;
  return tl::unexpected(status.error().at(std::string(place)));
}

// Calls field(i, value) for each field named names[i]. Bit i of `required`: names[i] must be there. Another
// name is refused: it may be a misspelt one of those that may be missing.
template <size_t N, class Field>
Status for_fields(Object object, const std::array<std::string_view, N>& names, uint64_t required,
                  Field&& field) {
  uint64_t seen = 0;
  for (auto entry : object) {
    std::string_view key;
    if (auto code = entry.unescaped_key().get(key)) return expected("a field", code);
    if (std::find(names.begin(), names.end(), key) == names.end())
      return invalid("unknown field " + std::string(key.substr(0, 80)));
    for (size_t i = 0; i < N; ++i) {
      if (names[i] != key) continue;
      if (((seen >> i) & 1) != 0) return invalid("field " + std::string(key) + " comes twice");
      seen |= uint64_t{1} << i;
      Value value;
      if (auto code = entry.value().get(value)) return at(expected("a value", code), names[i]);
      if (Status status = field(i, value); !status) return at(std::move(status), names[i]);
      break;
    }
  }
  for (size_t i = 0; i < N; ++i)
    if (((required & ~seen) >> i & 1) != 0) return invalid("field " + std::string(names[i]) + " is missing");
  return {};
}

template <size_t N, class Field>
Status for_fields(Value value, const std::array<std::string_view, N>& names, Field&& field) {
  Object object;
  if (auto code = value.get_object().get(object)) return expected("an object", code, value);
  return for_fields(object, names, (uint64_t{1} << N) - 1, field);
}

// Calls element(i, value) for each element of an array.
template <class Element>
Status for_elements(Value value, const char* what, Element&& element) {
  Array array;
  if (auto code = value.get_array().get(array)) return expected("an array", code, value);
  size_t i = 0;
  for (auto entry : array) {
    Value v;
    if (auto code = entry.get(v)) return expected("a value", code);
    if (Status status = element(v); !status) {
      const std::string place = std::string(what) + " " + std::to_string(i);
      return at(std::move(status), place);
    }
    ++i;
  }
  return {};
}

template <class Integer>
Status read_integer(Value value, Integer& out) {
  uint64_t v;
  if (auto code = value.get_uint64().get(v)) return expected("a number", code, value);
  if (v > std::numeric_limits<Integer>::max())
    return invalid("number " + std::to_string(v) + " is too large");
  out = static_cast<Integer>(v);
  return {};
}

// Zero stands for "not given" below.
Status read_sector_size(Value value, uint64_t& out) {
  CUZK_TRY(read_integer(value, out));
  if (!is_sector_size(out)) return invalid(std::to_string(out) + " is no sector size");
  return {};
}

// 32 bytes, or four 64-bit limbs, little-endian.
Status read_bytes32(Value value, Bytes32& out) {
  Array array;
  if (auto code = value.get_array().get(array))
    return expected("an array of 32 bytes or 4 limbs", code, value);
  std::array<uint64_t, 32> numbers;
  size_t count = 0;
  for (auto entry : array) {
    if (count == numbers.size()) return invalid("more than 32 numbers, expected 32 bytes or 4 limbs");
    if (auto code = entry.get_uint64().get(numbers[count])) return expected_number(entry, code);
    ++count;
  }
  if (count == 4) {
    for (size_t i = 0; i < 4; ++i) store_le64(out.data() + 8 * i, numbers[i]);
    return {};
  }
  if (count != 32) return invalid(std::to_string(count) + " numbers, expected 32 bytes or 4 limbs");
  for (size_t i = 0; i < 32; ++i) {
    if (numbers[i] > 255) return invalid(std::to_string(numbers[i]) + " is no byte");
    out[i] = static_cast<uint8_t>(numbers[i]);
  }
  return {};
}

Status read_element(Value value, Fr& out) {
  Bytes32 bytes;
  CUZK_TRY(read_bytes32(value, bytes));
  CUZK_ASSIGN(out, field_element(bytes, "value"));
  return {};
}

Status read_elements(Value value, std::vector<Fr>& out) {
  return for_elements(value, "number", [&](Value v) { return read_element(v, out.emplace_back()); });
}

Status read_rows(Value value, MerklePath& out) {
  static constexpr std::array<std::string_view, 1> kOuter = {"path"};
  static constexpr std::array<std::string_view, 2> kRow = {"hashes", "index"};
  return for_fields(value, kOuter, [&](size_t, Value rows) {
    return for_elements(rows, "row", [&](Value row) {
      PathRow& r = out.emplace_back();
      return for_fields(row, kRow, [&](size_t i, Value v) {
        return i == 0 ? read_elements(v, r.siblings) : read_integer(v, r.index);
      });
    });
  });
}

// {"data": {"Single" | "Sub" | "Top": {root, leaf, path | base_proof, sub_proof, top_proof}}}
Status read_proof(Value value, MerkleProof& out) {
  static constexpr std::array<std::string_view, 1> kData = {"data"};
  static constexpr std::array<std::string_view, 3> kForms = {"Single", "Sub", "Top"};
  static constexpr std::array<std::string_view, 6> kFields = {"root",       "leaf",      "path",
                                                              "base_proof", "sub_proof", "top_proof"};
  static constexpr uint64_t kRequired[] = {0b000111, 0b011011, 0b111011};
  return for_fields(value, kData, [&](size_t, Value data) -> Status {
    Object forms;
    if (auto code = data.get_object().get(forms)) return expected("an object", code);
    bool found = false;
    Status status = for_fields(forms, kForms, 0, [&](size_t form, Value proof) -> Status {
      if (found) return invalid("a second form");
      found = true;
      Object object;
      if (auto code = proof.get_object().get(object)) return expected("an object", code);
      std::array<MerklePath, 4> parts;
      CUZK_TRY(for_fields(object, kFields, kRequired[form], [&](size_t i, Value v) {
        return i == 0   ? read_element(v, out.root)
               : i == 1 ? read_element(v, out.leaf)
                        : read_rows(v, parts[i - 2]);
      }));
      for (MerklePath& part : parts)
        out.path.insert(out.path.end(), std::make_move_iterator(part.begin()),
                        std::make_move_iterator(part.end()));
      return {};
    });
    if (!status) return status;
    if (!found) return invalid("none of Single, Sub, Top");
    return {};
  });
}

Status read_column(Value value, std::vector<Fr>& labels, ColumnOpening& opening, MerklePath& path) {
  static constexpr std::array<std::string_view, 2> kFields = {"column", "inclusion_proof"};
  static constexpr std::array<std::string_view, 3> kColumn = {"index", "rows", "_h"};
  return for_fields(value, kFields, [&](size_t field, Value v) -> Status {
    if (field == 0) {
      Object column;
      if (auto code = v.get_object().get(column)) return expected("an object", code);
      return for_fields(column, kColumn, 0b011, [&](size_t i, Value inner) -> Status {
        if (i == 0) return read_integer(inner, opening.node);
        if (i == 1) return read_elements(inner, labels);
        bool is_null = false;  // a marker of upstream's types, always null
        if (auto code = inner.is_null().get(is_null)) return expected("null", code);
        if (!is_null) return invalid("expected null");
        return {};
      });
    }
    MerkleProof proof;
    CUZK_TRY(read_proof(v, proof));
    opening.root = proof.root;
    opening.leaf = proof.leaf;
    path = std::move(proof.path);
    return {};
  });
}

Status read_label(Value value, LabelProof& out) {
  static constexpr std::array<std::string_view, 3> kFields = {"parents", "layer_index", "node"};
  return for_fields(value, kFields, [&](size_t i, Value v) {
    return i == 0   ? read_elements(v, out.parents)
           : i == 1 ? read_integer(v, out.layer)
                    : read_integer(v, out.node);
  });
}

Status read_replica_columns(Value value, PorepVanillaProof& out) {
  static constexpr std::array<std::string_view, 3> kFields = {"c_x", "drg_parents", "exp_parents"};
  std::array<std::vector<PorepColumn>, 2> columns;
  std::array<std::vector<ColumnOpening>, 2> openings;
  CUZK_TRY(for_fields(value, kFields, [&](size_t i, Value v) -> Status {
    if (i == 0) return read_column(v, out.labels, out.column, out.circuit.column_path);
    return for_elements(v, "parent", [&](Value parent) {
      PorepColumn& column = columns[i - 1].emplace_back();
      return read_column(parent, column.labels, openings[i - 1].emplace_back(), column.path);
    });
  }));
  if (columns[0].size() != kDrgParents || columns[1].size() != kExpanderParents)
    return invalid(std::to_string(columns[0].size()) + " drg_parents and " +
                   std::to_string(columns[1].size()) + " exp_parents, expected 6 and 8");
  for (size_t i = 0; i < 2; ++i) {
    std::move(columns[i].begin(), columns[i].end(), std::back_inserter(out.circuit.parents));
    std::move(openings[i].begin(), openings[i].end(), std::back_inserter(out.parents));
  }
  return {};
}

Status read_challenge(Value value, PorepVanillaProof& out) {
  static constexpr std::array<std::string_view, 5> kFields = {
      "comm_d_proofs", "comm_r_last_proof", "replica_column_proofs", "labeling_proofs", "encoding_proof"};
  return for_fields(value, kFields, [&](size_t i, Value v) -> Status {
    MerkleProof proof;
    switch (i) {
      case 0:
        CUZK_TRY(read_proof(v, proof));
        out.data_root = proof.root;
        out.circuit.data = proof.leaf;
        out.circuit.data_path = std::move(proof.path);
        return {};
      case 1:
        CUZK_TRY(read_proof(v, proof));
        out.replica_root = proof.root;
        out.replica_leaf = proof.leaf;
        out.circuit.replica_path = std::move(proof.path);
        return {};
      case 2:
        return read_replica_columns(v, out);
      case 3:
        return for_elements(v, "layer",
                            [&](Value label) { return read_label(label, out.label_proofs.emplace_back()); });
      default:
        return read_label(v, out.encoding);
    }
  });
}

Status read_partitions(Value value, PorepInput& out) {
  return for_elements(value, "partition", [&](Value partition) {
    auto& proofs = out.partitions.emplace_back();
    return for_elements(partition, "challenge",
                        [&](Value v) { return read_challenge(v, proofs.emplace_back()); });
  });
}

// Either {"StackedDrg32GiBV1": [...]} or the bare list. Upstream names the proofs by the first version of
// their sector size, whatever the registered proof is; the name is returned.
Status read_vanilla_proofs(Value value, PorepInput& out, std::string& name) {
  simdjson::ondemand::json_type type;
  if (auto code = value.type().get(type)) return expected("proofs", code);
  if (type == simdjson::ondemand::json_type::array) return read_partitions(value, out);
  Object object;
  if (auto code = value.get_object().get(object)) return expected("an object or an array", code);
  for (auto entry : object) {
    std::string_view key;
    if (auto code = entry.unescaped_key().get(key)) return expected("a field", code);
    if (!name.empty()) return invalid("a second list, " + std::string(key) + " beside " + name);
    name = key;
    Value list;
    if (auto code = entry.value().get(list)) return at(expected("a value", code), name);
    CUZK_TRY(at(read_partitions(list, out), name));
  }
  if (name.empty()) return invalid("no proofs");
  return {};
}

Status apply_registered_proof(const std::string& registered, const std::string& list_name, PorepInput& out) {
  if (registered.empty()) {
    if (out.sector_bytes == 0) return invalid("field registered_proof is missing");
    if (!is_sector_size(out.sector_bytes) || is_network_sector_size(out.sector_bytes))
      return invalid("sector_size " + std::to_string(out.sector_bytes) + " without registered_proof");
    // A size that the network does not register: API 1.1 with the id of 2 KiB sectors.
    out.porep_id = porep_id_of(5);
    return {};
  }
  CUZK_ASSIGN(const RegisteredSeal seal, parse_registered_seal(registered));
  if (out.sector_bytes != 0 && out.sector_bytes != seal.sector_bytes)
    return invalid("sector_size " + std::to_string(out.sector_bytes) + " does not fit " + registered);
  const std::string expected_list = "StackedDrg" + sector_size_name(seal.sector_bytes) + "V1";
  if (list_name != expected_list)
    return invalid("vanilla_proofs of " + list_name + ", expected " + expected_list + " for " + registered);
  out.sector_bytes = seal.sector_bytes;
  out.api = seal.api;
  out.variant = seal.variant;
  out.porep_id = porep_id(seal);
  return {};
}

Status check_path(const TreeShape& tree, uint64_t nodes, const MerklePath& path, const char* what) {
  if (path_has_shape(tree, nodes, path)) return {};
  return invalid(std::string(what) + ": the path does not have the shape of " + tree_name(tree) + " over " +
                 std::to_string(nodes) + " leaves");
}

Status check_challenge_shape(const PorepVanillaProof& proof, const TreeShape& tree, uint64_t nodes,
                             size_t layers) {
  const PorepChallenge& c = proof.circuit;
  CUZK_TRY(check_path(kBinarySha256Tree, nodes, c.data_path, "comm_d_proofs"));
  CUZK_TRY(check_path(tree, nodes, c.replica_path, "comm_r_last_proof"));
  CUZK_TRY(check_path(tree, nodes, c.column_path, "replica_column_proofs: c_x"));
  const auto check_labels = [&](const std::vector<Fr>& labels) -> Status {
    if (labels.size() == layers) return {};
    return invalid(std::to_string(labels.size()) + " rows in a column, expected " + std::to_string(layers));
  };
  CUZK_TRY(check_labels(proof.labels));
  for (const PorepColumn& parent : c.parents) {
    CUZK_TRY(check_labels(parent.labels));
    CUZK_TRY(check_path(tree, nodes, parent.path, "replica_column_proofs: a parent"));
  }
  if (proof.label_proofs.size() != layers)
    return invalid(std::to_string(proof.label_proofs.size()) + " labeling_proofs, expected " +
                   std::to_string(layers));
  return {};
}

Status check_shape(PorepInput& input) {
  const RegisteredSeal seal{input.sector_bytes, input.api, input.variant};
  const uint64_t nodes = sector_nodes(input.sector_bytes);
  const size_t challenges = porep_challenges_per_partition(input.sector_bytes);
  if (input.partitions.size() != seal.partitions())
    return invalid(std::to_string(input.partitions.size()) + " partitions, expected " +
                   std::to_string(seal.partitions()) + " for " + seal.name());
  for (size_t p = 0; p < input.partitions.size(); ++p) {
    const std::string partition = "partition " + std::to_string(p);
    if (input.partitions[p].size() != challenges)
      return invalid(partition + ": " + std::to_string(input.partitions[p].size()) +
                     " challenges, expected " + std::to_string(challenges));
    for (size_t i = 0; i < challenges; ++i) {
      PorepVanillaProof& proof = input.partitions[p][i];
      CUZK_TRY(at(check_challenge_shape(proof, input.tree(), nodes, porep_layers(input.sector_bytes)),
                  partition + ": challenge " + std::to_string(i)));
      proof.circuit.node = proof.label_proofs[0].node;
    }
  }
  return {};
}

Status read_c1(Object object, PorepInput& out) {
  static constexpr std::array<std::string_view, 8> kFields = {"registered_proof", "vanilla_proofs", "comm_r",
                                                              "comm_d",           "replica_id",     "seed",
                                                              "ticket",           "sector_size"};
  std::string registered, list_name;
  CUZK_TRY(for_fields(object, kFields, 0b01111110, [&](size_t i, Value v) -> Status {
    std::string_view text;
    switch (i) {
      case 0:
        if (auto code = v.get_string().get(text)) return expected("a name", code, v);
        registered = text;
        return {};
      case 1:
        return read_vanilla_proofs(v, out, list_name);
      case 2:
        return read_bytes32(v, out.comm_r);
      case 3:
        return read_bytes32(v, out.comm_d);
      case 4:
        return read_bytes32(v, out.replica_id);
      case 5:
        return read_bytes32(v, out.seed);
      case 6:
        return read_bytes32(v, out.ticket);
      default:
        return read_sector_size(v, out.sector_bytes);
    }
  }));
  CUZK_TRY(apply_registered_proof(registered, list_name, out));
  return check_shape(out);
}

Status read_document(const simdjson::padded_string& text, PorepInput& out, bool inside_envelope);

Status read_base64(Value value, PorepInput& out) {
  std::string_view text;
  if (auto code = value.get_string().get(text)) return expected("base64 text", code, value);
  CUZK_ASSIGN(const std::string decoded, decode_base64(text));
  return read_document(simdjson::padded_string(decoded), out, true);
}

// Whether the object has, or by its other fields should have, a C1 in one of its fields, and is none itself.
Result<bool> is_envelope(Object object) {
  for (auto entry : object) {
    std::string_view key;
    if (auto code = entry.unescaped_key().get(key)) return expected("a field", code);
    if (key == "Phase1Out" || key == "c1out" || key == "SectorNum" || key == "SectorSize") return true;
  }
  return false;
}

Status read_envelope(Object object, PorepInput& out) {
  static constexpr std::array<std::string_view, 7> kFields = {
      "Phase1Out", "c1out", "SectorNum", "SectorSize", "sector_id", "miner_id", "prover_id"};
  bool found = false;
  uint64_t size = 0;
  CUZK_TRY(for_fields(object, kFields, 0, [&](size_t i, Value v) -> Status {
    Object inner;
    switch (i) {
      case 0:
      case 1:
        if (found) return invalid("a second C1");
        found = true;
        if (i == 0) return read_base64(v, out);
        if (auto code = v.get_object().get(inner)) return expected("an object", code);
        return read_c1(inner, out);
      case 2:
      case 4:
        if (out.sector) return invalid("a second sector number");
        return read_integer(v, out.sector.emplace());
      case 3:
        return read_sector_size(v, size);
      case 5:
        return read_integer(v, out.miner.emplace());
      default:
        return read_bytes32(v, out.prover.emplace());
    }
  }));
  if (!found) return invalid("neither Phase1Out nor c1out in it, one of which holds the C1");
  if (size != 0 && size != out.sector_bytes)
    return invalid("SectorSize " + std::to_string(size) + " does not fit the sector's " +
                   std::to_string(out.sector_bytes));
  return {};
}

Status read_document(const simdjson::padded_string& text, PorepInput& out, bool inside_envelope) {
  const std::string_view all(text.data(), text.size());
  const size_t first = all.find_first_not_of(" \t\r\n"), last = all.find_last_not_of(" \t\r\n");
  if (first != all.npos && all[first] != '{')
    return invalid("byte " + std::to_string(first) +
                   ": expected the opening brace of an object, found byte " +
                   to_hex(Bytes(reinterpret_cast<const uint8_t*>(&all[first]), 1)) +
                   (all.starts_with("\xef\xbb\xbf") ? ", a byte order mark: save the file without it"
                                                    : ": it is not C1, which is JSON in UTF-8"));
  if (last == all.npos || all[last] != '}')
    return invalid(
        "byte " + std::to_string(last == all.npos ? 0 : last) +
        ": not the closing brace of an object: the file is cut short, or has text after the object");
  simdjson::ondemand::parser parser;
  simdjson::ondemand::document document;
  if (auto code = parser.iterate(text).get(document)) return expected("JSON", code);
  Object object;
  if (auto code = document.get_object().get(object)) return expected("an object", code);
  bool envelope = false;
  if (!inside_envelope) {
    CUZK_ASSIGN(envelope, is_envelope(object));
    document.rewind();
    if (auto code = document.get_object().get(object)) return expected("an object", code);
  }
  CUZK_TRY(envelope ? at(read_envelope(object, out), "envelope") : read_c1(object, out));
  const char* location = nullptr;
  if (document.current_location().get(location) == simdjson::SUCCESS)
    return invalid("byte " + std::to_string(location - text.data()) + ": text after the object");
  return {};
}

}  // namespace

Result<PorepInput> parse_porep_input(Bytes json) {
  PorepInput input;
  const simdjson::padded_string text(reinterpret_cast<const char*>(json.data()), json.size());
  CUZK_TRY(read_document(text, input, false));
  return input;
}

}  // namespace cuzk
