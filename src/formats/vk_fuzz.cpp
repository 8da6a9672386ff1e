// Whatever is accepted as a .vk file is what its writer writes.
#include <algorithm>

#include "base/check.hpp"
#include "formats/bellman_vk.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  InlineExecutor executor;
  const Bytes bytes(data, size);
  if (auto vk = read_bellman_vk(InputFile::of_bytes(bytes, "input"), PointCheck::kCurve, executor)) {
    const auto written = encode_bellman_vk(*vk, executor);
    CUZK_CHECK(std::equal(bytes.begin(), bytes.end(), written.begin(), written.end()));
  }
  return 0;
}
