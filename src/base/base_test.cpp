#include <gtest/gtest.h>
#include <sys/stat.h>

#include <atomic>
#include <cstdio>
#include <filesystem>
#include <new>
#include <numeric>

#include "base/atomic_file.hpp"
#include "base/bytes.hpp"
#include "base/cpu_time.hpp"
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

TEST(ThreadPool, ChargesItsThreadsToTheCaller) {
  ThreadPool pool(3);
  const auto burn = [](int64_t ns) {
    for (const int64_t begin = thread_cpu_ns(); thread_cpu_ns() - begin < ns;) {
    }
  };
  const int64_t begin = thread_cpu_ns();
  pool.run(30, [&](size_t) { burn(1'000'000); });
  const int64_t used = thread_cpu_ns() - begin;
  EXPECT_GE(used, 30'000'000);
  EXPECT_LT(used, 60'000'000);
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

// As after a shortage of memory in a task: the caller is told, the pool goes on.
TEST(ThreadPool, AnExceptionOfATaskReachesTheCaller) {
  ThreadPool pool(3);
  for (int round = 0; round < 20; ++round) {
    std::atomic<size_t> begun{0};
    bool thrown = false;
    try {
      pool.run(1000, [&](size_t i) {
        ++begun;
        if (i % 10 == 7) throw std::bad_alloc();
      });
    } catch (const std::bad_alloc&) {
      thrown = true;
    }
    EXPECT_TRUE(thrown);
    EXPECT_GE(begun, 1u);
    std::atomic<size_t> done{0};
    pool.run(100, [&](size_t) { ++done; });
    EXPECT_EQ(done, 100u);
  }
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

// Both kinds of temporary file: nothing of it is to be seen before commit() nor after, whatever is written.
TEST(AtomicFile, LeavesNothingBesideItself) {
  const std::filesystem::path folder = scratch("cuzk_atomic_folder");
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  auto entries = [&] {
    size_t count = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++count;
    return count;
  };
  const std::string path = (folder / "file").string();
  for (auto temporary : {AtomicFile::Temporary::kUnnamedIfPossible, AtomicFile::Temporary::kNamed}) {
    for (const char* text : {"first", "second"}) {
      auto abandoned = AtomicFile::create(path, temporary);
      auto file = AtomicFile::create(path, temporary);
      ASSERT_TRUE(abandoned && file);
      ASSERT_TRUE(abandoned->write("abandoned") && abandoned->sync());
      ASSERT_TRUE(file->write(text) && file->sync() && file->commit());
    }
    EXPECT_EQ(entries(), 1u);
    auto mapped = MappedFile::open(path);
    ASSERT_TRUE(mapped);
    EXPECT_EQ(std::string(mapped->bytes().begin(), mapped->bytes().end()), "second");
  }
  std::filesystem::remove_all(folder);
}

// A device or a folder is never replaced; of a link, the file that it names is, or
// the link itself where that is asked for.
TEST(AtomicFile, ReplacesRegularFilesOnly) {
  namespace fs = std::filesystem;
  const fs::path folder = scratch("cuzk_atomic_targets");
  fs::remove_all(folder);
  fs::create_directories(folder / "other");
  for (const fs::path& path : {fs::path("/dev/null"), folder, folder / "other" / ""}) {
    auto file = AtomicFile::create(path.string());
    ASSERT_FALSE(file) << path;
    EXPECT_EQ(file.error().code, ErrorCode::kInvalidInput) << file.error().message;
  }
  ASSERT_EQ(mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(AtomicFile::create((folder / "pipe").string()));
  EXPECT_FALSE(AtomicFile::create(""));
  fs::create_symlink("other/target", folder / "link");
  fs::create_symlink("link", folder / "link to link");
  fs::create_symlink("circle", folder / "circle");
  EXPECT_FALSE(AtomicFile::create((folder / "circle").string()));
  for (const char* text : {"new", "old"}) {
    ASSERT_TRUE(write_file((folder / "link to link").string(), std::string_view(text)));
    EXPECT_TRUE(fs::is_symlink(folder / "link"));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder / "other" / "target")));
  }
  auto file = AtomicFile::create((folder / "link").string(), AtomicFile::Temporary::kNamed,
                                 AtomicFile::Links::kReplaced);
  ASSERT_TRUE(file && file->write("newest") && file->commit());
  EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(folder / "link")));
  EXPECT_EQ(fs::file_size(folder / "other" / "target"), 3u);
  fs::remove_all(folder);
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
