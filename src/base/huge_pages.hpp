// Large vectors in huge pages where the system has them: fewer page faults when they are first written.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/executor.hpp"

namespace cuzk {

inline constexpr size_t kHugePageBytes = size_t{2} << 20;

// Asks for huge pages in [place, place + bytes). Advice: where it is refused nothing changes.
inline void advise_huge_pages(void* place, size_t bytes) {
  madvise(place, bytes, MADV_HUGEPAGE);
}

// Gives an empty vector `size` new elements. Large ones are asked for in huge pages, which the executor's
// threads have the system clear side by side (Linux 5.14). All that is advice, and its failure changes
// nothing.
template <class T, class Allocator>
void resize_in_huge_pages(std::vector<T, Allocator>& values, size_t size, Executor& executor) {
  values.reserve(size);
  const auto begin = (reinterpret_cast<uintptr_t>(values.data()) + kHugePageBytes - 1) / kHugePageBytes;
  const auto end = reinterpret_cast<uintptr_t>(values.data() + size) / kHugePageBytes;
  if (begin < end) {
    advise_huge_pages(reinterpret_cast<void*>(begin * kHugePageBytes), (end - begin) * kHugePageBytes);
    const size_t parts = std::min(executor.concurrency(), size_t{end - begin});
    executor.run(parts, [&](size_t i) {
      const Range pages = split_range(end - begin, parts, i);
      madvise(reinterpret_cast<void*>((begin + pages.begin) * kHugePageBytes), pages.size() * kHugePageBytes,
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
