#include "base/buffer_pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <new>

#include "base/huge_pages.hpp"

namespace cuzk {

namespace {

constexpr std::align_val_t kAlignment{64};

// Below this the allocator does as well: it keeps small blocks anyway.
constexpr size_t kLeastMapped = size_t{1} << 20;

size_t round_up(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace

BufferPool::~BufferPool() {
  for (Buffer& buffer : idle_) munmap(buffer.data_, buffer.bytes_);
}

BufferPool::Buffer BufferPool::take(size_t bytes) {
  Buffer out;
  out.pool_ = this;
  const bool plain = !policy_.huge_pages && policy_.keep_bytes == 0;
  if (plain || bytes < kLeastMapped) {
    out.data_ = ::operator new(bytes, kAlignment);
    out.bytes_ = bytes;
    return out;
  }
  out.bytes_ = round_up(bytes, kHugePageBytes);
  out.mapped_ = true;
  {
    std::lock_guard lock(mutex_);
    // The smallest that fits, but none of twice the size: it is needed for what it is for.
    auto best = idle_.end();
    for (auto it = idle_.begin(); it != idle_.end(); ++it)
      if (it->bytes_ >= out.bytes_ && it->bytes_ < 2 * out.bytes_ &&
          (best == idle_.end() || it->bytes_ < best->bytes_))
        best = it;
    if (best != idle_.end()) {
      out.data_ = best->data_;
      out.bytes_ = best->bytes_;
      counts_.idle_bytes -= out.bytes_;
      ++counts_.reused;
      *best = std::move(idle_.back());
      idle_.pop_back();
      return out;
    }
    ++counts_.mapped;
  }
  void* place = mmap(nullptr, out.bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) {
    out.pool_ = nullptr;
    throw std::bad_alloc();
  }
  out.data_ = place;
  if (policy_.huge_pages) advise_huge_pages(place, out.bytes_);
  return out;
}

void BufferPool::give_back(Buffer& buffer) {
  if (!buffer.mapped_) {
    ::operator delete(buffer.data_, kAlignment);
    return;
  }
  {
    std::lock_guard lock(mutex_);
    if (counts_.idle_bytes + buffer.bytes_ <= policy_.keep_bytes) {
      counts_.idle_bytes += buffer.bytes_;
      buffer.pool_ = nullptr;
      idle_.push_back(std::move(buffer));
      return;
    }
    ++counts_.unmapped;
  }
  munmap(buffer.data_, buffer.bytes_);
}

BufferPool::Counts BufferPool::counts() const {
  std::lock_guard lock(mutex_);
  return counts_;
}

}  // namespace cuzk
