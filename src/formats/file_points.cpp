#include "formats/file_points.hpp"

#include <algorithm>
#include <mutex>

#include "base/check.hpp"
#include "base/random.hpp"
#include "formats/first_error.hpp"
#include "msm/subgroup_batch.hpp"

namespace cuzk {
namespace {

// Points read at a time: 48 or 96 KiB, in the second-level cache.
constexpr size_t kBlock = 512;
constexpr size_t kGrain = 64;

template <class G>
DecodedPoint<G> decode(const uint8_t* bytes, PointForm form, PointCheck check) {
  return form == PointForm::kUncompressed ? decode_uncompressed<G>(bytes, check)
                                          : decode_montgomery<G>(bytes, check);
}

}  // namespace

template <class G>
tl::unexpected<Error> FilePoints<G>::bad_point(uint64_t index, const std::string& what) const {
  return invalid(file_->name() + ": " + list_.name + ", point " + std::to_string(index) + " (offset " +
                 std::to_string(list_.offset + index * kUncompressedBytes<G>) + "): " + what +
                 ": the file is damaged or not genuine, fetch it again");
}

template <class G>
Status FilePoints<G>::decode(size_t begin, std::span<typename G::Point> out, size_t& decoded) const {
  constexpr size_t kBytes = kUncompressedBytes<G>;
  const PointCheck check = check_ == PointCheck::kFull ? PointCheck::kCurve : check_;
  std::vector<uint8_t> buffer(std::min(out.size(), kBlock) * kBytes);
  while (decoded < out.size()) {
    const size_t first = decoded, count = std::min(out.size() - first, kBlock);
    CUZK_TRY(
        file_->read(list_.offset + (begin + first) * kBytes, MutableBytes(buffer.data(), count * kBytes)));
    for (size_t i = 0; i < count; ++i, ++decoded) {
      auto point = cuzk::decode<G>(buffer.data() + i * kBytes, list_.form, check);
      const uint64_t index = begin + decoded;
      if (!point) return bad_point(index, point_error_text(point.error()));
      if (point->is_infinity() && !list_.infinity_allowed)
        return bad_point(index, "infinity, which this list never holds");
      out[decoded] = *point;
    }
  }
  return {};
}

template <class G>
Status FilePoints<G>::load(size_t begin, std::span<typename G::Point> out) const {
  CUZK_CHECK(begin <= list_.count && out.size() <= list_.count - begin);
  size_t decoded = 0;
  Status status = decode(begin, out, decoded);
  if (check_ != PointCheck::kFull) return status;
  // Also before a point that could not be decoded: the error is that of the lowest index.
  SystemRandom random;
  if (const auto outside = first_outside_subgroup<G>(out.first(decoded), random))
    return bad_point(begin + *outside, point_error_text(PointError::kNotInSubgroup));
  return status;
}

template <class G>
Status test_points(const PointSource<G>& points, Executor& executor, const PointProgress& progress) {
  // Blocks of 12 MiB at the most, equally many for every thread while they are worth being tested together.
  constexpr size_t kLeast = 4096, kMost = (size_t{12} << 20) / sizeof(typename G::Point);
  const size_t size = points.size(), threads = executor.concurrency();
  const size_t needed = (size + kMost - 1) / kMost;
  const size_t blocks = std::max(needed, std::min((needed + threads - 1) / threads * threads, size / kLeast));
  FirstError first;
  std::mutex progress_mutex;
  executor.run(blocks, [&](size_t block) {
    const Range range = split_range(size, blocks, block);
    if (first.before(range.begin)) return;
    std::vector<typename G::Point> out(range.size());
    if (auto status = points.load(range.begin, out); !status) first.add(range.begin, status.error());
    if (progress) {
      std::lock_guard lock(progress_mutex);
      progress(out.size());
    }
  });
  return first.status();
}

template <class G>
Result<std::vector<typename G::Point>> load_range(const PointSource<G>& points, size_t first, size_t count,
                                                  Executor& executor) {
  std::vector<typename G::Point> out(count);
  FirstError error;
  parallel_ranges(executor, count, kGrain, [&](size_t begin, size_t end) {
    if (auto status = points.load(first + begin, std::span(out).subspan(begin, end - begin)); !status) {
      error.add(begin, status.error());
    }
  });
  CUZK_TRY(error.status());
  return out;
}

template <class G>
void encode_points(std::span<const typename G::Point> points, PointForm form, std::vector<uint8_t>& out,
                   Executor& executor) {
  constexpr size_t kBytes = kUncompressedBytes<G>;
  const size_t start = out.size();
  out.resize(start + points.size() * kBytes);
  parallel_ranges(executor, points.size(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      uint8_t* to = out.data() + start + i * kBytes;
      if (form == PointForm::kUncompressed) {
        encode_uncompressed<G>(points[i], to);
      } else {
        encode_montgomery<G>(points[i], to);
      }
    }
  });
}

CUZK_FILE_POINTS_INSTANCES(, G1)
CUZK_FILE_POINTS_INSTANCES(, G2)

}  // namespace cuzk
