#include "formats/snarkjs_json.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/strict_json.hpp"
#include "curve/pairing.hpp"
#include "curve/subgroup.hpp"
#include "formats/decimal.hpp"
#include "formats/foreign.hpp"

namespace cuzk {
namespace {

using Json = nlohmann::ordered_json;

constexpr uint64_t kMostTextBytes = uint64_t{1} << 28;

// A value with its path in the document ("proof.json: pi_b[0][1]"), for messages.
struct Node {
  const Json& json;
  std::string path;

  tl::unexpected<Error> error(const std::string& message) const { return invalid(path + ": " + message); }
  std::string type() const { return json.type_name(); }

  Result<Node> member(const char* name) const {
    if (!json.is_object()) return error("a JSON " + type() + ", expected an object");
    const auto found = json.find(name);
    if (found == json.end()) return error(std::string("\"") + name + "\" is missing");
    return Node{*found, path + ": " + name};
  }
  // Element i of an array of exactly `size` elements.
  Result<Node> element(size_t i, size_t size) const {
    if (!json.is_array()) return error("a JSON " + type() + ", expected an array");
    if (json.size() != size) {
      return error(std::to_string(json.size()) + " elements, expected " + std::to_string(size));
    }
    return Node{json[i], path + "[" + std::to_string(i) + "]"};
  }
};

std::string shortened(const std::string& text) {
  return text.size() <= 100 ? text : text.substr(0, 100) + "…";
}

template <class F>
Result<F> field_from_integer(const std::optional<typename F::Int>& value, const char* modulus,
                             const std::string& text) {
  if (value) {
    if (const auto element = F::from_canonical(*value)) return *element;
  } else if (const bool hex = text.starts_with("0x") || text.starts_with("0X");
             text.find_first_not_of(hex ? "0123456789abcdefABCDEF" : "0123456789", hex ? 2 : 0) !=
                 text.npos ||
             text.size() == (hex ? 2 : 0)) {
    return invalid(std::string("\"").append(shortened(text)) +
                   "\" is not a number (decimal, or hexadecimal after 0x)");
  }
  return invalid(shortened(text) + " is not below " + modulus + ": it is not reduced");
}

template <class F>
Result<F> field_from_text(std::string_view text, const char* modulus) {
  return field_from_integer<F>(parse_integer<F::kLimbs>(text), modulus, std::string(text));
}

template <class F>
Result<F> read_field(const Node& node, const char* modulus) {
  Result<F> value = F::zero();
  if (node.json.is_string()) {
    value = field_from_text<F>(node.json.get_ref<const std::string&>(), modulus);
  } else if (node.json.is_number_unsigned()) {
    value = F::from_u64(node.json.get<uint64_t>());
  } else if (node.json.is_number()) {
    return node.error(
        "the bare JSON number " + node.json.dump() +
        " is negative, has a fraction, or is too large to be exact: write the integer as a string");
  } else {
    return node.error("a JSON " + node.type() + ", expected a number in a string");
  }
  if (!value) return node.error(value.error().message);
  return value;
}

Result<Fp> read_coordinate(const Node& node, Fp*) {
  return read_field<Fp>(node, "p");
}
Result<Fp2> read_coordinate(const Node& node, Fp2*) {
  Fp2 value;
  CUZK_ASSIGN(const Node c0, node.element(0, 2));
  CUZK_ASSIGN(const Node c1, node.element(1, 2));
  CUZK_ASSIGN(value.c0, read_field<Fp>(c0, "p"));
  CUZK_ASSIGN(value.c1, read_field<Fp>(c1, "p"));
  return value;
}

// x, y, z with z = 1; infinity is 0, 1, 0.
template <class G>
Result<typename G::Point> read_point(const Node& node, bool infinity_allowed) {
  using F = typename G::Field;
  F xyz[3];
  for (size_t i = 0; i < 3; ++i) {
    CUZK_ASSIGN(const Node part, node.element(i, 3));
    CUZK_ASSIGN(xyz[i], read_coordinate(part, static_cast<F*>(nullptr)));
  }
  if (xyz[2].is_zero()) {
    if (!xyz[0].is_zero() || !xyz[1].is_one()) return node.error("infinity must be written as 0, 1, 0");
    if (!infinity_allowed) return node.error("infinity, which this field never holds");
    return G::Point::infinity();
  }
  if (!xyz[2].is_one()) return node.error("the third coordinate must be 1 (or 0 for infinity)");
  const typename G::Point point{xyz[0], xyz[1]};
  // (0, 0) stands for infinity in memory and is on neither curve.
  if (point.is_infinity() || !is_on_curve<G>(point)) return node.error("the point is not on the curve");
  if (!is_in_subgroup(point)) return node.error("the point is not in the subgroup of order r");
  return point;
}

Result<Json> parse(std::string_view text, const std::string& name) {
  CUZK_TRY(check_json_depth(text, name));
  auto json = parse_json<Json>(text);
  if (!json) return tl::unexpected<Error>(json.error().at(name));
  return json;
}

// snarkjs reads "BLS12-381" and the like as "bls12381", too: letters in either case, all but letters and
// digits ignored.
bool is_our_curve(const Json& name) {
  if (!name.is_string()) return false;
  std::string letters;
  for (const char c : name.get_ref<const std::string&>()) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      letters.push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    }
  }
  return letters == "bls12381";
}

