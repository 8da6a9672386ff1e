// go-ethereum's EIP-2537 vectors for additions, multiplications and pairings, and the inputs that must fail.
#include "eip2537.hpp"

#include "curve/pairing.hpp"

namespace cuzk {
namespace {

using namespace eip2537;

template <class G>
Outcome add(const Buffer& input) {
  if (input.size() != 2 * kPointBytes<G>) return refuse("invalid input length");
  auto a = read_point<G>(input.data(), false);
  if (!a) return refuse(a.error());
  auto b = read_point<G>(input.data() + kPointBytes<G>, false);
  if (!b) return refuse(b.error());
  return write_point<G>(G::Sum::from_affine(*a) + *b);
}

template <class G>
Outcome multiply(const Buffer& input) {
  if (input.size() != kPointBytes<G> + kScalarBytes) return refuse("invalid input length");
  auto a = read_point<G>(input.data(), true);
  if (!a) return refuse(a.error());
  return write_point<G>(G::Sum::from_affine(*a) * BigInt<4>::from_be_bytes(input.data() + kPointBytes<G>));
}

Outcome pair(const Buffer& input) {
  constexpr size_t kPair = kPointBytes<G1> + kPointBytes<G2>;
  if (input.empty() || input.size() % kPair != 0) return refuse("invalid input length");
  std::vector<PointPair> pairs;
  for (size_t at = 0; at < input.size(); at += kPair) {
    auto p = read_point<G1>(&input[at], true);
    if (!p) return refuse(p.error());
    auto q = read_point<G2>(&input[at + kPointBytes<G1>], true);
    if (!q) return refuse(q.error());
    pairs.emplace_back(*p, *q);
  }
  Buffer out(32, 0);
  out[31] = pairing_product_is_one(pairs) ? 1 : 0;
  return out;
}

void check_file(const std::string& name, size_t expected_count, Outcome (*operation)(const Buffer&)) {
  auto path = data_path("bls12-381/eip2537/" + name + ".json");
  CUZK_REQUIRE_DATA(path);
  check_cases(read_json(path), name, expected_count, operation);
}

TEST(Eip2537, G1Add) {
  check_file("blsG1Add", 112, add<G1>);
  check_file("fail-blsG1Add", 6, add<G1>);
}
TEST(Eip2537, G1Mul) {
  check_file("blsG1Mul", 11, multiply<G1>);
  check_file("fail-blsG1Mul", 7, multiply<G1>);
}
TEST(Eip2537, G2Add) {
  check_file("blsG2Add", 112, add<G2>);
  check_file("fail-blsG2Add", 6, add<G2>);
}
TEST(Eip2537, G2Mul) {
  check_file("blsG2Mul", 11, multiply<G2>);
  check_file("fail-blsG2Mul", 7, multiply<G2>);
}
TEST(Eip2537, Pairing) {
  check_file("blsPairing", 106, pair);
  check_file("fail-blsPairing", 9, pair);
}

}  // namespace
}  // namespace cuzk
