// Files for the tests of this module.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "formats/input_file.hpp"

// The build sets it; without it this header compiles by itself all the same.
#ifndef CUZK_SOURCE_DIR
#define CUZK_SOURCE_DIR "."
#endif

namespace cuzk::test {

using ByteVector = std::vector<uint8_t>;

inline std::string data_path(const std::string& name) {
  return std::string(CUZK_SOURCE_DIR "/tests/data/") + name;
}
// Beside the checkout; tests skip when it is absent.
inline std::string shared_path(const std::string& name) {
  return std::string(CUZK_SOURCE_DIR "/../shared/") + name;
}

inline ByteVector slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  EXPECT_TRUE(file.good()) << path;
  return ByteVector(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
}

inline ByteVector slurp_zst(const std::string& path) {
  const ByteVector packed = slurp(path);
  ByteVector out;
  ZSTD_DStream* stream = ZSTD_createDStream();
  ZSTD_inBuffer in{packed.data(), packed.size(), 0};
  ByteVector chunk(size_t{1} << 20);
  while (in.pos < in.size) {
    ZSTD_outBuffer to{chunk.data(), chunk.size(), 0};
    const size_t left = ZSTD_decompressStream(stream, &to, &in);
    EXPECT_FALSE(ZSTD_isError(left)) << path;
    if (ZSTD_isError(left)) break;
    out.insert(out.end(), chunk.begin(), chunk.begin() + static_cast<std::ptrdiff_t>(to.pos));
  }
  ZSTD_freeDStream(stream);
  return out;
}

// The bytes must outlive the file.
inline InputFilePtr as_file(const ByteVector& bytes, const std::string& name = "test file") {
  return InputFile::of_bytes(bytes, name);
}
inline InputFilePtr open_file(const std::string& path) {
  auto file = InputFile::open(path);
  EXPECT_TRUE(file) << (file ? "" : file.error().message);
  return file ? *file : nullptr;
}

// A folder that goes away with the test.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "cuzk-formats-XXXXXX").string();
    EXPECT_NE(mkdtemp(name.data()), nullptr);
    path_ = name;
  }
  ~ScratchFolder() { std::filesystem::remove_all(path_); }
  std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

inline void spill(const std::string& path, const ByteVector& bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

template <class T>
std::string message_of(const Result<T>& result) {
  return result ? "(no error)" : result.error().message;
}

// The result is an error of bad input whose message holds `part`.
#define EXPECT_REFUSED(expression, part)                                                                  \
  do {                                                                                                    \
    const auto refused_result = (expression);                                                             \
    EXPECT_FALSE(refused_result);                                                                         \
    if (!refused_result) {                                                                                \
      EXPECT_EQ(refused_result.error().code, ErrorCode::kInvalidInput) << refused_result.error().message; \
      EXPECT_NE(refused_result.error().message.find(part), std::string::npos)                             \
          << refused_result.error().message;                                                              \
    }                                                                                                     \
  } while (false)

}  // namespace cuzk::test