Status check_header(const Node& root) {
  CUZK_ASSIGN(const Node protocol, root.member("protocol"));
  if (protocol.json != "groth16") {
    return protocol.error("found " + shortened(protocol.json.dump()) + ", expected \"groth16\"");
  }
  CUZK_ASSIGN(const Node curve, root.member("curve"));
  if (!is_our_curve(curve.json)) {
    return curve.error("wrong curve: found " + shortened(curve.json.dump()) + ", expected \"bls12381\"");
  }
  return {};
}

template <class G>
Result<typename G::Point> read_member(const Node& root, const char* name) {
  CUZK_ASSIGN(const Node node, root.member(name));
  return read_point<G>(node, false);
}

template <class F>
Json field_json(const F& value) {
  return to_decimal(value.to_canonical());
}
Json field_json(const Fp2& value) {
  return Json::array({field_json(value.c0), field_json(value.c1)});
}
Json fp6_json(const Fp6& value) {
  return Json::array({field_json(value.c0), field_json(value.c1), field_json(value.c2)});
}
template <class F>
Json point_json(const Affine<F>& point) {
  const bool infinity = point.is_infinity();
  return Json::array({field_json(point.x), field_json(infinity ? F::one() : point.y),
                      field_json(infinity ? F::zero() : F::one())});
}

}  // namespace

Result<Fr> parse_fr(std::string_view text) {
  return field_from_text<Fr>(text, "r");
}

Result<Proof> parse_proof_json(std::string_view text, const std::string& name) {
  CUZK_ASSIGN(const Json document, parse(text, name));
  const Node root{document, name};
  CUZK_TRY(check_header(root));
  Proof proof;
  CUZK_ASSIGN(proof.a, read_member<G1>(root, "pi_a"));
  CUZK_ASSIGN(proof.b, read_member<G2>(root, "pi_b"));
  CUZK_ASSIGN(proof.c, read_member<G1>(root, "pi_c"));
  return proof;
}

Result<std::vector<Fr>> parse_public_json(std::string_view text, const std::string& name) {
  CUZK_ASSIGN(const Json document, parse(text, name));
  const Node root{document, name};
  if (!document.is_array())
    return root.error("a JSON " + root.type() + ", expected an array of public inputs");
  std::vector<Fr> values(document.size());
  for (size_t i = 0; i < values.size(); ++i) {
    const Node node{document[i], name + ": public input " + std::to_string(i)};
    CUZK_ASSIGN(values[i], read_field<Fr>(node, "r"));
  }
  return values;
}

Result<VerifyingKey> parse_verification_key_json(std::string_view text, const std::string& name) {
  CUZK_ASSIGN(const Json document, parse(text, name));
  const Node root{document, name};
  CUZK_TRY(check_header(root));
  VerifyingKey vk;
  vk.beta_g1 = vk.delta_g1 = G1Affine::infinity();
  CUZK_ASSIGN(vk.alpha_g1, read_member<G1>(root, "vk_alpha_1"));
  CUZK_ASSIGN(vk.beta_g2, read_member<G2>(root, "vk_beta_2"));
  CUZK_ASSIGN(vk.gamma_g2, read_member<G2>(root, "vk_gamma_2"));
  CUZK_ASSIGN(vk.delta_g2, read_member<G2>(root, "vk_delta_2"));
  CUZK_ASSIGN(const Node ic, root.member("IC"));
  if (!ic.json.is_array() || ic.json.empty()) return ic.error("expected an array of at least one point");
  vk.ic.resize(ic.json.size());
  for (size_t i = 0; i < vk.ic.size(); ++i) {
    CUZK_ASSIGN(const Node node, ic.element(i, vk.ic.size()));
    CUZK_ASSIGN(vk.ic[i], read_point<G1>(node, true));
  }
  CUZK_ASSIGN(const Node num_public, root.member("nPublic"));
  if (!num_public.json.is_number_unsigned() || num_public.json.get<uint64_t>() != vk.ic.size() - 1) {
    return num_public.error("found " + shortened(num_public.json.dump()) + ", but IC has " +
                            std::to_string(vk.ic.size()) + " points, one more than there are public inputs");
  }
  return vk;
}

