// Every byte of a 2 KiB sector's C1 and WinningPoSt: minutes; and seeded ones of larger files.
#include "filecoin/rejection_support.hpp"

namespace cuzk {
namespace {

TEST(RejectionHuge, EveryByteOfAPorep) {
  testing_support::check_porep_positions("inputs/porep-2k.p0", SIZE_MAX);
}
TEST(RejectionHuge, EveryByteOfAWinningPost) {
  testing_support::check_post_positions("inputs/winning-2k.p0", 0, SIZE_MAX);
}
TEST(RejectionHuge, SeededPositionsOfAPorepOfManyPartitions) {
  testing_support::check_porep_positions("inputs/porep-2k-ni.p0", 1000);
}
TEST(RejectionHuge, SeededPositionsOfRealPoreps) {
  for (const char* path : {"real/c1-2k-real.p0", "real/c1-8m-real.p0", "real/c1-512m-real.p0"})
    testing_support::check_porep_positions(path, 1000);
}
TEST(RejectionHuge, SeededPositionsOfA32GiBPorep) {
  testing_support::check_porep_positions("full/porep-32g.made.p0", 1000);
}

}  // namespace
}  // namespace cuzk
