// Statements as JSON: the fields that the reference vectors have.
#include <nlohmann/json.hpp>

#include "base/strict_json.hpp"
#include "filecoin/sector.hpp"
#include "filecoin/statement.hpp"

namespace cuzk {
namespace {

using Json = nlohmann::ordered_json;

// One object's fields by name.
class Fields {
 public:
  Fields(const Json& object, std::string place) : object_(object), place_(std::move(place)) {}

  bool has(const char* name) const { return object_.contains(name); }

  Result<uint64_t> number(const char* name) const {
    CUZK_ASSIGN(const Json* field, find(name));
    if (!field->is_number_unsigned()) return invalid(at(name) + "expected a whole number, not negative");
    return field->get<uint64_t>();
  }
  Result<std::string> text(const char* name) const {
    CUZK_ASSIGN(const Json* field, find(name));
    if (!field->is_string()) return invalid(at(name) + "expected text");
    return field->get<std::string>();
  }
  Result<Bytes32> bytes32(const char* name) const {
    CUZK_ASSIGN(const std::string hex, text(name));
    return parse_bytes32(hex, place_ + name);
  }
  Result<const Json*> find(const char* name) const {
    const auto it = object_.find(name);
    if (it == object_.end()) return invalid(at(name) + "missing");
    return &*it;
  }
  std::string at(const char* name) const { return place_ + name + ": "; }

