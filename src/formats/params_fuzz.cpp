#include "formats/bellman_params.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  InlineExecutor executor;
  if (auto params =
          open_params(InputFile::of_bytes(Bytes(data, size), "input"), PointCheck::kNone, executor)) {
    (void)test_points<G1>(*params->key.h, executor);
    (void)test_points<G1>(*params->key.l, executor);
    (void)test_points<G1>(*params->key.a, executor);
    (void)test_points<G1>(*params->key.b_g1, executor);
    (void)test_points<G2>(*params->key.b_g2, executor);
  }
  return 0;
}
