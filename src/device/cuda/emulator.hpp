// Runs kernels on the CPU: the threads of a block are fibers of one thread, switched at barriers and
// exchanges; blocks run one after the other. For tests: it shows that a kernel computes the right thing
// whatever the order in which threads reach their barriers (ascending or descending, see set_descending), not
// how fast.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "base/result.hpp"

namespace cuzk::gpu::emulator {

struct Place {
  uint32_t thread, block, threads;
  void* dynamic_shared;
};

// The thread that runs now.
Place& current();

void block_sync();
uint32_t exchange_in_pair(uint32_t v);

// Runs body once for each thread of each block.
void run(size_t blocks, uint32_t threads, size_t shared_bytes, const std::function<void()>& body);

// Threads of a block run from the last to the first: a missing barrier gives another result than in the
// ascending order.
void set_descending(bool descending);

// Every allocation, copy, fill, launch and wait counts as a call. The call with this number fails; with
// `lost` every later one too, as on a card that an error has taken from the process.
struct Faults {
  size_t failing_call = SIZE_MAX;
  bool lost = false;
};
void set_faults(const Faults& faults);  // also sets the counts to 0
size_t calls();
size_t allocations();  // of device or pinned memory

// What the call called `name` gives: an error where it is one that fails.
Status call(const char* name);
bool answers();

}  // namespace cuzk::gpu::emulator
