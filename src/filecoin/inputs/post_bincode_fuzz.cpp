// Vanilla proofs of PoSt, one or several in a file, of the sizes that have trees without parts, with sub
// trees, and with sub and top trees: whatever is accepted is written as it was read, and runs through the
// circuit, whether it satisfies it or not.
#include "base/check.hpp"
#include "filecoin/challenges.hpp"
#include "filecoin/inputs/post_input.hpp"
#include "filecoin/inputs/write_inputs.hpp"
#include "filecoin/sector.hpp"

namespace {

using namespace cuzk;

// The randomness that the files in corpus/post_bincode answer.
struct Kind {
  uint64_t sector_bytes;
  bool winning;
  const char* randomness;
};
constexpr Kind kKinds[] = {
    {2048, false, "fa83c5420142725b95020e7700870b066158d54335bb4d98376f19ab08bd521b"},
    {2048, true, "e05ee9cba98e650c7dfb6c32962524868fa01fc6eb87f0d5e8929f9101203a70"},
    {16384, false, "e95562bb60d1f589c32de9859146bfd25ed1feecc44baa9a842e740b8a305845"},
    {32768, false, "c8dc9b1bfcd80706497db0568fc837d95a6e9612a81a0753c338ed572bfa663c"},
};

void run(const Kind& kind, Bytes data) {
  auto sectors = parse_post_sector_proofs(data, kind.sector_bytes);
  if (!sectors) return;
  std::vector<uint8_t> written;
  for (const PostSectorProof& sector : *sectors) {
    const std::vector<uint8_t> one = post_sector_proof_to_bincode(sector, kind.sector_bytes);
    written.insert(written.end(), one.begin(), one.end());
  }
  CUZK_CHECK(std::equal(written.begin(), written.end(), data.begin(), data.end()));
  CUZK_CHECK(parse_post_sector_proof(data, kind.sector_bytes).has_value() == (sectors->size() == 1));

  PostInput input;
  input.sector_bytes = kind.sector_bytes;
  input.winning = kind.winning;
  if (kind.winning) input.api = ApiVersion::kV1_0;
  const auto randomness = from_hex(kind.randomness);
  std::copy(randomness->begin(), randomness->end(), input.randomness.begin());
  input.sectors = std::move(*sectors);
  InlineExecutor executor;
  for (uint32_t partition = 0; partition < std::min<uint32_t>(input.partitions(), 2); ++partition) {
    const bool holds = check_post_input(input, partition).has_value();
    const bool runs = compact_post(input, partition, executor).has_value();
    CUZK_CHECK(runs || !holds);
    CUZK_CHECK(input.public_inputs(partition) || !holds);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  for (const Kind& kind : kKinds) run(kind, {data, size});
  return 0;
}
