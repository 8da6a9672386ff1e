// A file mapped read-only.
#pragma once

#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace cuzk {

class MappedFile {
 public:
  // Errors: kNotFound, kIo (a directory, no permission). An empty file maps to an empty span.
  // The file must not shrink while it is mapped: `changed()` tells whether it did.
  static Result<MappedFile> open(const std::string& path);

  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  Bytes bytes() const { return {data_, size_}; }
  const std::string& path() const { return path_; }

  // True when size or modification time are no longer those seen at open().
  bool changed() const;

 private:
  MappedFile() = default;
  void reset();

  std::string path_;
  const uint8_t* data_ = nullptr;
  size_t size_ = 0;
  int fd_ = -1;
  int64_t modified_ns_ = 0;
};

}  // namespace cuzk
