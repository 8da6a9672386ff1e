// Which digests proving and verifying keys must have: the network's manifest (parameters.json), and the
// records that `cuzk setup` writes beside keys for development.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace cuzk {

// BLAKE2b with 64 bytes of output and no key.
using FileDigest = std::array<uint8_t, 64>;
// How much of it the manifest holds.
inline constexpr size_t kManifestDigestBytes = 16;

// File names and the first 16 bytes of their digests.
class Manifest {
 public:
  using Digest = std::array<uint8_t, kManifestDigestBytes>;

  // The one built in: Filecoin's keys of version 28.
  static Manifest network();
  // The network's parameters.json: {"NAME": {"digest": 32 hex digits, …}, …}. source: its name, for messages.
  // Errors: kInvalidInput, naming the entry.
  static Result<Manifest> parse(std::string_view json, const std::string& source);

  std::optional<Digest> find(const std::string& file) const;
  const std::map<std::string, Digest>& entries() const { return entries_; }
  const std::string& source() const { return source_; }

 private:
  std::string source_;
  std::map<std::string, Digest> entries_;
};

bool matches(const Manifest::Digest& expected, const FileDigest& found);

// NAME.origin.json: whence the key NAME.params and its NAME.vk come.
struct KeyOrigin {
  std::string circuit;         // "porep-2k"
  std::string circuit_digest;  // of the constraint system it was made for, 64 hex digits
  FileDigest params{}, vk{};

  bool operator==(const KeyOrigin&) const = default;
};
// Errors: kInvalidInput, naming the field.
Result<KeyOrigin> parse_key_origin(std::string_view json, const std::string& source);
std::string key_origin_to_json(const KeyOrigin& origin);

namespace detail {
struct NetworkFile {
  const char *name, *digest;
};
inline constexpr size_t kNetworkFiles = 44;
extern const std::array<NetworkFile, kNetworkFiles> kNetworkManifest;
}  // namespace detail

}  // namespace cuzk
