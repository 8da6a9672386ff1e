// Encodings: round trips, the one form of each point, and everything that must be refused.
#include "curve/encoding.hpp"

#include <gtest/gtest.h>

#include "curve/subgroup.hpp"

namespace cuzk {
namespace {

using Buffer = std::vector<uint8_t>;

template <class G>
typename G::Point random_point(TestRandom& random) {
  return (G::Sum::from_affine(G::generator()) * Fr::random(random)).to_affine();
}

// A point on the curve outside the subgroup: the first small x that gives one.
template <class G>
typename G::Point point_outside_subgroup(uint64_t x = 1) {
  for (;; ++x) {
    auto fx = G::Field::from_u64(x);
    auto y = sqrt(fx.square() * fx + G::b());
    if (y && !(G::Sum::from_affine({fx, *y}) * Fr::kModulus).is_infinity()) return {fx, *y};
  }
}

template <class G>
struct Form {
  const char* name;
  size_t bytes;
  DecodedPoint<G> (*decode)(const uint8_t*, PointCheck);
  void (*encode)(const typename G::Point&, uint8_t*);
};

template <class G>
std::vector<Form<G>> all_forms() {
  return {{"uncompressed", kUncompressedBytes<G>, decode_uncompressed<G>, encode_uncompressed<G>},
          {"compressed", kCompressedBytes<G>, decode_compressed<G>, encode_compressed<G>},
          {"montgomery", kUncompressedBytes<G>, decode_montgomery<G>, encode_montgomery<G>}};
}

constexpr PointCheck kChecks[] = {PointCheck::kNone, PointCheck::kCurve, PointCheck::kFull};

template <class G>
void expect_error(const DecodedPoint<G>& decoded, PointError error) {
  ASSERT_FALSE(decoded.has_value());
  EXPECT_EQ(point_error_text(decoded.error()), std::string(point_error_text(error)));
}

template <class G>
void check_round_trips() {
  TestRandom random(11);
  std::vector<typename G::Point> points = {G::Point::infinity(), G::generator(), -G::generator()};
  for (int i = 0; i < 20; ++i) points.push_back(random_point<G>(random));
  for (const auto& form : all_forms<G>()) {
    for (const auto& point : points) {
      Buffer bytes(form.bytes);
      form.encode(point, bytes.data());
      for (PointCheck check : kChecks) {
        auto decoded = form.decode(bytes.data(), check);
        ASSERT_TRUE(decoded.has_value()) << form.name;
        EXPECT_EQ(*decoded, point) << form.name;
      }
    }
  }
}

template <class G>
void check_subgroup_is_checked() {
  auto point = point_outside_subgroup<G>();
  ASSERT_TRUE(is_on_curve<G>(point));
  EXPECT_FALSE(is_in_subgroup(point));
  for (const auto& form : all_forms<G>()) {
    Buffer bytes(form.bytes);
    form.encode(point, bytes.data());
    auto decoded = form.decode(bytes.data(), PointCheck::kCurve);
    ASSERT_TRUE(decoded.has_value()) << form.name;
    EXPECT_EQ(*decoded, point);
    expect_error<G>(form.decode(bytes.data(), PointCheck::kFull), PointError::kNotInSubgroup);
  }
}

// Every value of the three flags on a finite point and on infinity: only the right one is taken.
template <class G>
void check_flags() {
  for (const auto& form : all_forms<G>()) {
    if (form.name == std::string("montgomery")) continue;
    for (const auto& point : {G::generator(), -G::generator(), G::Point::infinity()}) {
      Buffer bytes(form.bytes);
      form.encode(point, bytes.data());
      const uint8_t right = bytes[0] & 0xe0;
      for (unsigned flags = 0; flags < 8; ++flags) {
        Buffer changed = bytes;
        changed[0] = static_cast<uint8_t>((bytes[0] & 0x1f) | flags << 5);
        auto decoded = form.decode(changed.data(), PointCheck::kFull);
        const bool other_sign =
            form.bytes == kCompressedBytes<G> && !point.is_infinity() && (flags << 5) == (right ^ 0x20u);
        if (flags << 5 == right) {
          EXPECT_EQ(*decoded, point);
        } else if (other_sign) {
          EXPECT_EQ(*decoded, -point);
        } else {
          EXPECT_FALSE(decoded.has_value()) << form.name << " flags " << flags;
        }
      }
    }
  }
}

// Infinity has one form in each encoding; any other bit is refused.
template <class G>
void check_infinity() {
  for (const auto& form : all_forms<G>()) {
    Buffer bytes(form.bytes, 0xff);
    form.encode(G::Point::infinity(), bytes.data());
    Buffer expected(form.bytes, 0);
    if (form.name == std::string("uncompressed")) expected[0] = 0x40;
    if (form.name == std::string("compressed")) expected[0] = 0xc0;
    EXPECT_EQ(bytes, expected);
    for (size_t bit = 0; bit < 8 * form.bytes; ++bit) {
      Buffer changed = bytes;
      changed[bit / 8] = static_cast<uint8_t>(changed[bit / 8] ^ (0x80u >> bit % 8));
      auto decoded = form.decode(changed.data(), PointCheck::kFull);
      EXPECT_FALSE(decoded.has_value()) << form.name << " bit " << bit;
      if (form.name != std::string("montgomery") && bit > 2)
        expect_error<G>(decoded, PointError::kInfinityBody);
    }
  }
  // All zero, as other libraries write it, is not ours.
  Buffer zero(kUncompressedBytes<G>, 0);
  for (PointCheck check : kChecks)
    expect_error<G>(decode_uncompressed<G>(zero.data(), check), PointError::kNotOnCurve);
  zero[0] = 0x80;  // "compressed", infinity forgotten: x = 0, whose points are outside the subgroup or absent
  EXPECT_FALSE(decode_compressed<G>(zero.data(), PointCheck::kFull).has_value());
}

// p, p + 1, x + p (where it fits) and all ones in each coordinate.
template <class G>
void check_canonical() {
  TestRandom random(12);
  auto point = random_point<G>(random);
  for (const auto& form : all_forms<G>()) {
    const bool little_endian = form.name == std::string("montgomery");
    Buffer bytes(form.bytes);
    form.encode(point, bytes.data());
    for (size_t at = 0; at < form.bytes; at += Fp::kBytes) {
      const uint8_t flags = !little_endian && at == 0 ? bytes[0] & 0xe0 : 0;
      auto put = [&](const BigInt<6>& value) {
        Buffer changed = bytes;
        little_endian ? value.to_le_bytes(&changed[at]) : value.to_be_bytes(&changed[at]);
        changed[little_endian ? at + 47 : at] |= flags;
        return changed;
      };
      BigInt<6> alias = Fp::kModulus;
      alias.add_in_place(BigInt<6>::from_u64(4));
      BigInt<6> ones = BigInt<6>::from_hex(std::string(96, 'f'));
      if (at == 0 && !little_endian) ones = ones.shifted_right(3);
      for (PointCheck check : kChecks) {
        expect_error<G>(form.decode(put(Fp::kModulus).data(), check), PointError::kNotCanonical);
        expect_error<G>(form.decode(put(alias).data(), check), PointError::kNotCanonical);
        expect_error<G>(form.decode(put(ones).data(), check), PointError::kNotCanonical);
      }
    }
  }
}

// A flipped bit of a coordinate leaves the curve (uncompressed, Montgomery) or is another point (compressed).
template <class G>
void check_flipped_bits() {
  TestRandom random(13);
  auto point = random_point<G>(random);
  for (const auto& form : all_forms<G>()) {
    Buffer bytes(form.bytes);
    form.encode(point, bytes.data());
    for (size_t bit = 3; bit < 8 * form.bytes; bit += 5) {
      Buffer changed = bytes;
      changed[bit / 8] = static_cast<uint8_t>(changed[bit / 8] ^ (0x80u >> bit % 8));
      auto decoded = form.decode(changed.data(), PointCheck::kCurve);
      if (form.bytes == kUncompressedBytes<G>) {
        EXPECT_FALSE(decoded.has_value());
      } else if (decoded.has_value()) {
        Buffer again(form.bytes);
        form.encode(*decoded, again.data());
        EXPECT_EQ(again, changed);
        EXPECT_NE(*decoded, point);
      }
    }
  }
}

// The other form's bytes in a slot: never taken, whatever follows.
template <class G>
void check_mixed_forms() {
  TestRandom random(14);
  for (const auto& point : {random_point<G>(random), G::Point::infinity()}) {
    Buffer slot(kUncompressedBytes<G>, 0);
    encode_compressed<G>(point, slot.data());
    expect_error<G>(decode_uncompressed<G>(slot.data(), PointCheck::kNone), PointError::kFlag);
    encode_uncompressed<G>(point, slot.data());
    expect_error<G>(decode_compressed<G>(slot.data(), PointCheck::kNone), PointError::kFlag);
  }
}

template <class G>
void check_all() {
  check_round_trips<G>();
  check_subgroup_is_checked<G>();
  check_flags<G>();
  check_infinity<G>();
  check_canonical<G>();
  check_flipped_bits<G>();
  check_mixed_forms<G>();
}
TEST(Encoding, G1) {
  check_all<G1>();
}
TEST(Encoding, G2) {
  check_all<G2>();
}

TEST(Encoding, KnownBytes) {
  // x = 4: on the curve, outside the subgroup.
  auto outside = from_hex(
      "0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000040a989b"
      "add40d6212b33cffc3f3763e9bc760f988c9926b26da9dd85e928483446346b8ed00e1de5d5ea93e354abe706c");
  EXPECT_TRUE(decode_uncompressed<G1>(outside->data(), PointCheck::kCurve).has_value());
  expect_error<G1>(decode_uncompressed<G1>(outside->data(), PointCheck::kFull), PointError::kNotInSubgroup);
  // The same x plus p.
  auto alias = from_hex(
      "9a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaaf");
  expect_error<G1>(decode_compressed<G1>(alias->data(), PointCheck::kNone), PointError::kNotCanonical);
  // x = 0 is on the curve y² = x³ + 4 with y = 2, a point of order three.
  Buffer order_three(kCompressedBytes<G1>, 0);
  order_three[0] = 0x80;
  EXPECT_EQ(decode_compressed<G1>(order_three.data(), PointCheck::kCurve)->y, Fp::from_u64(2));
  expect_error<G1>(decode_compressed<G1>(order_three.data(), PointCheck::kFull), PointError::kNotInSubgroup);
}

}  // namespace
}  // namespace cuzk
