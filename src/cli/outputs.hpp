// What a command may write to.
#pragma once

#include <initializer_list>
#include <string>

#include "base/result.hpp"

namespace cuzk::cli {

// Refuses an output that is one of the inputs (also by another name of the same file) or another output.
// Empty paths are options that were not given.
Status check_outputs(std::initializer_list<std::string> outputs, std::initializer_list<std::string> inputs);

}  // namespace cuzk::cli
