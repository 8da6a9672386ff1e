#include "base/mapped_file.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace cuzk {

namespace {
int64_t modified_ns(const struct stat& s) {
  return s.st_mtim.tv_sec * 1'000'000'000 + s.st_mtim.tv_nsec;
}

tl::unexpected<Error> io_error(const std::string& path, const char* what) {
  int e = errno;
  ErrorCode code = e == ENOENT   ? ErrorCode::kNotFound
                   : e == ENOMEM ? ErrorCode::kResourceExhausted
                                 : ErrorCode::kIo;
  return fail(code, path + ": cannot " + what + ": " + std::strerror(e));
}
}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path) {
  MappedFile file;
  file.path_ = path;
  // O_NONBLOCK: opening a named pipe must not wait for a writer.
  file.fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file.fd_ < 0) return io_error(path, "open");
  struct stat s;
  if (fstat(file.fd_, &s) != 0) return io_error(path, "stat");
  if (!S_ISREG(s.st_mode)) return fail(ErrorCode::kInvalidInput, path + ": not a regular file");
  file.size_ = static_cast<size_t>(s.st_size);
  file.modified_ns_ = modified_ns(s);
  if (file.size_ > 0) {
    void* p = mmap(nullptr, file.size_, PROT_READ, MAP_SHARED, file.fd_, 0);
    if (p == MAP_FAILED) return io_error(path, "map");
    file.data_ = static_cast<const uint8_t*>(p);
  }
  return file;
}

bool MappedFile::changed() const {
  struct stat s;
  return fstat(fd_, &s) != 0 || static_cast<size_t>(s.st_size) != size_ || modified_ns(s) != modified_ns_;
}

MappedFile::MappedFile(MappedFile&& other) noexcept {
  *this = std::move(other);
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  if (this == &other) return *this;
  reset();
  path_ = std::move(other.path_);
  data_ = std::exchange(other.data_, nullptr);
  size_ = std::exchange(other.size_, 0);
  fd_ = std::exchange(other.fd_, -1);
  modified_ns_ = other.modified_ns_;
  return *this;
}

MappedFile::~MappedFile() {
  reset();
}

void MappedFile::reset() {
  if (data_ != nullptr) munmap(const_cast<uint8_t*>(data_), size_);
  if (fd_ >= 0) ::close(fd_);
  data_ = nullptr;
  fd_ = -1;
}

}  // namespace cuzk
