// Vanilla proofs of a 2 KiB sector's update.
#include "filecoin/inputs/update_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (auto input = cuzk::parse_update_input({data, size}, {2048, 0, {}, {}, {}}))
    (void)cuzk::check_update_input(*input);
  return 0;
}
