// CUZK_CHECK: for invariants of our own code, never for input. Prints the place and ends the process.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace cuzk::detail {

[[noreturn]] inline void check_failed(const char* file, int line, const char* expression) {
  std::fprintf(stderr, "%s:%d: broken invariant: %s\n", file, line, expression);
  std::abort();
}

}  // namespace cuzk::detail

#define CUZK_CHECK(expression)                                       \
  do {                                                               \
    if (!(expression)) [[unlikely]]                                  \
      ::cuzk::detail::check_failed(__FILE__, __LINE__, #expression); \
  } while (false)
