// Whatever is accepted as a proof of 192 bytes is what its writer writes.
#include <algorithm>

#include "base/check.hpp"
#include "formats/proof_bytes.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  const Bytes bytes(data, size);
  if (const auto proof = decode_proof(bytes)) {
    const auto written = encode_proof(*proof);
    CUZK_CHECK(std::equal(bytes.begin(), bytes.end(), written.begin(), written.end()));
  }
  (void)read_proof_bytes(InputFile::of_bytes(bytes, "input"));
  return 0;
}
