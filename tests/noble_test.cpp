// Field, curve and encoding against @noble/curves: tests/data/noble/bls12-381.txt, whose form
// tests/judges/make_noble_vectors.mjs describes.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "curve/encoding.hpp"
#include "curve/pairing.hpp"

namespace cuzk {
namespace {

using Bytes = std::vector<uint8_t>;
using Words = std::vector<std::string>;

Bytes from_hex(const std::string& digits) {
  Bytes bytes;
  for (size_t i = 0; i + 1 < digits.size(); i += 2) {
    bytes.push_back(static_cast<uint8_t>(std::stoul(digits.substr(i, 2), nullptr, 16)));
  }
  return bytes;
}

template <class F>
F field_element(const std::string& digits) {
  const auto value = F::from_be_bytes(from_hex(digits).data());
  EXPECT_TRUE(value.has_value()) << digits;
  return value.value_or(F::zero());
}

Fp2 fp2(const Words& words, size_t at) {
  return {field_element<Fp>(words[at]), field_element<Fp>(words[at + 1])};
}

template <class G>
typename G::Point point(const std::string& digits) {
  const Bytes bytes = from_hex(digits);
  EXPECT_EQ(bytes.size(), kUncompressedBytes<G>);
  const auto decoded = decode_uncompressed<G>(bytes.data(), PointCheck::kFull);
  EXPECT_TRUE(decoded.has_value()) << digits;
  return decoded.value_or(G::Point::infinity());
}

template <class F>
void check_field(const std::string& operation, const Words& w) {
  const F a = field_element<F>(w[1]);
  const F last = field_element<F>(w.back());
  if (operation == "inv") {
    EXPECT_EQ(a.inverse(), last);
    return;
  }
  const F b = field_element<F>(w[2]);
  EXPECT_EQ(operation == "mul" ? a * b : operation == "add" ? a + b : a - b, last);
  if (operation == "mul" && a == b) {
    EXPECT_EQ(a.square(), last);
  }
}

void check_fp2(const std::string& operation, const Words& w) {
  const Fp2 a = fp2(w, 1), last = fp2(w, w.size() - 2);
  EXPECT_EQ(operation == "inv" ? a.inverse() : operation == "sqr" ? a.square() : a * fp2(w, 3), last);
}

template <class G>
void check_group(const std::string& operation, const Words& w) {
  using Sum = typename G::Sum;
  const auto p = point<G>(w[1]);
  if (operation == "encode") {
    Bytes uncompressed(kUncompressedBytes<G>), compressed(kCompressedBytes<G>);
    encode_uncompressed<G>(p, uncompressed.data());
    encode_compressed<G>(p, compressed.data());
    EXPECT_EQ(uncompressed, from_hex(w[1]));
    EXPECT_EQ(compressed, from_hex(w[2]));
    const auto decoded = decode_compressed<G>(compressed.data(), PointCheck::kFull);
    ASSERT_TRUE(decoded.has_value());
    EXPECT_EQ(*decoded, p);
    return;
  }
  const auto last = point<G>(w[3]);
  if (operation == "add") {
    const auto q = point<G>(w[2]);
    EXPECT_EQ((Sum::from_affine(p) + q).to_affine(), last);
    EXPECT_EQ((Sum::from_affine(p).doubled() + (Sum::from_affine(q) - p)).to_affine(), last);
  } else {
    EXPECT_EQ((Sum::from_affine(p) * field_element<Fr>(w[2])).to_affine(), last);
  }
}

void check_pairing(const std::string&, const Words& w) {
  const G1Affine p = point<G1>(w[1]);
  const G2Affine q = point<G2>(w[2]);
  const auto fp6 = [&](size_t at) { return Fp6{fp2(w, at), fp2(w, at + 2), fp2(w, at + 4)}; };
  const Fp12 value{fp6(3), fp6(9)};
  // Both are the cube of the reduced pairing.
  EXPECT_EQ(pairing(p, q), value);
}

// Runs `check` on every line whose first word begins with `prefix`; returns how many.
template <class Check>
size_t for_each_case(const std::string& prefix, Check check) {
  std::ifstream file(CUZK_SOURCE_DIR "/tests/data/noble/bls12-381.txt");
  size_t count = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.compare(0, prefix.size(), prefix) != 0) continue;
    std::istringstream stream(line);
    Words words;
    for (std::string word; stream >> word;) words.push_back(word);
    SCOPED_TRACE(line.substr(0, 400));
    check(words[0].substr(prefix.size()), words);
    ++count;
    if (testing::Test::HasFailure()) break;
  }
  return count;
}

TEST(Noble, Fp) {
  EXPECT_EQ(for_each_case("fp_", check_field<Fp>), 239u);
}
TEST(Noble, Fr) {
  EXPECT_EQ(for_each_case("fr_", check_field<Fr>), 239u);
}
TEST(Noble, Fp2) {
  EXPECT_EQ(for_each_case("fp2_", check_fp2), 99u);
}
TEST(Noble, G1) {
  EXPECT_EQ(for_each_case("g1_", check_group<G1>), 126u);
}
TEST(Noble, G2) {
  EXPECT_EQ(for_each_case("g2_", check_group<G2>), 126u);
}
TEST(Noble, Pairing) {
  EXPECT_EQ(for_each_case("pairing", check_pairing), 6u);
}

}  // namespace
}  // namespace cuzk
