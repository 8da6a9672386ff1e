// A file that appears under its name only when it is whole.
#pragma once

#include <string>
#include <vector>

#include "base/bytes.hpp"
#include "base/result.hpp"

namespace cuzk {

// Writes to a temporary file in the same folder; commit() makes the bytes durable and gives it its name.
// Without commit() the temporary file goes away and the old file, if any, stays.
class AtomicFile {
 public:
  // The temporary file has no name until commit() where the file system can do that, so that nothing of it is
  // left whatever ends the process.
  enum class Temporary : uint8_t { kUnnamedIfPossible, kNamed };
  // Of a name that is a symbolic link. kFollowed: the file that it names is replaced, as the user who gave
  // the name means it. kReplaced: the link is, for names that the program chose: whoever can write the folder
  // must not choose with a link which file goes.
  enum class Links : uint8_t { kFollowed, kReplaced };

  // Errors: kInvalidInput when the path names something that is not a regular file (a folder, a device, a
  // pipe: they are never replaced), kIo, kResourceExhausted.
  static Result<AtomicFile> create(const std::string& path,
                                   Temporary temporary = Temporary::kUnnamedIfPossible,
                                   Links links = Links::kFollowed);
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
  // Makes the bytes durable, still without the name: what can fail for lack of space fails here. Several
  // files that belong together are all synced before the first is committed.
  Status sync();
  Status commit();

 private:
  AtomicFile() = default;
  Status flush();
  Status name_temporary();

  std::string path_;       // as given, for messages
  std::string target_;     // what path_ names
  std::string temporary_;  // empty while the file has no name
  int fd_ = -1;
  uint64_t flushed_ = 0;
  std::vector<uint8_t> buffer_;
};

// The whole file at once.
Status write_file(const std::string& path, Bytes bytes);
Status write_file(const std::string& path, std::string_view text);

}  // namespace cuzk
