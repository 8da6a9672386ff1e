#include "device/cuda/emulator.hpp"

#include <memory>
#include <vector>

#include "base/check.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace cuzk::gpu::emulator {

namespace {

constexpr size_t kStackBytes = size_t{256} << 10;

// Saves the callee-saved registers and the stack pointer, and continues where `to` was saved.
extern "C" void cuzk_switch_fiber(void** from, void* to);
asm(R"(
.text
.globl cuzk_switch_fiber
.type cuzk_switch_fiber,@function
cuzk_switch_fiber:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size cuzk_switch_fiber,.-cuzk_switch_fiber
)");

enum class Wait { kNothing, kBlock, kPair };

struct Fiber {
  std::unique_ptr<char[]> stack;
  void* saved = nullptr;
  bool done = false;
  Wait wait = Wait::kNothing;
  uint32_t offered = 0;   // to the other lane of the pair
  uint32_t received = 0;  // from it, where it came second
};

struct Machine {
  std::vector<Fiber> fibers;
  Place place{};
  uint32_t running = 0;
  void* scheduler = nullptr;
  const void* scheduler_stack = nullptr;
  size_t scheduler_stack_bytes = 0;
  const std::function<void()>* body = nullptr;
  bool descending = false;
};

Machine& machine() {
  static thread_local Machine m;
  return m;
}

// Back to the scheduler until it resumes this fiber.
void yield() {
  Machine& m = machine();
  Fiber& self = m.fibers[m.running];
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(self.done ? nullptr : &fake, m.scheduler_stack, m.scheduler_stack_bytes);
#endif
  cuzk_switch_fiber(&self.saved, m.scheduler);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, &m.scheduler_stack, &m.scheduler_stack_bytes);
#endif
}

void fiber_main() {
  Machine& m = machine();
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &m.scheduler_stack, &m.scheduler_stack_bytes);
#endif
  (*m.body)();
  m.fibers[m.running].done = true;
  yield();
  CUZK_CHECK(false);
}

void prepare(Fiber& fiber) {
  if (!fiber.stack) fiber.stack.reset(new char[kStackBytes]);
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(fiber.stack.get(), kStackBytes);  // the last fiber here never left its frames
#endif
  auto top = reinterpret_cast<uintptr_t>(fiber.stack.get() + kStackBytes) & ~uintptr_t{15};
  auto* words = reinterpret_cast<void**>(top);
  *--words = nullptr;  // keeps the stack aligned as after a call
  *--words = reinterpret_cast<void*>(&fiber_main);
  for (int i = 0; i < 6; ++i) *--words = nullptr;
  fiber.saved = words;
  fiber.done = false;
  fiber.wait = Wait::kNothing;
}

void resume(Machine& m, uint32_t index) {
  m.running = index;
  m.place.thread = index;
  Fiber& fiber = m.fibers[index];
#if defined(__SANITIZE_ADDRESS__)
  void* fake = nullptr;
  __sanitizer_start_switch_fiber(&fake, fiber.stack.get(), kStackBytes);
#endif
  cuzk_switch_fiber(&m.scheduler, fiber.saved);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
}

// Runs every fiber that can run once; false when all are done.
bool step(Machine& m, uint32_t threads) {
  bool alive = false, moved = false, all_at_barrier = true;
  for (uint32_t k = 0; k < threads; ++k) {
    uint32_t i = m.descending ? threads - 1 - k : k;
    Fiber& fiber = m.fibers[i];
    // A waiting pair goes on when both lanes wait; one lane has then been marked kNothing by the other.
    if (fiber.wait == Wait::kNothing && !fiber.done) {
      resume(m, i);
      moved = true;
    }
    if (!fiber.done) {
      alive = true;
      all_at_barrier = all_at_barrier && fiber.wait == Wait::kBlock;
    }
  }
  if (alive && all_at_barrier) {
    for (uint32_t i = 0; i < threads; ++i) m.fibers[i].wait = Wait::kNothing;
    return true;
  }
  CUZK_CHECK(!alive || moved);  // else: a barrier or exchange that not all threads reach
  return alive;
}

}  // namespace

Place& current() {
  return machine().place;
}

void set_descending(bool descending) {
  machine().descending = descending;
}

void block_sync() {
  Machine& m = machine();
  m.fibers[m.running].wait = Wait::kBlock;
  yield();
}

uint32_t exchange_in_pair(uint32_t v) {
  Machine& m = machine();
  uint32_t self = m.running, other = self ^ 1;
  CUZK_CHECK(other < m.place.threads && !m.fibers[other].done);
  m.fibers[self].offered = v;
  if (m.fibers[other].wait == Wait::kPair) {  // it came first: take its value and let it go on
    m.fibers[other].wait = Wait::kNothing;
    m.fibers[other].received = v;
    return m.fibers[other].offered;
  }
  m.fibers[self].wait = Wait::kPair;
  yield();
  return m.fibers[self].received;
}

void run(size_t blocks, uint32_t threads, size_t shared_bytes, const std::function<void()>& body) {
  Machine& m = machine();
  if (m.fibers.size() < threads) m.fibers.resize(threads);
  std::vector<uint64_t> shared((shared_bytes + 7) / 8 + 2);
  auto base = (reinterpret_cast<uintptr_t>(shared.data()) + 15) & ~uintptr_t{15};
  m.body = &body;
  for (size_t block = 0; block < blocks; ++block) {
    m.place = {0, static_cast<uint32_t>(block), threads, reinterpret_cast<void*>(base)};
    for (uint32_t i = 0; i < threads; ++i) prepare(m.fibers[i]);
    while (step(m, threads)) {
    }
  }
}

}  // namespace cuzk::gpu::emulator
