#include "srs/manifest.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/check.hpp"
#include "base/strict_json.hpp"

namespace cuzk {
namespace {

using Json = nlohmann::ordered_json;

template <size_t N>
std::optional<std::array<uint8_t, N>> bytes_from_hex(std::string_view hex) {
  const auto bytes = from_hex(hex);
  if (!bytes || bytes->size() != N) return std::nullopt;
  std::array<uint8_t, N> out;
  std::copy(bytes->begin(), bytes->end(), out.begin());
  return out;
}

Result<std::string> text_of(const Json& object, const char* field, const std::string& place) {
  const auto it = object.find(field);
  if (it == object.end() || !it->is_string())
    return invalid(place + ": field \"" + field + "\" is missing or no text");
  return it->get<std::string>();
}

Result<FileDigest> digest_of(const Json& object, const char* field, const std::string& place) {
  CUZK_ASSIGN(const std::string hex, text_of(object, field, place));
  if (auto digest = bytes_from_hex<64>(hex)) return *digest;
  return invalid(place + ": " + field + ": expected 128 hex digits");
}

}  // namespace

Manifest Manifest::network() {
  Manifest out;
  out.source_ = "the network's manifest (built in)";
  for (const detail::NetworkFile& file : detail::kNetworkManifest) {
    const auto digest = bytes_from_hex<kManifestDigestBytes>(file.digest);
    CUZK_CHECK(digest.has_value());
    out.entries_[file.name] = *digest;
  }
  return out;
}

Result<Manifest> Manifest::parse(std::string_view text, const std::string& source) {
  const auto parsed = parse_json<Json>(text);
  if (!parsed) return tl::unexpected<Error>(parsed.error().at(source));
  const Json& json = *parsed;
  if (!json.is_object()) return invalid(source + ": not a JSON object of file names");
  Manifest out;
  out.source_ = source;
  for (const auto& [name, entry] : json.items()) {
    const std::string place = source + ": " + name.substr(0, 200);
    if (!entry.is_object()) return invalid(place + ": expected an object with \"digest\"");
    CUZK_ASSIGN(const std::string hex, text_of(entry, "digest", place));
    const auto digest = bytes_from_hex<kManifestDigestBytes>(hex);
    if (!digest) return invalid(place + ": digest: expected 32 hex digits");
    out.entries_[name] = *digest;
  }
  return out;
}

std::optional<Manifest::Digest> Manifest::find(const std::string& file) const {
  const auto it = entries_.find(file);
  if (it == entries_.end()) return std::nullopt;
  return it->second;
}

bool matches(const Manifest::Digest& expected, const FileDigest& found) {
  return std::equal(expected.begin(), expected.end(), found.begin());
}

Result<KeyOrigin> parse_key_origin(std::string_view text, const std::string& source) {
  const auto parsed = parse_json<Json>(text);
  if (!parsed) return tl::unexpected<Error>(parsed.error().at(source));
  const Json& json = *parsed;
  if (!json.is_object()) return invalid(source + ": not a JSON object");
  KeyOrigin out;
  CUZK_ASSIGN(const std::string kind, text_of(json, "origin", source));
  if (kind != "development")
    return invalid(source + ": origin: \"" + kind.substr(0, 80) + "\", expected \"development\"");
  CUZK_ASSIGN(out.circuit, text_of(json, "circuit", source));
  CUZK_ASSIGN(out.circuit_digest, text_of(json, "circuit_digest", source));
  CUZK_ASSIGN(out.params, digest_of(json, "params_blake2b_512", source));
  CUZK_ASSIGN(out.vk, digest_of(json, "vk_blake2b_512", source));
  return out;
}

std::string key_origin_to_json(const KeyOrigin& origin) {
  Json json;
  json["origin"] = "development";
  json["circuit"] = origin.circuit;
  json["circuit_digest"] = origin.circuit_digest;
  json["params_blake2b_512"] = to_hex(origin.params);
  json["vk_blake2b_512"] = to_hex(origin.vk);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace cuzk
