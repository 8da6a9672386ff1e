// That the compact witness pass allocates no memory for gadgets. This executable counts what goes through
// operator new, so it holds nothing else.
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "filecoin/gen/generate.hpp"

namespace {
std::atomic<size_t> allocations{0};
}  // namespace

void* operator new(size_t bytes) {
  allocations.fetch_add(1, std::memory_order_relaxed);
  if (void* place = std::malloc(bytes > 0 ? bytes : 1)) return place;
  throw std::bad_alloc();
}
void* operator new(size_t bytes, const std::nothrow_t&) noexcept {
  allocations.fetch_add(1, std::memory_order_relaxed);
  return std::malloc(bytes > 0 ? bytes : 1);
}
void operator delete(void* place) noexcept {
  std::free(place);
}
void operator delete(void* place, size_t) noexcept {
  std::free(place);
}

namespace cuzk {
namespace {

// Of the second witness of a circuit in the process: the first one counts how much its parts write.
size_t allocations_of_a_witness(const char* name) {
  InlineExecutor executor;
  const ProofInput input = generate_input(*parse_circuit_name(name), 1, executor);
  EXPECT_TRUE(input.compact(0, executor));
  const size_t before = allocations;
  const auto witness = input.compact(0, executor);
  const size_t found = allocations - before;
  EXPECT_TRUE(witness);
  return found;
}

// A part keeps a list of what it leaves for later, and a closure for each of those. The rest, 6 to 11, is the
// witness itself, what the first part returns and what runs the parts.
constexpr size_t kOnce = 12;

void check(const char* name, size_t parts, size_t left_by_a_part, size_t left_by_the_first) {
  EXPECT_LE(allocations_of_a_witness(name), kOnce + left_by_the_first + parts * (1 + left_by_a_part)) << name;
}

// A challenge leaves the path of its data, two groups of parents, a label for each layer, the replica and
// the column.
TEST(Allocations, PorepForPartsOnly) {
  check("porep-2k", 2, 1 + 2 + 2 + 2, 1);
  check("porep-8m", 2, 1 + 2 + 2 + 2, 1);  // the same with deeper trees
  check("porep-32g", 18, 1 + 2 + 11 + 2, 1);
}

// A sector leaves its commitment and groups of eight challenges.
TEST(Allocations, PostForPartsOnly) {
  check("winning-2k", 66, 1 + 1, 0);
  check("winning-32g", 66, 1 + 1, 0);
  check("window-2k", 2, 1 + 2, 0);
}

// A challenge leaves three paths, the header the nodes above the apex leaves.
TEST(Allocations, UpdateForPartsOnly) {
  check("snap-2k", 10, 3, 7);
  check("snap-32g", 86, 3, 127);
}

}  // namespace
}  // namespace cuzk
