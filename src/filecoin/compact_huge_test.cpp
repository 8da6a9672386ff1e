// Stored matrices and compact witnesses of full size against the upstream implementation's digests: a minute
// and 9 GiB each.
#include "filecoin/test_support.hpp"

namespace cuzk {
namespace {

TEST(CompactHuge, Porep32GiBMatrices) {
  testing_support::check_matrices("porep-32g");
}
TEST(CompactHuge, Porep32GiBWitness) {
  testing_support::check_compact_case("full/porep-32g.made.p0");
}
TEST(CompactHuge, Porep64GiBMatrices) {
  testing_support::check_matrices("porep-64g");
}
TEST(CompactHuge, Window32GiBMatrices) {
  testing_support::check_matrices("window-32g");
}
TEST(CompactHuge, Window32GiBWitness) {
  testing_support::check_compact_case("full/window-32g.real.p0");
}
TEST(CompactHuge, Window64GiBMatrices) {
  testing_support::check_matrices("window-64g");
}
TEST(CompactHuge, Snap512MiBMatrices) {
  testing_support::check_matrices("snap-512m");
}
TEST(CompactHuge, Snap32GiBMatrices) {
  testing_support::check_matrices("snap-32g");
}
TEST(CompactHuge, Snap64GiBMatrices) {
  testing_support::check_matrices("snap-64g");
}

}  // namespace
}  // namespace cuzk
