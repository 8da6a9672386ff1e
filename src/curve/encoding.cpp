#include "curve/encoding.hpp"

#include <cstring>

#include "curve/subgroup.hpp"

namespace cuzk {

const char* point_error_text(PointError error) {
  switch (error) {
    case PointError::kFlag:
      return "flag bits are wrong for this encoding";
    case PointError::kInfinityBody:
      return "flagged as infinity, but other bits are set";
    case PointError::kNotCanonical:
      return "coordinate is not canonical (not below p)";
    case PointError::kNotOnCurve:
      return "not on the curve";
    case PointError::kNotInSubgroup:
      return "not in the subgroup of order r";
  }
  return "unknown point error";
}

namespace {

constexpr uint8_t kCompressedFlag = 0x80, kInfinityFlag = 0x40, kSortFlag = 0x20;
constexpr uint8_t kAllFlags = kCompressedFlag | kInfinityFlag | kSortFlag;
constexpr uint64_t kTopLimbWithoutFlags = ~uint64_t{0} >> 3;

// Big-endian coordinates; `top_mask` is applied to the word that holds the flags. False if not canonical.
bool read_coordinate(const uint8_t* bytes, uint64_t top_mask, Fp& out) {
  auto integer = Fp::Int::from_be_bytes(bytes);
  integer.limb[Fp::kLimbs - 1] &= top_mask;
  auto value = Fp::from_canonical(integer);
  if (!value) return false;
  out = *value;
  return true;
}
bool read_coordinate(const uint8_t* bytes, uint64_t top_mask, Fp2& out) {
  return read_coordinate(bytes, top_mask, out.c1) &&
         read_coordinate(bytes + Fp::kBytes, ~uint64_t{0}, out.c0);
}

void write_coordinate(const Fp& value, uint8_t* out) {
  value.to_canonical().to_be_bytes(out);
}
void write_coordinate(const Fp2& value, uint8_t* out) {
  write_coordinate(value.c1, out);
  write_coordinate(value.c0, out + Fp::kBytes);
}

bool read_montgomery(const uint8_t* bytes, Fp& out) {
  auto limbs = Fp::Int::from_le_bytes(bytes);
  out = Fp::from_montgomery(limbs);
  return limbs < Fp::kModulus;
}
bool read_montgomery(const uint8_t* bytes, Fp2& out) {
  return read_montgomery(bytes, out.c0) && read_montgomery(bytes + Fp::kBytes, out.c1);
}

void write_montgomery(const Fp& value, uint8_t* out) {
  value.montgomery().to_le_bytes(out);
}
void write_montgomery(const Fp2& value, uint8_t* out) {
  write_montgomery(value.c0, out);
  write_montgomery(value.c1, out + Fp::kBytes);
}

bool all_zero(const uint8_t* bytes, size_t count) {
  uint8_t any = 0;
  for (size_t i = 0; i < count; ++i) any = static_cast<uint8_t>(any | bytes[i]);
  return any == 0;
}

// The infinity flag is set: the one form of infinity, or an error.
template <class G>
DecodedPoint<G> decode_infinity(const uint8_t* bytes, size_t count) {
  if ((bytes[0] & kSortFlag) != 0) return tl::unexpected(PointError::kFlag);
  if ((bytes[0] & ~kAllFlags) != 0 || !all_zero(bytes + 1, count - 1))
    return tl::unexpected(PointError::kInfinityBody);
  return G::Point::infinity();
}

// A finite point that satisfies the form: the checks that remain.
template <class G>
DecodedPoint<G> checked(const typename G::Point& point, PointCheck check) {
  if (check != PointCheck::kNone && !is_on_curve<G>(point)) return tl::unexpected(PointError::kNotOnCurve);
  if (check == PointCheck::kFull && !is_in_subgroup(point)) return tl::unexpected(PointError::kNotInSubgroup);
  return point;
}

}  // namespace

template <class G>
DecodedPoint<G> decode_uncompressed(const uint8_t* bytes, PointCheck check) {
  if ((bytes[0] & kCompressedFlag) != 0) return tl::unexpected(PointError::kFlag);
  if ((bytes[0] & kInfinityFlag) != 0) return decode_infinity<G>(bytes, kUncompressedBytes<G>);
  if ((bytes[0] & kSortFlag) != 0) return tl::unexpected(PointError::kFlag);
  typename G::Point point;
  if (!read_coordinate(bytes, ~uint64_t{0}, point.x) ||
      !read_coordinate(bytes + G::Field::kBytes, ~uint64_t{0}, point.y))
    return tl::unexpected(PointError::kNotCanonical);
  // (0, 0) is not on the curve; without this it would pass for infinity, whose form is another one.
  if (point.is_infinity()) return tl::unexpected(PointError::kNotOnCurve);
  return checked<G>(point, check);
}

template <class G>
DecodedPoint<G> decode_compressed(const uint8_t* bytes, PointCheck check) {
  if ((bytes[0] & kCompressedFlag) == 0) return tl::unexpected(PointError::kFlag);
  if ((bytes[0] & kInfinityFlag) != 0) return decode_infinity<G>(bytes, kCompressedBytes<G>);
  typename G::Point point;
  if (!read_coordinate(bytes, kTopLimbWithoutFlags, point.x))
    return tl::unexpected(PointError::kNotCanonical);
  auto y = sqrt(point.x.square() * point.x + G::b());
  if (!y) return tl::unexpected(PointError::kNotOnCurve);
  // y is never 0: both curves have odd order, so no point of order two.
  bool wants_largest = (bytes[0] & kSortFlag) != 0;
  point.y = is_lexicographically_largest(*y) == wants_largest ? *y : -*y;
  if (check == PointCheck::kFull && !is_in_subgroup(point)) return tl::unexpected(PointError::kNotInSubgroup);
  return point;
}

template <class G>
DecodedPoint<G> decode_montgomery(const uint8_t* bytes, PointCheck check) {
  typename G::Point point;
  if (!read_montgomery(bytes, point.x) || !read_montgomery(bytes + G::Field::kBytes, point.y))
    return tl::unexpected(PointError::kNotCanonical);
  if (point.is_infinity()) return point;
  return checked<G>(point, check);
}

template <class G>
void encode_uncompressed(const typename G::Point& point, uint8_t* out) {
  if (point.is_infinity()) {
    std::memset(out, 0, kUncompressedBytes<G>);
    out[0] = kInfinityFlag;
    return;
  }
  write_coordinate(point.x, out);
  write_coordinate(point.y, out + G::Field::kBytes);
}

template <class G>
void encode_compressed(const typename G::Point& point, uint8_t* out) {
  if (point.is_infinity()) {
    std::memset(out, 0, kCompressedBytes<G>);
    out[0] = kCompressedFlag | kInfinityFlag;
    return;
  }
  write_coordinate(point.x, out);
  out[0] |= kCompressedFlag;
  if (is_lexicographically_largest(point.y)) out[0] |= kSortFlag;
}

template <class G>
void encode_montgomery(const typename G::Point& point, uint8_t* out) {
  write_montgomery(point.x, out);
  write_montgomery(point.y, out + G::Field::kBytes);
}

CUZK_ENCODING_INSTANCES(, G1)
CUZK_ENCODING_INSTANCES(, G2)

}  // namespace cuzk
