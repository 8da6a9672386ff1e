#include "device/cuda/heap.hpp"

#include <gtest/gtest.h>

namespace cuzk::gpu {
namespace {

TEST(DeviceHeap, HandsOutAndMergesPieces) {
  auto memory = DeviceMemory::allocate(10 * 256);
  ASSERT_TRUE(memory);
  DeviceHeap heap(std::move(*memory));
  auto a = heap.allocate(1), b = heap.allocate(256), c = heap.allocate(257);
  ASSERT_TRUE(a && b && c);
  EXPECT_EQ(b->get() - a->get(), 256);
  EXPECT_EQ(c->get() - b->get(), 256);
  EXPECT_EQ(heap.free_bytes(), 6u * 256);
  *a = DeviceHeap::Block();
  *c = DeviceHeap::Block();
  EXPECT_EQ(heap.free_bytes(), 9u * 256);
  auto too_much = heap.allocate(9 * 256);  // free, but not in one piece
  ASSERT_FALSE(too_much);
  EXPECT_TRUE(too_much.error().code == ErrorCode::kResourceExhausted);
  *b = DeviceHeap::Block();
  EXPECT_TRUE(heap.allocate(10 * 256).has_value());
  EXPECT_EQ(heap.free_bytes(), 10u * 256);
}

}  // namespace
}  // namespace cuzk::gpu
