// Where the published vectors lie: beside the checkout, not in it.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace cuzk {

inline std::filesystem::path data_path(const std::string& relative) {
  return std::filesystem::path(CUZK_SOURCE_DIR) / ".." / "shared" / "data" / relative;
}

inline std::vector<uint8_t> read_bytes(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
  std::ifstream file(path);
  return nlohmann::json::parse(file);
}

}  // namespace cuzk

#define CUZK_REQUIRE_DATA(path) \
  if (!std::filesystem::exists(path)) GTEST_SKIP() << "published vectors absent: " << (path)
