// Any bytes into every decoder: what is accepted must be a right point and encode to the same bytes.
// Input: one byte that chooses group, form and check, then the encoding; shorter inputs are filled with
// zeros.
#include <algorithm>
#include <vector>

#include "base/check.hpp"
#include "curve/encoding.hpp"
#include "curve/subgroup.hpp"

namespace cuzk {
namespace {

template <class G>
void try_form(size_t size, DecodedPoint<G> (*decode)(const uint8_t*, PointCheck),
              void (*encode)(const typename G::Point&, uint8_t*), PointCheck check, Bytes input) {
  std::vector<uint8_t> bytes(size, 0);
  std::copy_n(input.begin(), std::min(size, input.size()), bytes.begin());
  auto point = decode(bytes.data(), check);
  if (!point) {
    CUZK_CHECK(point_error_text(point.error()) != nullptr);
    return;
  }
  std::vector<uint8_t> again(size);
  encode(*point, again.data());
  CUZK_CHECK(again == bytes);
  if (check != PointCheck::kNone) CUZK_CHECK(is_on_curve<G>(*point));
  if (check == PointCheck::kFull) CUZK_CHECK((G::Sum::from_affine(*point) * Fr::kModulus).is_infinity());
}

template <class G>
void try_group(unsigned form, PointCheck check, Bytes input) {
  if (form == 0)
    try_form<G>(kUncompressedBytes<G>, decode_uncompressed<G>, encode_uncompressed<G>, check, input);
  else if (form == 1)
    try_form<G>(kCompressedBytes<G>, decode_compressed<G>, encode_compressed<G>, check, input);
  else
    try_form<G>(kUncompressedBytes<G>, decode_montgomery<G>, encode_montgomery<G>, check, input);
}

}  // namespace
}  // namespace cuzk

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const unsigned choice = data[0];
  const unsigned form = choice / 2 % 3;
  const auto check = static_cast<cuzk::PointCheck>(choice / 6 % 3);
  const cuzk::Bytes input(data + 1, size - 1);
  if (choice % 2 == 0)
    cuzk::try_group<cuzk::G1>(form, check, input);
  else
    cuzk::try_group<cuzk::G2>(form, check, input);
  return 0;
}
