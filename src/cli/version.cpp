#include "cli/version.hpp"

#include "field/isa.hpp"

namespace cuzk::cli {

namespace {
std::string build_text() {
  std::string build = CUZK_BUILD_TYPE;
#ifdef CUZK_PORTABLE
  build += ", portable";
#endif
  return build + ", g++ " + __VERSION__;
}
}  // namespace

std::string version_text() {
  return std::string("cuzk ") + CUZK_VERSION + " (" + build_text() +
         "); instruction sets: " + active_isa.describe();
}

Json version_json() {
  return {{"version", CUZK_VERSION}, {"build", build_text()}, {"instruction_sets", active_isa.describe()}};
}

}  // namespace cuzk::cli
