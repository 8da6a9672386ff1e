// Lists of points in files, as point sources.
#pragma once

#include <functional>
#include <string>

#include "base/executor.hpp"
#include "curve/encoding.hpp"
#include "formats/input_file.hpp"
#include "msm/point_source.hpp"

namespace cuzk {

enum class PointForm : uint8_t {
  kUncompressed,  // zcash: big-endian, flags
  kMontgomery,    // snarkjs: little-endian, R = 2^384
};

// Where a list of points lies. The bytes [offset, offset + count · size of a point) are within the file.
struct PointList {
  std::string name;  // for messages: "list a", "section 5 (A)"
  uint64_t offset = 0;
  uint64_t count = 0;
  PointForm form = PointForm::kUncompressed;
  bool infinity_allowed = false;
};

// Decodes on the fly. Errors name file, list, index and offset. PointCheck::kFull: the points of a load are
// tested together (first_outside_subgroup, with the system's randomness), which takes a twentieth of the time
// when they are a hundred thousand, and a quarter when they are a thousand.
template <class G>
class FilePoints final : public PointSource<G> {
 public:
  FilePoints(InputFilePtr file, PointList list, PointCheck check)
      : file_(std::move(file)), list_(std::move(list)), check_(check) {}

  size_t size() const override { return static_cast<size_t>(list_.count); }
  Status load(size_t begin, std::span<typename G::Point> out) const override;
  const PointList& list() const { return list_; }

 private:
  // The form, and the curve unless the check is kNone; points[0, decoded) are good so far.
  Status decode(size_t begin, std::span<typename G::Point> out, size_t& decoded) const;
  tl::unexpected<Error> bad_point(uint64_t index, const std::string& what) const;

  InputFilePtr file_;
  PointList list_;
  PointCheck check_;
};

// Counts points done; called from one thread at a time.
using PointProgress = std::function<void(uint64_t points)>;

// Loads every point, which makes the source test it. The error is that of the lowest index. Memory: 12 MiB a
// thread for the points, and what the source takes.
template <class G>
Status test_points(const PointSource<G>& points, Executor& executor, const PointProgress& progress = {});

// Points [begin, begin + count) of a source, or all of them. Threads: the executor's.
template <class G>
Result<std::vector<typename G::Point>> load_range(const PointSource<G>& points, size_t begin, size_t count,
                                                  Executor& executor);
template <class G>
Result<std::vector<typename G::Point>> load_all(const PointSource<G>& points, Executor& executor) {
  return load_range<G>(points, 0, points.size(), executor);
}

// Appends the encodings of points to `out`. Threads: the executor's.
template <class G>
void encode_points(std::span<const typename G::Point> points, PointForm form, std::vector<uint8_t>& out,
                   Executor& executor);

#define CUZK_FILE_POINTS_INSTANCES(prefix, G)                                                        \
  prefix template class FilePoints<G>;                                                               \
  prefix template Status test_points<G>(const PointSource<G>&, Executor&, const PointProgress&);     \
  prefix template Result<std::vector<G::Point>> load_range<G>(const PointSource<G>&, size_t, size_t, \
                                                              Executor&);                            \
  prefix template void encode_points<G>(std::span<const G::Point>, PointForm, std::vector<uint8_t>&, \
                                        Executor&);
CUZK_FILE_POINTS_INSTANCES(extern, G1)
CUZK_FILE_POINTS_INSTANCES(extern, G2)

}  // namespace cuzk
