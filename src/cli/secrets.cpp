#include "cli/secrets.hpp"

#include <nlohmann/json.hpp>

#include "base/strict_json.hpp"
#include "formats/snarkjs_json.hpp"

namespace cuzk::cli {

Result<Fr> parse_scalar(const std::string& text, const std::string& what) {
  std::string digits = text.starts_with("0x") || text.starts_with("0X") ? text.substr(2) : text;
  if (digits.empty() || digits.size() > 64)
    return invalid(what + ": found " + std::to_string(digits.size()) +
                   " characters; expected 1 to 64 hex digits, big-endian, 0x optional");
  auto bytes = from_hex(std::string(64 - digits.size(), '0') + digits);
  if (!bytes) return invalid(what + ": not hexadecimal: '" + text + "'");
  auto value = Fr::from_be_bytes(bytes->data());
  if (!value) return invalid(what + ": not below the group order r: reduce it first");
  return *value;
}

Result<Blinding> parse_blinding(const std::string& text) {
  size_t comma = text.find(',');
  if (comma == std::string::npos)
    return invalid("--blinding: expected two hex numbers R,S separated by a comma");
  CUZK_ASSIGN(Fr r, parse_scalar(text.substr(0, comma), "--blinding R"));
  CUZK_ASSIGN(Fr s, parse_scalar(text.substr(comma + 1), "--blinding S"));
  return Blinding{r, s};
}

namespace {
Result<Fr> secret(const nlohmann::json& object, const char* name, const std::string& path) {
  auto it = object.find(name);
  std::string place = path + ": secret '" + name + "'";
  if (it == object.end()) return invalid(place + ": missing; expected alpha, beta, gamma, delta and tau");
  if (!it->is_string()) return invalid(place + ": expected a string of hex digits, big-endian");
  CUZK_ASSIGN(Fr value, parse_scalar(it->get<std::string>(), place));
  if (value.is_zero()) return invalid(place + ": is zero; no key can be made from it");
  return value;
}
}  // namespace

Result<SetupSecrets> parse_secrets(std::string_view text, const std::string& path) {
  const std::string expectation = "; expected {alpha, beta, gamma, delta, tau}";
  auto parsed = parse_json<nlohmann::json>(text);
  if (!parsed) return invalid(path + ": " + parsed.error().message + expectation);
  nlohmann::json json = std::move(*parsed);
  if (!json.is_object()) return invalid(path + ": not a JSON object" + expectation);
  if (json.contains("secrets")) json = json["secrets"];
  if (!json.is_object()) return invalid(path + ": 'secrets' is not an object");
  SetupSecrets s;
  CUZK_ASSIGN(s.alpha, secret(json, "alpha", path));
  CUZK_ASSIGN(s.beta, secret(json, "beta", path));
  CUZK_ASSIGN(s.gamma, secret(json, "gamma", path));
  CUZK_ASSIGN(s.delta, secret(json, "delta", path));
  CUZK_ASSIGN(s.tau, secret(json, "tau", path));
  return s;
}

Result<SetupSecrets> read_secrets(const std::string& path) {
  CUZK_ASSIGN(auto file, InputFile::open(path));
  CUZK_ASSIGN(std::string text, read_json_text(file));
  return parse_secrets(text, path);
}

}  // namespace cuzk::cli
