// Vanilla proofs of updates, one or several partitions in a file, of the sizes that have trees without parts,
// with sub trees, and with sub and top trees: whatever is accepted is written as it was read, and runs
// through the circuit, whether it satisfies it or not.
#include "base/check.hpp"
#include "filecoin/inputs/update_input.hpp"
#include "filecoin/inputs/write_inputs.hpp"
#include "hash/poseidon.hpp"

namespace {

using namespace cuzk;

Bytes32 bytes_of(const Fr& value) {
  Bytes32 out;
  value.to_le_bytes(out.data());
  return out;
}

// The commitments that a file's own roots give, so that checks go further than the first of them.
UpdateStatement statement_of(const UpdateInput& input) {
  const UpdateWitness& w = input.circuit;
  return {input.sector_bytes, 0, bytes_of(poseidon_hash(std::array{w.comm_c, w.root_r_old})),
          bytes_of(input.challenges[0].root_d_new),
          bytes_of(poseidon_hash(std::array{w.comm_c, w.root_r_new}))};
}

void run(uint64_t sector_bytes, Bytes data) {
  const auto read = parse_update_inputs(data, {sector_bytes, 0, {}, {}, {}});
  if (!read) return;
  const auto inputs = parse_update_inputs(data, statement_of(read->front()));
  CUZK_CHECK(inputs && inputs->size() == read->size());
  std::vector<uint8_t> written;
  for (const UpdateInput& input : *inputs) {
    const std::vector<uint8_t> one = update_input_to_bincode(input);
    written.insert(written.end(), one.begin(), one.end());
    (void)check_update_input(input);
  }
  CUZK_CHECK(std::equal(written.begin(), written.end(), data.begin(), data.end()));
  InlineExecutor executor;
  (void)compact_update(inputs->front(), executor);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (uint64_t sector_bytes : {2048, 16384, 32768}) run(sector_bytes, {data, size});
  return 0;
}
