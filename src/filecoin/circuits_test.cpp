// Circuits that are quick to read, against the upstream implementation's digests.
#include "filecoin/circuit_digest.hpp"
#include "filecoin/circuits/porep_circuit.hpp"
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

using testing_support::Case;
using testing_support::check_circuit;

TEST(Circuits, Winning) {
  for (const char* name : {"winning-2k", "winning-16k", "winning-32k", "winning-8m", "winning-512m",
                           "winning-32g", "winning-64g"})
    check_circuit(name);
}

TEST(Circuits, SmallWindow) {
  for (const char* name : {"window-2k", "window-4k", "window-16k", "window-32k", "window-8m", "window-512m"})
    check_circuit(name);
}

TEST(Circuits, Porep2k) {
  check_circuit("porep-2k");
}

TEST(Circuits, Snap2k) {
  check_circuit("snap-2k");
}

TEST(Circuits, CreateLabel) {
  const auto index = Case::load("circuits/gadgets/index");
  if (!index) GTEST_SKIP() << "no shared vectors";
  DigestSystem cs;
  const NumberBits id = alloc_bits(cs, Fr::Int::zero(), 256);
  std::vector<NumberBits> parents;
  for (size_t i = 0; i < 37; ++i) parents.push_back(alloc_bits(cs, Fr::Int::zero(), 256));
  std::vector<const NumberBits*> pointers;
  for (const auto& parent : parents) pointers.push_back(&parent);
  const auto node = alloc_u64(cs, 0);
  create_label_circuit(cs, id, pointers, 3, node);
  cs.finish();
  EXPECT_EQ(cs.num_constraints(), 532211u);
  EXPECT_EQ(to_hex(cs.hasher().digest()), index->gadget_digest("create-label"));
}

TEST(CircuitNames, EveryNameIsReadBack) {
  for (const CircuitId& circuit : all_circuits()) {
    const auto parsed = parse_circuit_name(circuit.name());
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, circuit);
  }
  EXPECT_FALSE(parse_circuit_name("porep-3k"));
  EXPECT_FALSE(parse_circuit_name(""));
}

}  // namespace
}  // namespace cuzk
