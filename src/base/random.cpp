#include "base/random.hpp"

#include <sys/random.h>

#include <cerrno>

#include "base/check.hpp"

namespace cuzk {

void SystemRandom::fill(MutableBytes out) {
  while (!out.empty()) {
    ssize_t got = getrandom(out.data(), out.size(), 0);
    if (got < 0 && errno == EINTR) continue;
    CUZK_CHECK(got > 0);
    out = out.subspan(static_cast<size_t>(got));
  }
}

void TestRandom::fill(MutableBytes out) {
  for (size_t i = 0; i < out.size(); i += 8) {
    uint64_t v = next();
    for (size_t j = 0; j < 8 && i + j < out.size(); ++j) out[i + j] = static_cast<uint8_t>(v >> (8 * j));
  }
}

}  // namespace cuzk
