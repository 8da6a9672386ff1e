// Points as bytes. Source: zkcrypto/bls12_381 "notes/serialization" (the zcash encoding); snarkjs .zkey for
// the Montgomery form.
//
// zcash encoding: coordinates big-endian, canonical; of an Fp2 coordinate c1 comes first. The top three bits
// of the first byte are flags: compressed, infinity, sort (y is the larger of y and -y; compressed finite
// points only). Infinity has every other bit zero. Compressed is x alone, uncompressed x then y.
//
// Every decoder accepts exactly what its encoder writes (one form a point), refuses all else, and reads a
// fixed number of bytes.
#pragma once

#include <tl/expected.hpp>

#include "curve/point.hpp"

namespace cuzk {

enum class PointCheck : uint8_t {
  kNone,   // the form only: flags and canonical coordinates
  kCurve,  // and the curve equation
  kFull,   // and membership of the subgroup of order r
};

enum class PointError : uint8_t {
  kFlag,          // a flag bit that this form or this point does not have, or lacks one that it must have
  kInfinityBody,  // flagged as infinity, but other bits are set
  kNotCanonical,  // a coordinate is not below p
  kNotOnCurve,    // also a compressed x that no point has
  kNotInSubgroup,
};

// For messages: "coordinate is not canonical (not below p)" and so on.
const char* point_error_text(PointError error);

template <class G>
using DecodedPoint = tl::expected<typename G::Point, PointError>;

template <class G>
inline constexpr size_t kCompressedBytes = G::Field::kBytes;
template <class G>
inline constexpr size_t kUncompressedBytes = 2 * G::Field::kBytes;

// kUncompressedBytes<G> bytes, x then y. Cost: one multiplication in the field per coordinate word for kNone;
// three or four more for kCurve; see is_in_subgroup for kFull.
template <class G>
DecodedPoint<G> decode_uncompressed(const uint8_t* bytes, PointCheck check);

// kCompressedBytes<G> bytes. Always on the curve (the cost is a square root); subgroup only with kFull.
template <class G>
DecodedPoint<G> decode_compressed(const uint8_t* bytes, PointCheck check);

// The form of snarkjs .zkey files: x, y as they are in memory (R = 2^384 Montgomery, little-endian; c0 before
// c1), infinity all zero. kUncompressedBytes<G> bytes.
template <class G>
DecodedPoint<G> decode_montgomery(const uint8_t* bytes, PointCheck check);

// The point must be on the curve or infinity; writes as many bytes as the decoder reads.
template <class G>
void encode_uncompressed(const typename G::Point& point, uint8_t* out);
template <class G>
void encode_compressed(const typename G::Point& point, uint8_t* out);
template <class G>
void encode_montgomery(const typename G::Point& point, uint8_t* out);

#define CUZK_ENCODING_INSTANCES(prefix, G)                                            \
  prefix template DecodedPoint<G> decode_uncompressed<G>(const uint8_t*, PointCheck); \
  prefix template DecodedPoint<G> decode_compressed<G>(const uint8_t*, PointCheck);   \
  prefix template DecodedPoint<G> decode_montgomery<G>(const uint8_t*, PointCheck);   \
  prefix template void encode_uncompressed<G>(const G::Point&, uint8_t*);             \
  prefix template void encode_compressed<G>(const G::Point&, uint8_t*);               \
  prefix template void encode_montgomery<G>(const G::Point&, uint8_t*);
CUZK_ENCODING_INSTANCES(extern, G1)
CUZK_ENCODING_INSTANCES(extern, G2)

}  // namespace cuzk
