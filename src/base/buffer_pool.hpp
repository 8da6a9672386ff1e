// Large buffers that are used again and again: where memory comes from, and whether it is kept for the next
// user or given back to the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace cuzk {

struct BufferPolicy {
  // Ask for transparent huge pages: fewer faults, fewer entries of the TLB.
  bool huge_pages = false;
  // Bytes of idle buffers kept for the next user, at most: nothing is unmapped while they suffice, which
  // spares every other CPU the interrupt that flushes its TLB. 0: each buffer is given back at once.
  size_t keep_bytes = 0;
};

// Outlives its buffers. Any thread.
class BufferPool {
 public:
  // Uninitialised memory, aligned to at least 64 bytes; returned to the pool by the destructor.
  class Buffer {
   public:
    Buffer() = default;
    Buffer(Buffer&& o) noexcept { swap(o); }
    Buffer& operator=(Buffer&& o) noexcept {
      Buffer gone(static_cast<Buffer&&>(o));
      swap(gone);
      return *this;
    }
    ~Buffer() {
      if (pool_ != nullptr) pool_->give_back(*this);
    }
    void* data() const { return data_; }

   private:
    friend class BufferPool;
    void swap(Buffer& o) {
      std::swap(pool_, o.pool_);
      std::swap(data_, o.data_);
      std::swap(bytes_, o.bytes_);
      std::swap(mapped_, o.mapped_);
    }
    BufferPool* pool_ = nullptr;
    void* data_ = nullptr;
    size_t bytes_ = 0;
    bool mapped_ = false;  // by mmap, not by the allocator
  };

  explicit BufferPool(const BufferPolicy& policy = {}) : policy_(policy) {}
  ~BufferPool();
  BufferPool(const BufferPool&) = delete;
  BufferPool& operator=(const BufferPool&) = delete;

  // Throws std::bad_alloc.
  Buffer take(size_t bytes);

  struct Counts {
    uint64_t mapped = 0, reused = 0, unmapped = 0;
    size_t idle_bytes = 0;
  };
  Counts counts() const;

 private:
  void give_back(Buffer& buffer);

  const BufferPolicy policy_;
  mutable std::mutex mutex_;
  Counts counts_;
  std::vector<Buffer> idle_;  // without their pool: they do not come back by themselves
};

}  // namespace cuzk
