// Vanilla proofs of PoSt, as a WindowPoSt of one 2 KiB sector.
#include "filecoin/inputs/post_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  auto sector = cuzk::parse_post_sector_proof({data, size}, 2048);
  if (!sector) return 0;
  cuzk::PostInput input;
  input.sector_bytes = 2048;
  input.sectors.push_back(std::move(*sector));
  (void)cuzk::check_post_input(input, 0);
  return 0;
}
