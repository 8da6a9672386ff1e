// Sequential reading of a part of a file, with errors that name the place.
#pragma once

#include <string>
#include <vector>

#include "formats/input_file.hpp"

namespace cuzk {

class Cursor {
 public:
  // Reads [begin, end) of the file, which lies within it. place: what messages call this part ("section 2
  // (constraints)").
  Cursor(InputFilePtr file, uint64_t begin, uint64_t end, std::string place)
      : file_(std::move(file)), place_(std::move(place)), position_(begin), end_(end) {}

  // Where the next byte is in the file.
  uint64_t offset() const { return position_; }
  uint64_t remaining() const { return end_ - position_; }
  const std::string& place() const { return place_; }

  // The next `count` bytes, at most kMostBytes; good until the next call. what: what they are, for messages.
  // Errors: kInvalidInput when the part ends before.
  static constexpr size_t kMostBytes = size_t{1} << 20;
  Result<Bytes> take(size_t count, const char* what);
  Result<uint32_t> le32(const char* what);
  Result<uint64_t> le64(const char* what);
  Result<uint32_t> be32(const char* what);

  // kInvalidInput if something is left.
  Status expect_end() const;

  // "FILE: PLACE, offset N: message".
  tl::unexpected<Error> error(const std::string& message) const { return error_at(position_, message); }
  tl::unexpected<Error> error_at(uint64_t offset, const std::string& message) const;

 private:
  InputFilePtr file_;
  std::string place_;
  uint64_t position_, end_;
  std::vector<uint8_t> buffer_;
  uint64_t buffer_begin_ = 0;
};

}  // namespace cuzk
