#include "formats/proof_bytes.hpp"

#include "base/atomic_file.hpp"
#include "curve/encoding.hpp"
#include "formats/foreign.hpp"

namespace cuzk {
namespace {

template <class G>
Result<typename G::Point> decode_part(const uint8_t* bytes, const char* name) {
  auto point = decode_compressed<G>(bytes, PointCheck::kFull);
  const std::string prefix = std::string("malformed proof: point ") + name + ": ";
  if (!point) return invalid(prefix + point_error_text(point.error()));
  if (point->is_infinity()) return invalid(prefix + "infinity, which no proof holds");
  return *point;
}

}  // namespace

Result<Proof> decode_proof(Bytes bytes) {
  if (bytes.size() != kProofBytes) {
    return invalid("malformed proof: " + std::to_string(bytes.size()) + " bytes, expected " +
                   std::to_string(kProofBytes));
  }
  Proof proof;
  CUZK_ASSIGN(proof.a, decode_part<G1>(bytes.data(), "A"));
  CUZK_ASSIGN(proof.b, decode_part<G2>(bytes.data() + 48, "B"));
  CUZK_ASSIGN(proof.c, decode_part<G1>(bytes.data() + 144, "C"));
  return proof;
}

std::array<uint8_t, kProofBytes> encode_proof(const Proof& proof) {
  std::array<uint8_t, kProofBytes> out;
  encode_compressed<G1>(proof.a, out.data());
  encode_compressed<G2>(proof.b, out.data() + 48);
  encode_compressed<G1>(proof.c, out.data() + 144);
  return out;
}

Result<Proof> read_proof_bytes(const InputFilePtr& file) {
  if (file->size() != kProofBytes) {
    return invalid(file->name() + ": malformed proof: " + std::to_string(file->size()) + " bytes, expected " +
                   std::to_string(kProofBytes) + "; " + describe_foreign(*file));
  }
  uint8_t bytes[kProofBytes];
  CUZK_TRY(file->read(0, bytes));
  auto proof = decode_proof(bytes);
  if (!proof) return tl::unexpected<Error>(proof.error().at(file->name()));
  return proof;
}

Status write_proof_bytes(const std::string& path, const Proof& proof) {
  return write_file(path, encode_proof(proof));
}

}  // namespace cuzk
