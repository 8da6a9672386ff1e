#include "cli/outputs.hpp"

#include <filesystem>

namespace cuzk::cli {
namespace {

namespace fs = std::filesystem;

bool same_file(const std::string& a, const std::string& b) {
  if (a == b) return true;
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  // Neither exists yet.
  const fs::path x = fs::weakly_canonical(a, error), y = fs::weakly_canonical(b, error);
  return !error && x == y;
}

}  // namespace

Status check_outputs(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    if (output->empty()) continue;
    for (const std::string& input : inputs) {
      if (!input.empty() && same_file(*output, input))
        return invalid(*output + ": is an input as well as the output: give the output another name");
    }
    for (auto other = outputs.begin(); other != output; ++other) {
      if (!other->empty() && same_file(*output, *other))
        return invalid(*output + ": two outputs under one name: give each its own");
    }
  }
  return {};
}

}  // namespace cuzk::cli
