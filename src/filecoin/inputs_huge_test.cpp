// Full-size partitions against the upstream implementation's assignments: 4 GiB and a few minutes each.
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

TEST(WitnessHuge, Porep32GiB) {
  testing_support::check_case("full/porep-32g.made.p0");
}
TEST(WitnessHuge, Window32GiB) {
  testing_support::check_case("full/window-32g.real.p0");
}

}  // namespace
}  // namespace cuzk
