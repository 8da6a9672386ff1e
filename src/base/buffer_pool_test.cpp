#include "base/buffer_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <new>
#include <thread>

namespace cuzk {
namespace {

constexpr size_t kMib = size_t{1} << 20;

TEST(BufferPool, ReusesInsteadOfUnmapping) {
  BufferPool pool({.huge_pages = true, .keep_bytes = 16 * kMib});
  void* first;
  {
    auto buffer = pool.take(5 * kMib);  // six with whole huge pages
    first = buffer.data();
    std::memset(first, 1, 5 * kMib);
  }
  EXPECT_EQ(pool.counts().idle_bytes, 6 * kMib);
  auto again = pool.take(4 * kMib);  // two thirds of it
  EXPECT_EQ(again.data(), first);
  auto other = pool.take(4 * kMib);
  EXPECT_NE(other.data(), first);
  EXPECT_EQ(pool.counts().reused, 1u);
  EXPECT_EQ(pool.counts().mapped, 2u);
  again = {};
  other = {};
  EXPECT_EQ(pool.counts().idle_bytes, 10 * kMib);
  auto far_smaller = pool.take(2 * kMib);  // none of twice the size is given away for it
  EXPECT_EQ(pool.counts().mapped, 3u);
  EXPECT_EQ(pool.counts().unmapped, 0u);
}

TEST(BufferPool, KeepsNoMoreThanItMay) {
  BufferPool pool({.keep_bytes = 4 * kMib});
  {
    auto a = pool.take(4 * kMib), b = pool.take(4 * kMib);
  }
  EXPECT_EQ(pool.counts().idle_bytes, 4 * kMib);
  EXPECT_EQ(pool.counts().unmapped, 1u);
}

TEST(BufferPool, OffAndSmallGoToTheAllocator) {
  BufferPool off, on({.huge_pages = true});
  for (size_t bytes : {size_t{1}, size_t{64}, 100 * kMib}) std::memset(off.take(bytes).data(), 1, bytes);
  std::memset(on.take(1000).data(), 1, 1000);
  EXPECT_EQ(off.counts().mapped, 0u);
  EXPECT_EQ(on.counts().mapped, 0u);
  {
    auto gone = on.take(2 * kMib);
  }
  EXPECT_EQ(on.counts().unmapped, 1u);  // huge pages alone keep nothing
}

TEST(BufferPool, SaysWhenThereIsNoMemory) {
  BufferPool pool({.huge_pages = true});
  EXPECT_THROW((void)pool.take(size_t{1} << 60), std::bad_alloc);
}

TEST(BufferPool, ServesSeveralThreads) {
  BufferPool pool({.keep_bytes = 8 * kMib});
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&pool, t] {
        for (int i = 0; i < 50; ++i) {
          auto buffer = pool.take(2 * kMib);
          auto* bytes = static_cast<char*>(buffer.data());
          bytes[0] = static_cast<char>(t);
          std::this_thread::yield();
          ASSERT_EQ(bytes[0], static_cast<char>(t));
        }
      });
  }
  auto counts = pool.counts();
  EXPECT_EQ(counts.mapped + counts.reused, 200u);
  EXPECT_LE(counts.idle_bytes, 8 * kMib);
}

}  // namespace
}  // namespace cuzk
