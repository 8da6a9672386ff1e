#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace cuzk {

namespace {
constexpr size_t kBufferBytes = size_t{1} << 20;

tl::unexpected<Error> io_error(const std::string& path, const char* what) {
  int e = errno;
  bool full = e == ENOSPC || e == EDQUOT || e == EFBIG || e == ENOMEM;
  return fail(full ? ErrorCode::kResourceExhausted : ErrorCode::kIo,
              path + ": cannot " + what + ": " + std::strerror(e));
}

Status write_all(int fd, const std::string& path, Bytes bytes, uint64_t offset) {
  while (!bytes.empty()) {
    ssize_t n = pwrite(fd, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return io_error(path, "write");
    bytes = bytes.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return {};
}
}  // namespace

Result<AtomicFile> AtomicFile::create(const std::string& path) {
  AtomicFile file;
  file.path_ = path;
  // A name of our own that no other process chose: two writers of one file never share a temporary.
  std::string name = path + ".XXXXXX.part";
  file.fd_ = mkostemps(name.data(), 5, O_CLOEXEC);
  if (file.fd_ < 0) return io_error(path, "create");
  mode_t mask = umask(0);
  umask(mask);
  file.temporary_ = std::move(name);
  if (fchmod(file.fd_, 0666 & ~mask) != 0) return io_error(path, "set the mode of");
  file.buffer_.reserve(kBufferBytes);
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)),
      flushed_(other.flushed_),
      buffer_(std::move(other.buffer_)) {}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status AtomicFile::flush() {
  CUZK_TRY(write_all(fd_, path_, buffer_, flushed_));
  flushed_ += buffer_.size();
  buffer_.clear();
  return {};
}

Status AtomicFile::write(Bytes bytes) {
  if (buffer_.size() + bytes.size() > kBufferBytes) CUZK_TRY(flush());
  if (bytes.size() > kBufferBytes) {
    CUZK_TRY(write_all(fd_, path_, bytes, flushed_));
    flushed_ += bytes.size();
    return {};
  }
  buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
  return {};
}

Status AtomicFile::write_at(uint64_t offset, Bytes bytes) {
  CUZK_TRY(flush());
  return write_all(fd_, path_, bytes, offset);
}

Status AtomicFile::commit() {
  CUZK_TRY(flush());
  if (fsync(fd_) != 0) return io_error(path_, "sync");
  if (::close(std::exchange(fd_, -1)) != 0) return io_error(path_, "close");
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return io_error(path_, "rename to");
  temporary_.clear();
  return {};
}

Status write_file(const std::string& path, Bytes bytes) {
  CUZK_ASSIGN(auto file, AtomicFile::create(path));
  CUZK_TRY(file.write(bytes));
  return file.commit();
}

Status write_file(const std::string& path, std::string_view text) {
  return write_file(path, Bytes(reinterpret_cast<const uint8_t*>(text.data()), text.size()));
}

}  // namespace cuzk
