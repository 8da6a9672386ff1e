// Large vectors in huge pages where the system has them: fewer page faults when they are first written.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/executor.hpp"

namespace cuzk {

// Gives an empty vector `size` new elements. Large ones are asked for in huge pages, which the executor's
// threads have the system clear side by side (Linux 5.14). All that is advice, and its failure changes
// nothing.
template <class T, class Allocator>
void resize_in_huge_pages(std::vector<T, Allocator>& values, size_t size, Executor& executor) {
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  values.reserve(size);
  const auto begin = (reinterpret_cast<uintptr_t>(values.data()) + kHugePage - 1) / kHugePage;
  const auto end = reinterpret_cast<uintptr_t>(values.data() + size) / kHugePage;
  if (begin < end) {
    madvise(reinterpret_cast<void*>(begin * kHugePage), (end - begin) * kHugePage, MADV_HUGEPAGE);
    const size_t parts = std::min(executor.concurrency(), size_t{end - begin});
    executor.run(parts, [&](size_t i) {
      const Range pages = split_range(end - begin, parts, i);
      madvise(reinterpret_cast<void*>((begin + pages.begin) * kHugePage), pages.size() * kHugePage,
              MADV_POPULATE_WRITE);
    });
  }
  values.resize(size);
}
template <class T, class Allocator>
void resize_in_huge_pages(std::vector<T, Allocator>& values, size_t size) {
  InlineExecutor executor;
  resize_in_huge_pages(values, size, executor);
}

}  // namespace cuzk