 private:
  const Json& object_;
  std::string place_;
};

Result<uint64_t> read_sector_size(const Fields& fields) {
  CUZK_ASSIGN(const uint64_t bytes, fields.number("sector_size"));
  if (!is_sector_size(bytes)) return invalid("sector_size: " + std::to_string(bytes) + " is no sector size");
  return bytes;
}

Result<Json> parse_object(ProofKind kind, std::string_view text) {
  const std::string expectation =
      "; expected the statement of a " + std::string(proof_kind_name(kind)) + " proof";
  auto json = parse_json<Json>(text);
  if (!json) return invalid(json.error().message + expectation);
  if (!json->is_object()) return invalid("not a JSON object" + expectation);
  return json;
}

Status expect_size(uint64_t registered, uint64_t stated, const std::string& name) {
  if (registered == stated) return {};
  return invalid("sector_size: " + std::to_string(stated) + " does not fit registered_proof " + name);
}

Result<RegisteredSeal> read_seal(const Fields& fields) {
  if (fields.has("registered_proof")) {
    CUZK_ASSIGN(const std::string name, fields.text("registered_proof"));
    CUZK_ASSIGN(const RegisteredSeal seal, parse_registered_seal(name));
    if (fields.has("sector_size")) {
      CUZK_ASSIGN(const uint64_t bytes, read_sector_size(fields));
      CUZK_TRY(expect_size(seal.sector_bytes, bytes, name));
    }
    if (fields.has("api")) {
      CUZK_ASSIGN(const std::string api, fields.text("api"));
      CUZK_ASSIGN(const ApiVersion version, parse_api_version(api));
      if (version != seal.api) return invalid("api: " + api + " does not fit registered_proof " + name);
    }
    return seal;
  }
  CUZK_ASSIGN(const uint64_t bytes, read_sector_size(fields));
  ApiVersion api = ApiVersion::kV1_1;
  if (fields.has("api")) {
    CUZK_ASSIGN(const std::string text, fields.text("api"));
    CUZK_ASSIGN(api, parse_api_version(text));
  }
  return RegisteredSeal{bytes, api, PorepVariant::kInteractive};
}

struct Owner {
  std::optional<uint64_t> miner;
  std::optional<Bytes32> prover;  // there if miner is
};
Result<Owner> read_owner(const Fields& fields) {
  Owner out;
  if (fields.has("miner_id")) {
    CUZK_ASSIGN(out.miner, fields.number("miner_id"));
    out.prover = prover_id(*out.miner);
  }
  if (fields.has("prover_id")) {
    CUZK_ASSIGN(const Bytes32 prover, fields.bytes32("prover_id"));
    if (out.prover && prover != *out.prover)
      return invalid("prover_id: " + to_hex(prover) + " does not fit miner_id " + std::to_string(*out.miner) +
                     ", whose is " + to_hex(*out.prover));
    out.prover = prover;
  }
  return out;
}

Result<Statement> read_porep(const Fields& fields) {
  PorepStatement out{};
  CUZK_ASSIGN(out.seal, read_seal(fields));
  if (fields.has("porep_id") || !fields.has("registered_proof")) {
    CUZK_ASSIGN(out.porep_id, fields.bytes32("porep_id"));
    if (fields.has("registered_proof") && out.porep_id != porep_id(out.seal))
      return invalid("porep_id: " + to_hex(out.porep_id) + " does not fit registered_proof, whose is " +
                     to_hex(porep_id(out.seal)));
  } else {
    out.porep_id = porep_id(out.seal);
  }
  CUZK_ASSIGN(const Owner owner, read_owner(fields));
  if (!owner.prover) return invalid(fields.at("prover_id") + "missing");
  out.miner = owner.miner;
  out.prover = *owner.prover;
  CUZK_ASSIGN(out.sector, fields.number("sector_id"));
  CUZK_ASSIGN(out.comm_d, fields.bytes32("comm_d"));
  CUZK_ASSIGN(out.comm_r, fields.bytes32("comm_r"));
  CUZK_ASSIGN(out.ticket, fields.bytes32("ticket"));
  CUZK_ASSIGN(out.seed, fields.bytes32("seed"));
  if (fields.has("replica_id")) {
    CUZK_ASSIGN(const Bytes32 stated, fields.bytes32("replica_id"));
    if (stated != out.replica_id())
      return invalid("replica_id: " + to_hex(stated) +
                     ", but prover, sector, ticket, comm_d and porep_id give " + to_hex(out.replica_id()));
  }
  return Statement(out);
}

Result<std::vector<PostPublicSector>> read_sectors(const Fields& fields) {
  CUZK_ASSIGN(const Json* list, fields.find("sectors"));
  if (!list->is_array()) return invalid("sectors: expected an array");
  std::vector<PostPublicSector> out;
  for (const Json& entry : *list) {
    const std::string place = "sectors: " + std::to_string(out.size()) + ": ";
    if (!entry.is_object()) return invalid(place + "expected an object");
    const Fields sector(entry, place);
    PostPublicSector& s = out.emplace_back();
    CUZK_ASSIGN(s.id, sector.number("sector_id"));
    CUZK_ASSIGN(s.comm_r, sector.bytes32("comm_r"));
  }
  if (out.empty()) return invalid("sectors: none");
  return out;
}

Result<ApiVersion> read_post_api(const Fields& fields, bool winning, uint64_t sector_bytes) {
  ApiVersion out = winning ? ApiVersion::kV1_0 : ApiVersion::kV1_2;
  std::string registered;
  if (fields.has("registered_proof")) {
    CUZK_ASSIGN(registered, fields.text("registered_proof"));
    CUZK_ASSIGN(const RegisteredPost post, parse_registered_post(registered));
    if (post.winning != winning)
      return invalid("registered_proof: " + registered + " is none of a " +
                     proof_kind_name(winning ? ProofKind::kWinning : ProofKind::kWindow) + " proof");
    if (post.sector_bytes) CUZK_TRY(expect_size(*post.sector_bytes, sector_bytes, registered));
    out = post.api;
  }
  if (!fields.has("api")) return out;
  CUZK_ASSIGN(const std::string text, fields.text("api"));
  CUZK_ASSIGN(const ApiVersion api, parse_api_version(text));
  if (winning && api != ApiVersion::kV1_0) return invalid("api: " + text + ", a WinningPoSt is always 1.0");
  if (!registered.empty() && api != out)
    return invalid("api: " + text + " does not fit registered_proof " + registered);
  return api;
}

Result<Statement> read_post(const Fields& fields, bool winning) {
  PostStatement out{};
  out.winning = winning;
  CUZK_ASSIGN(out.sector_bytes, read_sector_size(fields));
  CUZK_ASSIGN(out.api, read_post_api(fields, winning, out.sector_bytes));
  CUZK_ASSIGN(const Owner owner, read_owner(fields));
  out.miner = owner.miner;
  out.prover = owner.prover;
  CUZK_ASSIGN(out.randomness, fields.bytes32("randomness"));
  CUZK_ASSIGN(out.sectors, read_sectors(fields));
  if (winning && out.sectors.size() != 1)
    return invalid("sectors: " + std::to_string(out.sectors.size()) + ", a WinningPoSt has one");
  return Statement(std::move(out));
}

Result<Statement> read_update(const Fields& fields) {
  UpdatePublic out{};
  CUZK_ASSIGN(out.sector_bytes, read_sector_size(fields));
  if (fields.has("registered_proof")) {
    CUZK_ASSIGN(const std::string name, fields.text("registered_proof"));
    CUZK_ASSIGN(const uint64_t registered, parse_registered_update(name));
    CUZK_TRY(expect_size(registered, out.sector_bytes, name));
  }
  CUZK_TRY(read_owner(fields));
  CUZK_ASSIGN(out.comm_r_old, fields.bytes32("comm_r_old"));
  CUZK_ASSIGN(out.comm_d_new, fields.bytes32("comm_d_new"));
  CUZK_ASSIGN(out.comm_r_new, fields.bytes32("comm_r_new"));
  return Statement(out);
}

Result<Statement> read_kind(ProofKind kind, const Fields& fields) {
  switch (kind) {
    case ProofKind::kPorep:
      return read_porep(fields);
    case ProofKind::kWinning:
      return read_post(fields, true);
    case ProofKind::kWindow:
      return read_post(fields, false);
    default:
      return read_update(fields);
  }
}

Json to_json(const PorepStatement& s) {
  Json out;
  if (is_network_sector_size(s.seal.sector_bytes)) out["registered_proof"] = s.seal.name();
  out["sector_size"] = s.seal.sector_bytes;
  if (!is_network_sector_size(s.seal.sector_bytes)) out["api"] = api_version_name(s.seal.api);
  out["porep_id"] = to_hex(s.porep_id);
  if (s.miner) out["miner_id"] = *s.miner;
  out["prover_id"] = to_hex(s.prover);
  out["sector_id"] = s.sector;
  out["comm_d"] = to_hex(s.comm_d);
  out["comm_r"] = to_hex(s.comm_r);
  out["replica_id"] = to_hex(s.replica_id());
  out["seed"] = to_hex(s.seed);
  out["ticket"] = to_hex(s.ticket);
  return out;
}

Json to_json(const PostStatement& s) {
  Json out;
  if (const auto name = registered_post_name(s.winning, s.sector_bytes, s.api))
    out["registered_proof"] = *name;
  out["sector_size"] = s.sector_bytes;
  out["api"] = api_version_name(s.api);
  if (s.miner) out["miner_id"] = *s.miner;
  if (s.prover) out["prover_id"] = to_hex(*s.prover);
  out["randomness"] = to_hex(s.randomness);
  out["sectors"] = Json::array();
  for (const PostPublicSector& sector : s.sectors)
    out["sectors"].push_back({{"comm_r", to_hex(sector.comm_r)}, {"sector_id", sector.id}});
  return out;
}

Json to_json(const UpdatePublic& s) {
  Json out;
  out["sector_size"] = s.sector_bytes;
  out["comm_r_old"] = to_hex(s.comm_r_old);
  out["comm_d_new"] = to_hex(s.comm_d_new);
  out["comm_r_new"] = to_hex(s.comm_r_new);
  return out;
}

}  // namespace

Result<ParsedStatement> parse_statement(ProofKind kind, std::string_view text) {
  CUZK_ASSIGN(const Json json, parse_object(kind, text));
  const Fields fields(json, "");
  CUZK_ASSIGN(Statement statement, read_kind(kind, fields));
  ParsedStatement out{std::move(statement), {}};
  if (fields.has("partitions")) {
    CUZK_ASSIGN(const uint64_t stated, fields.number("partitions"));
    if (stated != out.statement.partitions())
      return invalid("partitions: " + std::to_string(stated) + ", such a proof has " +
                     std::to_string(out.statement.partitions()));
  }
  if (fields.has("partition")) {
    CUZK_ASSIGN(const uint64_t partition, fields.number("partition"));
    if (partition >= out.statement.partitions())
      return invalid("partition: " + std::to_string(partition) + " of " +
                     std::to_string(out.statement.partitions()));
    out.partition = static_cast<uint32_t>(partition);
  }
  return out;
}

std::string statement_to_json(const Statement& statement, std::optional<uint32_t> partition) {
  Json out = std::visit([](const auto& form) { return to_json(form); }, statement.form());
  if (partition) out["partition"] = *partition;
  return out.dump(2) + "\n";
}

}  // namespace cuzk
