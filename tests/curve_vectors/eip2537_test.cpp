// go-ethereum's EIP-2537 vectors for additions, multiplications and pairings, and the inputs that must fail.
// A coordinate is 64 bytes big-endian with 16 leading zeros, c0 before c1; infinity is all zero.
#include <gtest/gtest.h>

#include <optional>

#include "curve/encoding.hpp"
#include "curve/pairing.hpp"
#include "curve/subgroup.hpp"
#include "vectors.hpp"

namespace cuzk {
namespace {

using Buffer = std::vector<uint8_t>;
// The output, or the error in the vectors' words.
using Outcome = tl::expected<Buffer, std::string>;

tl::unexpected<std::string> refuse(std::string why) {
  return tl::unexpected<std::string>(std::move(why));
}

constexpr size_t kWord = 64, kPadding = 16, kScalarBytes = 32;

template <class G>
constexpr size_t kPointBytes = 2 * kWord * (sizeof(typename G::Field) / sizeof(Fp));

std::string read(const uint8_t* bytes, Fp& out) {
  for (size_t i = 0; i < kPadding; ++i)
    if (bytes[i] != 0) return "invalid field element top bytes";
  auto value = Fp::from_be_bytes(bytes + kPadding);
  if (!value) return "invalid fp.Element encoding";
  out = *value;
  return {};
}
std::string read(const uint8_t* bytes, Fp2& out) {
  auto error = read(bytes, out.c0);
  return error.empty() ? read(bytes + kWord, out.c1) : error;
}

void write(const Fp& value, uint8_t* out) {
  value.to_canonical().to_be_bytes(out + kPadding);
}
void write(const Fp2& value, uint8_t* out) {
  write(value.c0, out);
  write(value.c1, out + kWord);
}

template <class G>
tl::expected<typename G::Point, std::string> read_point(const uint8_t* bytes, bool subgroup) {
  typename G::Point point;
  auto error = read(bytes, point.x);
  if (error.empty()) error = read(bytes + kPointBytes<G> / 2, point.y);
  if (!error.empty()) return refuse(error);
  // Through our own encoding, so that its checks are the ones tested; (0, 0) is infinity here as there.
  Buffer encoded(kUncompressedBytes<G>);
  encode_uncompressed<G>(point, encoded.data());
  auto decoded = decode_uncompressed<G>(encoded.data(), subgroup ? PointCheck::kFull : PointCheck::kCurve);
  if (decoded) return *decoded;
  if (decoded.error() == PointError::kNotOnCurve) return refuse("invalid point: not on curve");
  if (decoded.error() == PointError::kNotInSubgroup)
    return refuse(G::kName == std::string("G1") ? "g1 point is not on correct subgroup"
                                                : "g2 point is not on correct subgroup");
  return refuse(std::string("unexpected: ") + point_error_text(decoded.error()));
}

template <class G>
Buffer write_point(const typename G::Sum& sum) {
  Buffer out(kPointBytes<G>, 0);
  auto point = sum.to_affine();
  write(point.x, out.data());
  write(point.y, out.data() + kPointBytes<G> / 2);
  return out;
}

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

void check_cases(const std::string& name, size_t expected_count, Outcome (*operation)(const Buffer&)) {
  auto path = data_path("bls12-381/eip2537/" + name + ".json");
  CUZK_REQUIRE_DATA(path);
  auto cases = read_json(path);
  EXPECT_EQ(cases.size(), expected_count);
  for (const auto& item : cases) {
    auto input = from_hex(item.at("Input").get<std::string>());
    ASSERT_TRUE(input.has_value());
    auto outcome = operation(*input);
    const std::string label = name + ": " + item.at("Name").get<std::string>();
    if (item.contains("ExpectedError")) {
      ASSERT_FALSE(outcome.has_value()) << label;
      EXPECT_EQ(outcome.error(), item.at("ExpectedError").get<std::string>()) << label;
    } else {
      ASSERT_TRUE(outcome.has_value()) << label << ": " << outcome.error();
      EXPECT_EQ(to_hex(*outcome), item.at("Expected").get<std::string>()) << label;
    }
  }
}

TEST(Eip2537, G1Add) {
  check_cases("blsG1Add", 112, add<G1>);
  check_cases("fail-blsG1Add", 6, add<G1>);
}
TEST(Eip2537, G1Mul) {
  check_cases("blsG1Mul", 11, multiply<G1>);
  check_cases("fail-blsG1Mul", 7, multiply<G1>);
}
TEST(Eip2537, G2Add) {
  check_cases("blsG2Add", 112, add<G2>);
  check_cases("fail-blsG2Add", 6, add<G2>);
}
TEST(Eip2537, G2Mul) {
  check_cases("blsG2Mul", 11, multiply<G2>);
  check_cases("fail-blsG2Mul", 7, multiply<G2>);
}
TEST(Eip2537, Pairing) {
  check_cases("blsPairing", 106, pair);
  check_cases("fail-blsPairing", 9, pair);
}

}  // namespace
}  // namespace cuzk
