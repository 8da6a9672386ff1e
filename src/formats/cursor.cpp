#include "formats/cursor.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace cuzk {

Result<Bytes> Cursor::take(size_t count, const char* what) {
  CUZK_CHECK(count <= kMostBytes);
  if (count > remaining()) {
    return error("ends after " + std::to_string(remaining()) + " more bytes, but " + what + " needs " +
                 std::to_string(count) + ": the file is truncated or damaged");
  }
  if (position_ < buffer_begin_ || position_ + count > buffer_begin_ + buffer_.size()) {
    buffer_begin_ = position_;
    buffer_.resize(static_cast<size_t>(std::min<uint64_t>(remaining(), kMostBytes)));
    CUZK_TRY(file_->read(position_, buffer_));
  }
  const Bytes bytes(buffer_.data() + (position_ - buffer_begin_), count);
  position_ += count;
  return bytes;
}

Result<uint32_t> Cursor::le32(const char* what) {
  CUZK_ASSIGN(const Bytes bytes, take(4, what));
  return load_le32(bytes.data());
}
Result<uint64_t> Cursor::le64(const char* what) {
  CUZK_ASSIGN(const Bytes bytes, take(8, what));
  return load_le64(bytes.data());
}
Result<uint32_t> Cursor::be32(const char* what) {
  CUZK_ASSIGN(const Bytes bytes, take(4, what));
  return load_be32(bytes.data());
}

Status Cursor::expect_end() const {
  if (remaining() == 0) return {};
  return error(std::to_string(remaining()) + " bytes too many");
}

tl::unexpected<Error> Cursor::error_at(uint64_t offset, const std::string& message) const {
  return invalid(file_->name() + ": " + place_ + ", offset " + std::to_string(offset) + ": " + message);
}

}  // namespace cuzk
