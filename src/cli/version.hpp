// "cuzk 0.1.0 (Release, g++ 12.2.0); instruction sets: adx avx2"
#pragma once

#include <string>

namespace cuzk::cli {

std::string version_text();

}  // namespace cuzk::cli
