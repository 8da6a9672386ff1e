// Circuits of 57 to 131 million constraints against the upstream implementation's digests: a minute or two
// each.
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

TEST(CircuitsHuge, Snap512m) {
  testing_support::check_circuit("snap-512m");
}
TEST(CircuitsHuge, Snap32g) {
  testing_support::check_circuit("snap-32g");
}
TEST(CircuitsHuge, Snap64g) {
  testing_support::check_circuit("snap-64g");
}
TEST(CircuitsHuge, Porep32g) {
  testing_support::check_circuit("porep-32g");
}
TEST(CircuitsHuge, Porep64g) {
  testing_support::check_circuit("porep-64g");
}
TEST(CircuitsHuge, Window32g) {
  testing_support::check_circuit("window-32g");
}
TEST(CircuitsHuge, Window64g) {
  testing_support::check_circuit("window-64g");
}

}  // namespace
}  // namespace cuzk
