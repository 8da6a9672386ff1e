// Stored matrices and compact witnesses of every small case against the upstream implementation's digests.
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

TEST(CompactSlow, EveryCircuit) {
  for (const char* name : {"porep-4k", "porep-16k", "porep-32k", "porep-8m", "porep-512m", "snap-4k",
                           "snap-16k", "snap-32k", "snap-8m", "winning-64g", "window-512m"})
    testing_support::check_matrices(name);
}

TEST(CompactSlow, EveryCase) {
  for (const testing_support::Case& c : testing_support::all_cases())
    if (c.number("constraints") < 20'000'000) testing_support::check_compact_case(c.path());
}

}  // namespace
}  // namespace cuzk
