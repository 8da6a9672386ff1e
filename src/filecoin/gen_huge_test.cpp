// Made-up inputs of the network's largest sectors satisfy the circuits, by stored matrices: gigabytes.
#include "filecoin/gen_support.hpp"

namespace cuzk {
namespace {

TEST(GenerateHuge, Porep32GiB) {
  testing_support::check_generated("porep-32g");
}
TEST(GenerateHuge, Porep64GiB) {
  testing_support::check_generated("porep-64g");
}
TEST(GenerateHuge, Update32GiB) {
  testing_support::check_generated("snap-32g");
}
TEST(GenerateHuge, Update64GiB) {
  testing_support::check_generated("snap-64g");
}
TEST(GenerateHuge, WindowPost32GiB) {
  testing_support::check_generated("window-32g");
}
TEST(GenerateHuge, WindowPost64GiB) {
  testing_support::check_generated("window-64g");
}

}  // namespace
}  // namespace cuzk
