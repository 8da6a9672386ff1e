// Inputs: parsed, checked, satisfying, and their assignments equal to the upstream implementation's.
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

using testing_support::check_case;

TEST(Witness, PorepReal2KiB) {
  check_case("real/c1-2k-real.p0");
}
TEST(Witness, Winning) {
  for (const char* path : {"inputs/winning-2k.p0", "inputs/winning-32k.p0"}) check_case(path);
}
TEST(Witness, Window) {
  for (const char* path : {"inputs/window-2k.p0", "inputs/window-2k.p1", "inputs/window-v1-2k.p0",
                           "inputs/window-v1-2k.p1", "inputs/window-16k.p1", "inputs/window-32k.p0"})
    check_case(path);
}
TEST(Witness, Snap2KiB) {
  check_case("inputs/snap-2k.p0");
}

}  // namespace
}  // namespace cuzk
