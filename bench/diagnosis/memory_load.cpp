// Streams through memory until it is killed: reads one gigabyte and writes another, over and over.
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <vector>

int main() {
  constexpr size_t kWords = (size_t{512} << 20) / sizeof(uint64_t);
  std::vector<uint64_t> from(kWords, 1), to(kWords, 2);
  for (uint64_t round = 1;; ++round) {
    for (size_t i = 0; i < kWords; i += 8)
      for (size_t k = 0; k < 8; ++k) to[i + k] = from[i + k] + round;
    std::swap(from, to);
    if (from[round % kWords] == 0) std::puts("never");
  }
}
