// zkcrypto/bls12_381's files: the multiples 0·G to 999·G of each generator, in both encodings.
#include <gtest/gtest.h>

#include "curve/encoding.hpp"
#include "vectors.hpp"

namespace cuzk {
namespace {

constexpr size_t kMultiples = 1000;

template <class G>
void check_file(const char* name, size_t point_bytes, DecodedPoint<G> (*decode)(const uint8_t*, PointCheck),
                void (*encode)(const typename G::Point&, uint8_t*)) {
  auto path = data_path(std::string("bls12-381/zkcrypto/") + name);
  CUZK_REQUIRE_DATA(path);
  auto bytes = read_bytes(path);
  ASSERT_EQ(bytes.size(), kMultiples * point_bytes);
  std::vector<typename G::Sum> sums;
  auto sum = G::Sum::infinity();
  for (size_t i = 0; i < kMultiples; ++i, sum += G::generator()) sums.push_back(sum);
  auto points = batch_to_affine<typename G::Field>(sums);
  for (size_t i = 0; i < kMultiples; ++i) {
    const uint8_t* at = &bytes[i * point_bytes];
    auto decoded = decode(at, PointCheck::kFull);
    ASSERT_TRUE(decoded.has_value()) << name << " " << i << ": " << point_error_text(decoded.error());
    EXPECT_EQ(*decoded, points[i]) << name << " " << i;
    std::vector<uint8_t> again(point_bytes);
    encode(points[i], again.data());
    EXPECT_EQ(to_hex(again), to_hex({at, point_bytes})) << name << " " << i;
  }
}

TEST(Zkcrypto, G1Compressed) {
  check_file<G1>("g1_compressed_valid_test_vectors.dat", 48, decode_compressed<G1>, encode_compressed<G1>);
}
TEST(Zkcrypto, G1Uncompressed) {
  check_file<G1>("g1_uncompressed_valid_test_vectors.dat", 96, decode_uncompressed<G1>,
                 encode_uncompressed<G1>);
}
TEST(Zkcrypto, G2Compressed) {
  check_file<G2>("g2_compressed_valid_test_vectors.dat", 96, decode_compressed<G2>, encode_compressed<G2>);
}
TEST(Zkcrypto, G2Uncompressed) {
  check_file<G2>("g2_uncompressed_valid_test_vectors.dat", 192, decode_uncompressed<G2>,
                 encode_uncompressed<G2>);
}

}  // namespace
}  // namespace cuzk
