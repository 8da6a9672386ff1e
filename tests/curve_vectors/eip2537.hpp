// go-ethereum's EIP-2537 vectors: how points and outcomes are written. A coordinate is 64 bytes big-endian
// with 16 leading zeros, c0 before c1; infinity is all zero.
#pragma once

#include <gtest/gtest.h>

#include "curve/encoding.hpp"
#include "vectors.hpp"

namespace cuzk::eip2537 {

using Buffer = std::vector<uint8_t>;
// The output, or the error in the vectors' words.
using Outcome = tl::expected<Buffer, std::string>;

inline tl::unexpected<std::string> refuse(std::string why) {
  return tl::unexpected<std::string>(std::move(why));
}

constexpr size_t kWord = 64, kPadding = 16, kScalarBytes = 32;

template <class G>
constexpr size_t kPointBytes = 2 * kWord * (sizeof(typename G::Field) / sizeof(Fp));

inline std::string read(const uint8_t* bytes, Fp& out) {
  for (size_t i = 0; i < kPadding; ++i)
    if (bytes[i] != 0) return "invalid field element top bytes";
  auto value = Fp::from_be_bytes(bytes + kPadding);
  if (!value) return "invalid fp.Element encoding";
  out = *value;
  return {};
}
inline std::string read(const uint8_t* bytes, Fp2& out) {
  auto error = read(bytes, out.c0);
  return error.empty() ? read(bytes + kWord, out.c1) : error;
}

inline void write(const Fp& value, uint8_t* out) {
  value.to_canonical().to_be_bytes(out + kPadding);
}
inline void write(const Fp2& value, uint8_t* out) {
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

// name: of the file, for messages.
inline void check_cases(const nlohmann::json& cases, const std::string& name, size_t expected_count,
                        Outcome (*operation)(const Buffer&)) {
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

}  // namespace cuzk::eip2537
