#include "cli/version.hpp"

#include "field/isa.hpp"

namespace cuzk::cli {

std::string version_text() {
  std::string build = CUZK_BUILD_TYPE;
#ifdef CUZK_PORTABLE
  build += ", portable";
#endif
  return std::string("cuzk ") + CUZK_VERSION + " (" + build + ", g++ " + __VERSION__ +
         "); instruction sets: " + active_isa.describe();
}

}  // namespace cuzk::cli
