#include "base/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

namespace cuzk {

namespace {
constexpr size_t kBufferBytes = size_t{1} << 20;

tl::unexpected<Error> io_error(const std::string& path, const char* what) {
  int e = errno;
  bool full = e == ENOSPC || e == EDQUOT || e == EFBIG || e == ENOMEM || e == EMFILE || e == ENFILE;
  return fail(full ? ErrorCode::kResourceExhausted : ErrorCode::kIo,
              path + ": cannot " + what + ": " + std::strerror(e));
}

// What a path names, at most as many links followed as the kernel follows. The last one may name nothing yet.
Result<std::string> find_target(const std::string& path, AtomicFile::Links policy) {
  if (path.empty()) return invalid("the name of a file to write is empty");
  std::filesystem::path target = path;
  for (int links = 0; links < 40; ++links) {
    struct stat s;
    if (lstat(target.c_str(), &s) != 0) {
      if (errno != ENOENT) return io_error(path, "create");
      return target.string();
    }
    if (S_ISREG(s.st_mode)) return target.string();
    if (S_ISLNK(s.st_mode) && policy == AtomicFile::Links::kReplaced) return target.string();
    if (!S_ISLNK(s.st_mode)) {
      return invalid(path + ": is " + (S_ISDIR(s.st_mode) ? "a folder" : "not a regular file") +
                     ", which a result cannot replace: give the name of a file");
    }
    std::error_code error;
    const auto next = std::filesystem::read_symlink(target, error);
    if (error) return fail(ErrorCode::kIo, path + ": cannot follow the link: " + error.message());
    target = target.parent_path() / next;
  }
  return invalid(path + ": a link that leads to itself");
}

// -1 where files without a name, or the way to name them, are not to be had.
int open_unnamed(const std::string& target) {
  std::string folder = std::filesystem::path(target).parent_path().string();
  if (folder.empty()) folder = ".";
  if (access("/proc/self/fd", X_OK) != 0) return -1;
  return ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
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

Result<AtomicFile> AtomicFile::create(const std::string& path, Temporary temporary, Links links) {
  AtomicFile file;
  file.path_ = path;
  CUZK_ASSIGN(file.target_, find_target(path, links));
  if (temporary == Temporary::kUnnamedIfPossible) file.fd_ = open_unnamed(file.target_);
  if (file.fd_ < 0) {
    // A name of our own that no other process chose: two writers of one file never share a temporary.
    std::string name = file.target_ + ".XXXXXX.part";
    file.fd_ = mkostemps(name.data(), 5, O_CLOEXEC);
    if (file.fd_ < 0) return io_error(path, "create");
    file.temporary_ = std::move(name);
    mode_t mask = umask(0);
    umask(mask);
    if (fchmod(file.fd_, 0666 & ~mask) != 0) return io_error(path, "set the mode of");
  }
  file.buffer_.reserve(kBufferBytes);
  return file;
}

AtomicFile::AtomicFile(AtomicFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
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

Status AtomicFile::sync() {
  CUZK_TRY(flush());
  if (fsync(fd_) != 0) return io_error(path_, "sync");
  return {};
}

// Only a file with a name can take the place of another.
Status AtomicFile::name_temporary() {
  const std::string open_file = "/proc/self/fd/" + std::to_string(fd_);
  for (int attempt = 0;; ++attempt) {
    // Processes differ in their number, files of one process in their descriptor.
    std::string name = target_ + "." + std::to_string(getpid()) + "-" + std::to_string(fd_) + "-" +
                       std::to_string(attempt) + ".part";
    if (linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0) {
      temporary_ = std::move(name);
      return {};
    }
    if (errno != EEXIST || attempt == 1000) return io_error(path_, "create");
  }
}

Status AtomicFile::commit() {
  CUZK_TRY(sync());
  if (temporary_.empty()) CUZK_TRY(name_temporary());
  if (::close(std::exchange(fd_, -1)) != 0) return io_error(path_, "close");
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return io_error(path_, "rename to");
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
