#include "base/check.hpp"
#include "formats/wtns_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  InlineExecutor executor;
  const auto file = InputFile::of_bytes(Bytes(data, size), "input");
  const auto values = read_wtns(file, executor);
  const auto count = wtns_size(file);
  if (values) CUZK_CHECK(count && *count == values->size());
  return 0;
}
