// Bytes of a file, read on demand. Not a mapping on purpose: if somebody overwrites or shortens a mapped
// file, the process dies of SIGBUS; a read comes back short and is an error that names the file
// (docs/formats/README.md).
#pragma once

#include <memory>
#include <string>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace cuzk {

// What tells, without reading it, that a file is still the one it was.
struct FileIdentity {
  uint64_t size = 0;
  int64_t modified_ns = 0;
  uint64_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

class InputFile {
 public:
  // Errors: kNotFound, kIo, kInvalidInput when it is not a regular file.
  static Result<std::shared_ptr<const InputFile>> open(const std::string& path);
  // Bytes in memory, which must stay alive; for tests and fuzzers.
  static std::shared_ptr<const InputFile> of_bytes(Bytes bytes, std::string name);

  ~InputFile();
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  // As it was when the file was opened.
  uint64_t size() const { return size_; }
  // Path, for messages.
  const std::string& name() const { return name_; }
  FileIdentity identity() const { return {size_, modified_ns_, inode_}; }

  // Fills `out` from `offset`. Errors: kIo (also when the file became shorter). Threads: any number at the
  // same time.
  Status read(uint64_t offset, MutableBytes out) const;

  // An error if size or modification time are no longer those seen at open(). To be asked after the last
  // read.
  Status check_unchanged() const;

 private:
  InputFile() = default;

  std::string name_;
  uint64_t size_ = 0;
  int fd_ = -1;
  int64_t modified_ns_ = 0;
  uint64_t inode_ = 0;
  Bytes memory_;
};

using InputFilePtr = std::shared_ptr<const InputFile>;

}  // namespace cuzk
