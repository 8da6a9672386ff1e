#include "filecoin/sector.hpp"

#include <algorithm>
#include <cctype>

namespace cuzk {
namespace {

std::string named(uint64_t bytes, const char* kib, const char* mib, const char* gib) {
  if (bytes >= kGiB) return std::to_string(bytes / kGiB) + gib;
  if (bytes >= kMiB) return std::to_string(bytes / kMiB) + mib;
  return std::to_string(bytes / kKiB) + kib;
}

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

}  // namespace

bool is_sector_size(uint64_t bytes) {
  return std::find(kSectorSizes.begin(), kSectorSizes.end(), bytes) != kSectorSizes.end();
}

bool is_network_sector_size(uint64_t bytes) {
  return is_sector_size(bytes) && (bytes == 2 * kKiB || bytes >= 8 * kMiB);
}

std::string sector_size_name(uint64_t bytes) {
  return named(bytes, "KiB", "MiB", "GiB");
}

std::string sector_size_short_name(uint64_t bytes) {
  return named(bytes, "k", "m", "g");
}

Result<uint64_t> parse_sector_size(const std::string& text) {
  for (uint64_t bytes : kSectorSizes) {
    if (lower(text) == lower(sector_size_name(bytes)) || lower(text) == sector_size_short_name(bytes) ||
        text == std::to_string(bytes))
      return bytes;
  }
  std::string known;
  for (uint64_t bytes : kSectorSizes) known.append(known.empty() ? "" : ", ").append(sector_size_name(bytes));
  return invalid("sector size \"" + text + "\" is none of " + known);
}

TreeShape sector_tree(uint64_t bytes) {
  if (bytes == 1 * kKiB || bytes == 8 * kKiB) return {TreeHash::kPoseidon, 8, 4, 0};  // upstream's tests
  if (bytes == 4 * kKiB) return {TreeHash::kPoseidon, 8, 2, 0};
  if (bytes == 16 * kKiB || bytes == 32 * kGiB) return {TreeHash::kPoseidon, 8, 8, 0};
  if (bytes == 32 * kKiB || bytes == 64 * kGiB) return {TreeHash::kPoseidon, 8, 8, 2};
  return {TreeHash::kPoseidon, 8, 0, 0};
}

std::string tree_name(const TreeShape& tree) {
  std::string name =
      tree.hash == TreeHash::kPoseidon ? "merkletree-poseidon_hasher" : "merkletree-sha256_hasher";
  for (uint32_t arity : {tree.base_arity, tree.sub_arity, tree.top_arity})
    name.append("-").append(std::to_string(arity));
  return name;
}

}  // namespace cuzk
