// A circuit that a zkey holds can be evaluated: every number in it is within bounds.
#include "formats/zkey_file.hpp"
#include "r1cs/evaluate.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  InlineExecutor executor;
  auto zkey = open_zkey(InputFile::of_bytes(Bytes(data, size), "input"), PointCheck::kNone, executor);
  if (!zkey) return 0;
  (void)test_points<G1>(*zkey->key.a, executor);
  (void)test_points<G1>(*zkey->key.b_g1, executor);
  (void)test_points<G2>(*zkey->key.b_g2, executor);
  (void)test_points<G1>(*zkey->key.l, executor);
  (void)test_points<G1>(*zkey->key.h, executor);
  if (auto circuit = read_zkey_circuit(*zkey, executor)) {
    const std::vector<Fr> w(circuit->num_variables(), Fr::one());
    std::vector<Fr> out(circuit->num_constraints());
    evaluate(circuit->a, circuit->coefficients, w, out, executor);
    evaluate(circuit->b, circuit->coefficients, w, out, executor);
  }
  return 0;
}
