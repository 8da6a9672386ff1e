// "cuzk 0.1.0 (Release, g++ 12.2.0); instruction sets: adx avx2"
#pragma once

#include <string>

#include "cli/console.hpp"

namespace cuzk::cli {

std::string version_text();
Json version_json();

}  // namespace cuzk::cli
