// Circuits of a few million constraints against the upstream implementation's digests.
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

TEST(CircuitsSlow, Porep) {
  for (const char* name : {"porep-4k", "porep-16k", "porep-32k", "porep-8m", "porep-512m"})
    testing_support::check_circuit(name);
}

TEST(CircuitsSlow, Snap) {
  for (const char* name : {"snap-4k", "snap-16k", "snap-32k", "snap-8m"})
    testing_support::check_circuit(name);
}

}  // namespace
}  // namespace cuzk
