// C1 files: whatever is accepted reads the same after it was written, and runs through the circuit, whether
// it satisfies it or not (--no-input-check).
#include "base/check.hpp"
#include "filecoin/inputs/porep_input.hpp"
#include "filecoin/inputs/write_inputs.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  const auto input = parse_porep_input({data, size});
  if (!input) return 0;
  const std::string written = porep_input_to_json(*input);
  const auto again = parse_porep_input({reinterpret_cast<const uint8_t*>(written.data()), written.size()});
  CUZK_CHECK(again && porep_input_to_json(*again) == written);

  const bool holds = check_porep_input(*input, 0).has_value();
  InlineExecutor executor;
  const bool runs = compact_porep(*input, 0, executor).has_value();
  CUZK_CHECK(runs || !holds);
  return 0;
}
