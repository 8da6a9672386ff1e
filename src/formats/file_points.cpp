#include "formats/file_points.hpp"

#include <algorithm>
#include <mutex>

#include "base/check.hpp"
#include "formats/first_error.hpp"

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

tl::unexpected<Error> bad_point(const InputFile& file, const PointList& list, uint64_t index, uint64_t offset,
                                const std::string& what) {
  return invalid(file.name() + ": " + list.name + ", point " + std::to_string(index) + " (offset " +
                 std::to_string(offset) + "): " + what +
                 ": the file is damaged or not genuine, fetch it again");
}

}  // namespace

template <class G>
Status FilePoints<G>::load(size_t begin, std::span<typename G::Point> out) const {
  constexpr size_t kBytes = kUncompressedBytes<G>;
  CUZK_CHECK(begin <= list_.count && out.size() <= list_.count - begin);
  std::vector<uint8_t> buffer(std::min(out.size(), kBlock) * kBytes);
  for (size_t done = 0; done < out.size();) {
    const size_t count = std::min(out.size() - done, kBlock);
    const uint64_t offset = list_.offset + (begin + done) * kBytes;
    CUZK_TRY(file_->read(offset, MutableBytes(buffer.data(), count * kBytes)));
    for (size_t i = 0; i < count; ++i) {
      auto point = decode<G>(buffer.data() + i * kBytes, list_.form, check_);
      const uint64_t index = begin + done + i;
      if (!point)
        return bad_point(*file_, list_, index, offset + i * kBytes, point_error_text(point.error()));
      if (point->is_infinity() && !list_.infinity_allowed) {
        return bad_point(*file_, list_, index, offset + i * kBytes, "infinity, which this list never holds");
      }
      out[done + i] = *point;
    }
    done += count;
  }
  return {};
}

template <class G>
Status test_points(const PointSource<G>& points, Executor& executor, const PointProgress& progress) {
  const size_t blocks = (points.size() + kBlock - 1) / kBlock;
  FirstError first;
  std::mutex progress_mutex;
  executor.run(blocks, [&](size_t block) {
    const size_t begin = block * kBlock;
    if (first.before(begin)) return;
    std::vector<typename G::Point> out(std::min(kBlock, points.size() - begin));
    if (auto status = points.load(begin, out); !status) first.add(begin, status.error());
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