bool looks_like_json(const InputFile& file) {
  uint8_t head[1024];
  const size_t size = static_cast<size_t>(std::min<uint64_t>(sizeof head, file.size()));
  if (!file.read(0, MutableBytes(head, size))) return false;
  const auto is_blank = [](uint8_t c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; };
  const uint8_t *end = head + size,
                *first = std::find_if_not(static_cast<const uint8_t*>(head), end, is_blank);
  if (first == end || (*first != '{' && *first != '[' && *first != '"')) return false;
  // Text has no other control characters; the points of a key do.
  return std::all_of(first, end, [&](uint8_t c) { return c >= ' ' || is_blank(c); });
}

Status check_json_depth(std::string_view text, const std::string& name) {
  constexpr size_t kMostLevels = 64;
  size_t levels = 0;
  bool in_string = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      if (c == '\\') ++i;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '[' || c == '{') {
      if (++levels > kMostLevels) {
        return invalid(name + ": byte " + std::to_string(i) + ": brackets nested deeper than " +
                       std::to_string(kMostLevels) + " levels, which no file of this kind has");
      }
    } else if ((c == ']' || c == '}') && levels > 0) {
      --levels;
    }
  }
  return {};
}

Result<std::string> read_json_text(const InputFilePtr& file) {
  if (file->size() == 0) return invalid(file->name() + ": not a JSON file: " + describe_foreign(*file));
  if (file->size() > kMostTextBytes) {
    return invalid(file->name() + ": " + std::to_string(file->size()) +
                   " bytes are too many for a JSON file");
  }
  std::string text(file->size(), '\0');
  CUZK_TRY(file->read(0, MutableBytes(reinterpret_cast<uint8_t*>(text.data()), text.size())));
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first == text.npos || (text[first] != '{' && text[first] != '[')) {
    return invalid(file->name() + ": not a JSON file: " + describe_foreign(*file));
  }
  CUZK_TRY(check_json_depth(text, file->name()));
  CUZK_TRY(file->check_unchanged());
  return text;
}

Result<Proof> read_proof_json(const InputFilePtr& file) {
  CUZK_ASSIGN(const std::string text, read_json_text(file));
  return parse_proof_json(text, file->name());
}
Result<std::vector<Fr>> read_public_json(const InputFilePtr& file) {
  CUZK_ASSIGN(const std::string text, read_json_text(file));
  return parse_public_json(text, file->name());
}
Result<VerifyingKey> read_verification_key_json(const InputFilePtr& file) {
  CUZK_ASSIGN(const std::string text, read_json_text(file));
  return parse_verification_key_json(text, file->name());
}

std::string proof_to_json(const Proof& proof) {
  Json out;
  out["pi_a"] = point_json(proof.a);
  out["pi_b"] = point_json(proof.b);
  out["pi_c"] = point_json(proof.c);
  out["protocol"] = "groth16";
  out["curve"] = "bls12381";
  return out.dump(1);
}

std::string public_to_json(std::span<const Fr> values) {
  Json out = Json::array();
  for (const Fr& value : values) out.push_back(field_json(value));
  return out.dump(1);
}

std::string verification_key_to_json(const VerifyingKey& vk) {
  const Fp12 alpha_beta = pairing(vk.alpha_g1, vk.beta_g2);
  Json out;
  out["protocol"] = "groth16";
  out["curve"] = "bls12381";
  out["nPublic"] = vk.ic.size() - 1;
  out["vk_alpha_1"] = point_json(vk.alpha_g1);
  out["vk_beta_2"] = point_json(vk.beta_g2);
  out["vk_gamma_2"] = point_json(vk.gamma_g2);
  out["vk_delta_2"] = point_json(vk.delta_g2);
  out["vk_alphabeta_12"] = Json::array({fp6_json(alpha_beta.c0), fp6_json(alpha_beta.c1)});
  Json ic = Json::array();
  for (const G1Affine& point : vk.ic) ic.push_back(point_json(point));
  out["IC"] = std::move(ic);
  return out.dump(1);
}

}  // namespace cuzk
