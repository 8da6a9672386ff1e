// Large vectors in huge pages where the system has them: fewer page faults when they are first written.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace cuzk {

// Gives an empty vector `size` zeros. Large ones are asked for in huge pages; that is advice, and its failure
// changes nothing.
template <class T>
void resize_in_huge_pages(std::vector<T>& values, size_t size) {
  constexpr uintptr_t kHugePage = uintptr_t{2} << 20;
  values.reserve(size);
  const auto begin = (reinterpret_cast<uintptr_t>(values.data()) + kHugePage - 1) / kHugePage * kHugePage;
  const auto end = reinterpret_cast<uintptr_t>(values.data() + size) / kHugePage * kHugePage;
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  values.resize(size);
}

}  // namespace cuzk
