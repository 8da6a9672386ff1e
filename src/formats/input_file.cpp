#include "formats/input_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace cuzk {
namespace {

int64_t modified_ns(const struct stat& s) {
  return s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec;
}

tl::unexpected<Error> io_error(const std::string& name, const char* what) {
  const int e = errno;
  const bool none_left = e == EMFILE || e == ENFILE || e == ENOMEM;
  return fail(e == ENOENT ? ErrorCode::kNotFound
              : none_left ? ErrorCode::kResourceExhausted
                          : ErrorCode::kIo,
              name + ": cannot " + what + ": " + std::strerror(e));
}

tl::unexpected<Error> shrunk(const std::string& name, uint64_t offset) {
  return fail(ErrorCode::kIo, name + ": the file ends at or before offset " + std::to_string(offset) +
                                  ", it was longer when it was opened: do not overwrite a file in use");
}

}  // namespace

Result<InputFilePtr> InputFile::open(const std::string& path) {
  if (path.empty()) return invalid("the name of a file to read is empty");
  std::shared_ptr<InputFile> file(new InputFile);
  file->name_ = path;
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  file->fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file->fd_ < 0) return io_error(path, "open");
  struct stat s;
  if (fstat(file->fd_, &s) != 0) return io_error(path, "stat");
  if (!S_ISREG(s.st_mode))
    return invalid(
        path +
        ": not a regular file (a folder, a pipe or a device): its parts are not read in order, save "
        "it as a file");
  file->size_ = static_cast<uint64_t>(s.st_size);
  file->modified_ns_ = modified_ns(s);
  file->inode_ = s.st_ino;
  return InputFilePtr(std::move(file));
}

InputFilePtr InputFile::of_bytes(Bytes bytes, std::string name) {
  std::shared_ptr<InputFile> file(new InputFile);
  file->name_ = std::move(name);
  file->size_ = bytes.size();
  file->memory_ = bytes;
  return file;
}

InputFile::~InputFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status InputFile::read(uint64_t offset, MutableBytes out) const {
  if (offset > size_ || out.size() > size_ - offset) return shrunk(name_, size_);
  if (fd_ < 0) {
    std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(offset), out.size(), out.begin());
    return {};
  }
  while (!out.empty()) {
    const ssize_t n = pread(fd_, out.data(), out.size(), static_cast<off_t>(offset));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return io_error(name_, "read");
    if (n == 0) return shrunk(name_, offset);
    out = out.subspan(static_cast<size_t>(n));
    offset += static_cast<uint64_t>(n);
  }
  return {};
}

Status InputFile::check_unchanged() const {
  if (fd_ < 0) return {};
  struct stat s;
  if (fstat(fd_, &s) != 0) return io_error(name_, "stat");
  if (static_cast<uint64_t>(s.st_size) == size_ && modified_ns(s) == modified_ns_) return {};
  return fail(ErrorCode::kIo, name_ + ": the file changed while it was in use (" + std::to_string(size_) +
                                  " bytes when opened, " + std::to_string(s.st_size) + " now)");
}

}  // namespace cuzk
