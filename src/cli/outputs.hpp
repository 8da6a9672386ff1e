// What a command may write to.
#pragma once

#include <string>
#include <vector>

#include "base/result.hpp"

namespace cuzk::cli {

// Refuses an output that is one of the inputs (also by another name of the same file) or another output.
// Empty paths are options that were not given.
Status check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

}  // namespace cuzk::cli
