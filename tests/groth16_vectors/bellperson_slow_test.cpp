// The network's prover on real circuits of Filecoin, at 2 KiB sectors.
#include "bellperson.hpp"

namespace cuzk::vectors {
namespace {

TEST(BellpersonSlow, WindowPost) {
  check_case("window-2k", true, {"window-2k.wtns", "window-2k.p1.wtns"});
}
TEST(BellpersonSlow, WinningPost) {
  check_case("winning-2k", true, {"winning-2k.wtns"});
}

}  // namespace
}  // namespace cuzk::vectors
