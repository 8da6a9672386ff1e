// Every input of small size against the upstream implementation's assignments.
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

TEST(WitnessSlow, EveryCase) {
  for (const testing_support::Case& c : testing_support::all_cases())
    if (c.number("constraints") < 20'000'000) testing_support::check_case(c.path());
}

}  // namespace
}  // namespace cuzk
