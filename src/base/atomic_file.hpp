// A file that appears under its name only when it is whole.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace cuzk {

// Writes to a temporary name in the same folder; commit() makes the bytes durable and renames. Without
// commit() the destructor removes the temporary file and the old file, if any, stays.
class AtomicFile {
 public:
  static Result<AtomicFile> create(const std::string& path);
  AtomicFile(AtomicFile&& other) noexcept;
  AtomicFile& operator=(AtomicFile&&) = delete;
  ~AtomicFile();

  // Appends. Errors: kIo, kResourceExhausted when the disk is full.
  Status write(Bytes bytes);
  Status write(std::string_view text) {
    return write(Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
  }
  // Overwrites bytes that were written before.
  Status write_at(uint64_t offset, Bytes bytes);
  uint64_t size_bytes() const { return flushed_ + buffer_.size(); }
  Status commit();

 private:
  AtomicFile() = default;
  Status flush();

  std::string path_, temporary_;
  int fd_ = -1;
  uint64_t flushed_ = 0;
  std::vector<uint8_t> buffer_;
};

// The whole file at once.
Status write_file(const std::string& path, Bytes bytes);
Status write_file(const std::string& path, std::string_view text);

}  // namespace cuzk
