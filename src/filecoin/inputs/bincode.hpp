// Reading the vanilla proofs that Rust's bincode wrote: little-endian, lengths and usize as u64, enum
// variants as u32.
#pragma once

#include "filecoin/merkle.hpp"
#include "filecoin/public_inputs.hpp"

namespace cuzk {

class BincodeReader {
 public:
  explicit BincodeReader(Bytes bytes) : bytes_(bytes) {}

  // Errors everywhere: kInvalidInput with the offset.
  Result<uint64_t> u64(const char* what);
  // A length, checked against the bytes that are left (each element takes at least `element_bytes`).
  Result<size_t> length(const char* what, size_t element_bytes);
  Result<Bytes32> bytes32(const char* what);
  Result<Fr> element(const char* what);
  Result<std::vector<Fr>> elements(const char* what);
  // In the form of the tree: Single, Sub or Top, one row in each part above the base.
  Result<MerkleProof> merkle_proof(const char* what, const TreeShape& tree);
  bool at_end() const { return at_ == bytes_.size(); }
  // Error if bytes are left.
  Status end() const;

 private:
  Result<Bytes> take(size_t count, const char* what);
  Status rows(const char* what, MerklePath& out);
  tl::unexpected<Error> error(const char* what, const std::string& message) const;

  Bytes bytes_;
  size_t at_ = 0;
};

// Values one after the other, as many as there are, at least one. read: Result<T>(BincodeReader&).
template <class T, class Read>
Result<std::vector<T>> read_all(Bytes bincode, Read&& read) {
  BincodeReader reader(bincode);
  std::vector<T> out;
  do {
    Result<T> value = read(reader);
    if (!value) return tl::unexpected<Error>(value.error().at("vanilla proof " + std::to_string(out.size())));
    out.push_back(std::move(*value));
  } while (!reader.at_end());
  return out;
}

}  // namespace cuzk
