// A circuit that is accepted can be evaluated: every number in it is within bounds.
#include "formats/r1cs_file.hpp"
#include "r1cs/density.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/witness.hpp"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace cuzk;
  InlineExecutor executor;
  auto file = read_r1cs(InputFile::of_bytes(Bytes(data, size), "input"));
  // A header may announce a million wires that no constraint names.
  if (!file || file->circuit.num_variables() > 100000) return 0;
  const std::vector<Fr> w(file->circuit.num_variables(), Fr::one());
  (void)first_unsatisfied(file->circuit, w, executor);
  (void)density_of(file->circuit);
  (void)unused_variables(file->circuit);
  (void)compact(WitnessShape::of(file->circuit), w);
  return 0;
}
