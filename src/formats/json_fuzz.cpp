// Whatever is accepted reads the same after it was written.
#include "base/check.hpp"
#include "formats/snarkjs_json.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto proof = parse_proof_json(text, "input")) {
    CUZK_CHECK(*parse_proof_json(proof_to_json(*proof), "again") == *proof);
  }
  if (const auto values = parse_public_json(text, "input")) {
    CUZK_CHECK(*parse_public_json(public_to_json(*values), "again") == *values);
  }
  if (const auto vk = parse_verification_key_json(text, "input")) {
    CUZK_CHECK(*parse_verification_key_json(verification_key_to_json(*vk), "again") == *vk);
  }
  (void)read_json_text(InputFile::of_bytes(Bytes(data, size), "input"));
  return 0;
}
