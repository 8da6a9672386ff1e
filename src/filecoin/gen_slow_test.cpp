// Made-up inputs satisfy the circuits of a million constraints and more.
#include "filecoin/gen_support.hpp"
#include "filecoin/sector.hpp"

namespace cuzk {
namespace {

TEST(GenerateSlow, LargestSectorsPassTheirChecks) {
  ThreadPool pool;
  for (const CircuitId& circuit : all_circuits()) {
    if (!is_production_size(circuit.sector_bytes)) continue;
    if (circuit.kind == ProofKind::kWindow) continue;  // 2,349 sectors: gen_huge_test
    const ProofInput input = generate_input(circuit, 5, pool);
    for (uint32_t k = 0; k < input.partitions(); ++k) {
      const Status status = input.check(k, pool);
      ASSERT_TRUE(status) << circuit.name() << " partition " << k << ": " << status.error().message;
    }
  }
}

TEST(GenerateSlow, SatisfiesTheCircuit) {
  for (const char* name :
       {"porep-2k", "porep-32k", "snap-2k", "snap-32k", "snap-8m", "winning-32g", "winning-64g"})
    testing_support::check_generated(name);
}

}  // namespace
}  // namespace cuzk
