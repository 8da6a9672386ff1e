// The network's prover on small circuits: same secrets, same keys; same r and s, same proofs.
#include "bellperson.hpp"

namespace cuzk::vectors {
namespace {

TEST(Bellperson, OneConstraint) {
  check_case("one-constraint", false, {"one-constraint.wtns"});
}
TEST(Bellperson, Tiny) {
  check_case("tiny", false, {"tiny.wtns"});
}
TEST(Bellperson, Mixed) {
  check_case("mixed-1000", false, {"mixed-1000.wtns"});
}
TEST(Bellperson, JustUnderAPowerOfTwo) {
  check_case("just-under-1024", false, {"just-under-1024.wtns"});
}
TEST(Bellperson, JustOverAPowerOfTwo) {
  check_case("just-over-1024", false, {"just-over-1024.wtns"});
}
TEST(Bellperson, InputsOnly) {
  check_case("inputs-only", false, {"inputs-only.wtns"});
}

}  // namespace
}  // namespace cuzk::vectors
