#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "base/atomic_file.hpp"
#include "base/bytes.hpp"
#include "base/executor.hpp"
#include "base/mapped_file.hpp"
#include "base/random.hpp"

namespace cuzk {
namespace {

std::string scratch(const char* name) {
  return (std::filesystem::temp_directory_path() / name).string();
}

TEST(ThreadPool, RunsEveryTaskOnce) {
  for (size_t threads : {1, 2, 5}) {
    ThreadPool pool(threads);
    for (size_t count : {0, 1, 2, 7, 1000}) {
      std::vector<std::atomic<int>> hits(count);
      pool.run(count, [&](size_t i) { hits[i]++; });
      for (auto& h : hits) EXPECT_EQ(h.load(), 1);
    }
  }
}

TEST(ThreadPool, NestedRunGoesInline) {
  ThreadPool pool(3);
  std::atomic<int> sum{0};
  pool.run(4, [&](size_t) { pool.run(10, [&](size_t) { sum++; }); });
  EXPECT_EQ(sum.load(), 40);
}

TEST(ThreadPool, SeveralCallersAtOnce) {
  ThreadPool pool(2);
  std::atomic<int> sum{0};
  {
    std::vector<std::jthread> callers;
    for (int c = 0; c < 4; ++c)
      callers.emplace_back([&] {
        for (int k = 0; k < 50; ++k) pool.run(8, [&](size_t) { sum++; });
      });
  }
  EXPECT_EQ(sum.load(), 4 * 50 * 8);
}

TEST(ParallelRanges, CoverEverythingOnce) {
  ThreadPool pool(3);
  for (size_t size : {0, 1, 10, 101, 4096}) {
    std::vector<int> hits(size);
    parallel_ranges(pool, size, 16, [&](size_t begin, size_t end) {
      for (size_t i = begin; i < end; ++i) hits[i]++;
    });
    EXPECT_EQ(std::accumulate(hits.begin(), hits.end(), size_t{0}), size);
  }
}

TEST(AtomicFile, AppearsOnlyWhenCommitted) {
  std::string path = scratch("cuzk_atomic_test");
  std::filesystem::remove(path);
  {
    auto file = AtomicFile::create(path);
    ASSERT_TRUE(file.has_value());
    ASSERT_TRUE(file->write("abandoned").has_value());
  }
  EXPECT_FALSE(std::filesystem::exists(path));
  auto file = AtomicFile::create(path);
  ASSERT_TRUE(file.has_value());
  ASSERT_TRUE(file->write("hello world").has_value());
  ASSERT_TRUE(file->write_at(0, Bytes(reinterpret_cast<const uint8_t*>("J"), 1)).has_value());
  ASSERT_TRUE(file->commit().has_value());
  auto mapped = MappedFile::open(path);
  ASSERT_TRUE(mapped.has_value());
  EXPECT_EQ(std::string(mapped->bytes().begin(), mapped->bytes().end()), "Jello world");
  EXPECT_FALSE(mapped->changed());
  std::filesystem::resize_file(path, 3);
  EXPECT_TRUE(mapped->changed());
  std::filesystem::remove(path);
}

TEST(MappedFile, NamesWhatIsWrong) {
  auto missing = MappedFile::open("/nonexistent/file");
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  EXPECT_NE(missing.error().message.find("/nonexistent/file"), std::string::npos);
  EXPECT_FALSE(MappedFile::open("/tmp").has_value());
}

TEST(Bytes, HexRoundTripAndRefusals) {
  std::vector<uint8_t> bytes{0x00, 0xff, 0x1a};
  EXPECT_EQ(to_hex(bytes), "00ff1a");
  EXPECT_EQ(*from_hex("00FF1a"), bytes);
  EXPECT_FALSE(from_hex("0").has_value());
  EXPECT_FALSE(from_hex("zz").has_value());
}

}  // namespace
}  // namespace cuzk
