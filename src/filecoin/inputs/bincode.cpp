#include "filecoin/inputs/bincode.hpp"

namespace cuzk {

tl::unexpected<Error> BincodeReader::error(const char* what, const std::string& message) const {
  return invalid(std::string(what) + " at byte " + std::to_string(at_) + ": " + message);
}

Result<Bytes> BincodeReader::take(size_t count, const char* what) {
  if (bytes_.size() - at_ < count)
    return error(what, "the file ends after " + std::to_string(bytes_.size()) + " bytes");
  const Bytes out = bytes_.subspan(at_, count);
  at_ += count;
  return out;
}

Result<uint64_t> BincodeReader::u64(const char* what) {
  CUZK_ASSIGN(const Bytes bytes, take(8, what));
  return load_le64(bytes.data());
}

Result<size_t> BincodeReader::length(const char* what, size_t element_bytes) {
  CUZK_ASSIGN(const uint64_t count, u64(what));
  if (count > (bytes_.size() - at_) / element_bytes)
    return error(what, std::to_string(count) + " elements do not fit into the file");
  return static_cast<size_t>(count);
}

Result<Bytes32> BincodeReader::bytes32(const char* what) {
  CUZK_ASSIGN(const Bytes bytes, take(32, what));
  Bytes32 out;
  std::copy(bytes.begin(), bytes.end(), out.begin());
  return out;
}

Result<Fr> BincodeReader::element(const char* what) {
  CUZK_ASSIGN(const Bytes32 bytes, bytes32(what));
  if (auto value = Fr::from_le_bytes(bytes.data())) return *value;
  return error(what, to_hex(bytes) + " is not below the field's modulus");
}

Result<std::vector<Fr>> BincodeReader::elements(const char* what) {
  CUZK_ASSIGN(const size_t count, length(what, 32));
  std::vector<Fr> out(count);
  for (Fr& value : out) {
    CUZK_ASSIGN(value, element(what));
  }
  return out;
}

Status BincodeReader::rows(const char* what, MerklePath& out) {
  CUZK_ASSIGN(const size_t count, length(what, 16));
  for (size_t i = 0; i < count; ++i) {
    PathRow row;
    CUZK_ASSIGN(row.siblings, elements(what));
    CUZK_ASSIGN(const uint64_t index, u64(what));
    if (index > row.siblings.size())
      return error(what,
                   "place " + std::to_string(index) + " among " + std::to_string(row.siblings.size() + 1));
    row.index = static_cast<uint32_t>(index);
    out.push_back(std::move(row));
  }
  return {};
}

Result<MerkleProof> BincodeReader::merkle_proof(const char* what, const TreeShape& tree) {
  CUZK_ASSIGN(const Bytes variant_bytes, take(4, what));
  const uint32_t variant = load_le32(variant_bytes.data());
  const uint32_t parts_above = (tree.sub_arity > 0 ? 1u : 0u) + (tree.top_arity > 0 ? 1u : 0u);
  if (variant != parts_above)
    return error(what, "form " + std::to_string(variant) + ", the tree's is " + std::to_string(parts_above));
  MerkleProof proof;
  if (variant == 0) {
    CUZK_ASSIGN(proof.root, element(what));
    CUZK_ASSIGN(proof.leaf, element(what));
    CUZK_TRY(rows(what, proof.path));
    return proof;
  }
  for (uint32_t part = 0; part <= variant; ++part) {
    const size_t before = proof.path.size();
    CUZK_TRY(rows(what, proof.path));
    if (part > 0 && proof.path.size() != before + 1)
      return error(what,
                   std::to_string(proof.path.size() - before) + " rows in a part above the base, expected 1");
  }
  CUZK_ASSIGN(proof.root, element(what));
  CUZK_ASSIGN(proof.leaf, element(what));
  return proof;
}

Status BincodeReader::end() const {
  if (at_ == bytes_.size()) return {};
  return error("end", std::to_string(bytes_.size() - at_) + " bytes too many");
}

}  // namespace cuzk
