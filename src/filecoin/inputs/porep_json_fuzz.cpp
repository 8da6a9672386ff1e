// C1 files: parsed, and checked where the shape is right.
#include "filecoin/inputs/porep_input.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (auto input = cuzk::parse_porep_input({data, size})) (void)cuzk::check_porep_input(*input, 0);
  return 0;
}
