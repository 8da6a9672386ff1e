// Lists long enough that their points are tested together: the first bad point is named, whatever is wrong.
#include "formats/file_points.hpp"

#include <gtest/gtest.h>

#include <array>

#include "formats/test_files.hpp"

namespace cuzk {
namespace {

using namespace test;

constexpr size_t kPoints = 9000, kOffset = 7;
constexpr size_t kBytes = kUncompressedBytes<G1>;

// x = 0: of order three.
G1Affine order_three() {
  return {Fp::zero(), Fp::from_u64(2)};
}

class List {
 public:
  List() {
    auto sum = G1Xyzz::infinity();
    std::vector<G1Xyzz> sums;
    for (size_t i = 0; i < kPoints; ++i) sums.push_back(sum += G1::generator());
    points_ = batch_to_affine<Fp>(sums);
    bytes_.resize(kOffset);
    InlineExecutor executor;
    encode_points<G1>(points_, PointForm::kUncompressed, bytes_, executor);
  }

  uint8_t* at(size_t index) { return bytes_.data() + kOffset + index * kBytes; }
  void move_outside(size_t index, const G1Affine& by) {
    encode_uncompressed<G1>((G1Xyzz::from_affine(points_[index]) + by).to_affine(), at(index));
  }
  Status test(size_t threads, uint64_t* progress = nullptr) const {
    const FilePoints<G1> source(
        as_file(bytes_), {"list a", kOffset, kPoints, PointForm::kUncompressed, false}, PointCheck::kFull);
    ThreadPool pool(threads);
    return test_points<G1>(source, pool, [&](uint64_t points) {
      if (progress != nullptr) *progress += points;
    });
  }

 private:
  std::vector<G1Affine> points_;
  ByteVector bytes_;
};

std::string place(size_t index, const std::string& what) {
  return "list a, point " + std::to_string(index) + " (offset " + std::to_string(kOffset + index * kBytes) +
         "): " + what;
}
const char* const kOutside = "not in the subgroup of order r";

TEST(FilePoints, GoodListsPassInFull) {
  const List list;
  for (size_t threads : {1, 2, 5}) {
    uint64_t progress = 0;
    EXPECT_TRUE(list.test(threads, &progress));
    EXPECT_EQ(progress, kPoints);
  }
}

TEST(FilePoints, PointsOutsideTheSubgroupAreNamed) {
  for (size_t index : std::array<size_t, 4>{0, 4499, 4500, kPoints - 1}) {
    List list;
    list.move_outside(index, order_three());
    EXPECT_REFUSED(list.test(1), place(index, kOutside));
    EXPECT_REFUSED(list.test(2), place(index, kOutside));
  }
  List cancelling;
  cancelling.move_outside(100, order_three());
  cancelling.move_outside(5000, -order_three());
  EXPECT_REFUSED(cancelling.test(1), place(100, kOutside));
  EXPECT_REFUSED(cancelling.test(2), place(100, kOutside));
}

TEST(FilePoints, TheFirstOfSeveralErrorsIsNamed) {
  List list;
  list.at(3000)[90] ^= 1;
  EXPECT_REFUSED(list.test(2), place(3000, "not on the curve"));
  list.move_outside(3001, order_three());
  EXPECT_REFUSED(list.test(2), place(3000, "not on the curve"));
  list.move_outside(2000, order_three());
  EXPECT_REFUSED(list.test(2), place(2000, kOutside));
  std::fill(list.at(1000), list.at(1001), uint8_t{0});
  *list.at(1000) = 0x40;
  EXPECT_REFUSED(list.test(2), place(1000, "infinity, which this list never holds"));
}

}  // namespace
}  // namespace cuzk
