// The fast witness pass: writes a compact witness as the circuit runs; no constraints, no variables.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "base/inline_vector.hpp"
#include "r1cs/constraint_system.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// A place in a compact witness, or how much a part of a circuit writes. Wide auxiliaries are counted apart
// from inputs, which come before them.
struct WitnessPlace {
  size_t inputs = 0, bits = 0, wide = 0;

  WitnessPlace operator+(const WitnessPlace& o) const {
    return {inputs + o.inputs, bits + o.bits, wide + o.wide};
  }
  WitnessPlace operator*(size_t n) const { return {n * inputs, n * bits, n * wide}; }
  bool operator==(const WitnessPlace&) const = default;
};

class CompactSystem;

// A part of a circuit that is written after what surrounds it. What `write` refers to must live as long.
struct LaterPart {
  WitnessPlace at, size;
  std::function<void(CompactSystem&)> write;
};

// Runs one part of a circuit. Parts of one witness may be written at the same time: what comes before a part
// is known from a pass that counts.
class CompactSystem final : public ConstraintSystem {
 public:
  // Counts and writes nothing; values mean nothing.
  CompactSystem() : ConstraintSystem(false, this) {}

  // Writes from `at` on, in a witness that has its final size, whose bits are zero, and of whose wide values
  // the first num_inputs are the inputs (without the constant one). The witness must outlive this.
  // `later`: sizes of what the circuit leaves for later, as a pass that counts found them; without them
  // nothing is left.
  CompactSystem(CompactWitness& out, size_t num_inputs, const WitnessPlace& at,
                std::span<const WitnessPlace> later = {})
      : ConstraintSystem(true, this),
        at_(at),
        start_(at),
        inputs_(out.wide.data()),
        wide_(out.wide.data() + num_inputs),
        words_(out.bits.data()),
        num_inputs_(num_inputs),
        out_(&out),
        later_sizes_(later) {
    later_.reserve(later.size());
    seek(at.bits);
  }
  // Writes to the same witness as `whole`, which does not count, from `at` on.
  CompactSystem(const CompactSystem& whole, const WitnessPlace& at)
      : CompactSystem(*whole.out_, whole.num_inputs_, at) {}
  ~CompactSystem() override { flush(); }

  Variable alloc(const Name&, const Fr& value) override {
    if (Fr* out = append_wide(1)) *out = value;
    return kOne;
  }
  Variable alloc_bit(const Name&, bool value) override {
    append_bits(value ? 1 : 0, 1);
    return kOne;
  }
  Variable alloc_input(const Name&, const Fr& value) override {
    if (inputs_ != nullptr) inputs_[at_.inputs] = value;
    ++at_.inputs;
    return kOne;
  }
  void enforce(const Name&, LinearTerms, LinearTerms, LinearTerms) override {}

  // The next `count` (up to 64) bit variables, first one in the lowest bit; bits above `count` are zero.
  void append_bits(uint64_t bits, size_t count) {
    at_.bits += count;
    if (words_ == nullptr) return;
    pending_ |= static_cast<unsigned __int128>(bits) << pending_count_;
    for (pending_count_ += count; pending_count_ >= 32; pending_count_ -= 32, pending_ >>= 32, ++word_) {
      if (word_ == first_word_)
        share(word_, static_cast<uint32_t>(pending_));
      else
        words_[word_] = static_cast<uint32_t>(pending_);
    }
  }
  // Space for the next `count` wide variables; nothing in a pass that counts.
  Fr* append_wide(size_t count) {
    at_.wide += count;
    return wide_ == nullptr ? nullptr : wide_ + (at_.wide - count);
  }

  bool counts() const { return out_ == nullptr; }

  // Leaves the next values to other systems and goes on behind them.
  WitnessPlace skip(const WitnessPlace& size) {
    flush();
    const WitnessPlace from = at_;
    at_ = at_ + size;
    seek(at_.bits);
    return from;
  }

  // Leaves a part of the circuit, on whose values nothing else depends, for later. It gets a system of its
  // own, on any thread, and leaves nothing again.
  void leave(std::function<void(CompactSystem&)> write) {
    if (counts()) {
      CompactSystem counter;
      write(counter);
      skip(counter.size());
      later_.push_back({{}, counter.size(), {}});
    } else if (later_sizes_.empty()) {
      write(*this);
    } else {
      CUZK_CHECK(later_.size() < later_sizes_.size());
      const WitnessPlace& size = later_sizes_[later_.size()];
      later_.push_back({skip(size), size, std::move(write)});
    }
  }
  // What was left. In a pass that counts, sizes alone.
  const std::vector<LaterPart>& later() const { return later_; }
  std::vector<LaterPart> take_later() { return std::move(later_); }

  // How much was written or left.
  WitnessPlace size() const {
    return {at_.inputs - start_.inputs, at_.bits - start_.bits, at_.wide - start_.wide};
  }

 private:
  // Words at both ends may hold bits of neighbours.
  void share(size_t word, uint32_t bits) {
    std::atomic_ref<uint32_t>(words_[word]).fetch_or(bits, std::memory_order_relaxed);
  }

  void flush() {
    if (words_ != nullptr && pending_count_ > 0) share(word_, static_cast<uint32_t>(pending_));
    pending_ = 0;
    pending_count_ = 0;
  }
  void seek(size_t bit) {
    first_word_ = word_ = bit / 32;
    pending_count_ = bit % 32;
  }

  WitnessPlace at_, start_;
  Fr* inputs_ = nullptr;
  Fr* wide_ = nullptr;
  uint32_t* words_ = nullptr;
  size_t first_word_ = 0, word_ = 0;
  unsigned __int128 pending_ = 0;
  size_t pending_count_ = 0;
  size_t num_inputs_ = 0;
  CompactWitness* out_ = nullptr;
  std::span<const WitnessPlace> later_sizes_;
  std::vector<LaterPart> later_;
};

// Runs part of a circuit on whose values nothing else depends: at once, or later where a compact witness is
// written. `run` takes a ConstraintSystem& and must not refer to what dies with the caller.
template <class Run>
void run_apart(ConstraintSystem& cs, Run&& run) {
  if (CompactSystem* compact = cs.compact())
    compact->leave(std::forward<Run>(run));
  else
    run(cs);
}

// How many hashes are worth computing together: whole vectors of every kernel.
inline constexpr size_t kSideBySide = 8;
template <class T>
using SideBySide = InlineVector<T, kSideBySide>;

// Runs up to kSideBySide parts of equal form of a system, so that their hashes can be computed together:
// run(systems) runs part i on systems[i], and is called with fewer systems than parts to count.
template <class Run>
void run_side_by_side(CompactSystem& cs, size_t count, Run&& run) {
  CUZK_CHECK(count <= kSideBySide);
  CompactSystem counter;
  CompactSystem* const one[] = {&counter};
  run(std::span<CompactSystem* const>(one));
  const WitnessPlace size = counter.size(), from = cs.skip(size * count);
  if (cs.counts()) return;
  std::array<std::optional<CompactSystem>, kSideBySide> parts;
  SideBySide<CompactSystem*> systems;
  for (size_t i = 0; i < count; ++i) systems.push_back(&parts[i].emplace(cs, from + size * i));
  run(std::span<CompactSystem* const>(systems));
  for (const CompactSystem* part : systems) CUZK_CHECK(part->size() == size);
}

// Leaves parts of equal form, one for each item, for later, as many together as are computed together:
// run(systems, items) as run_side_by_side() calls it. Items must live as long as what is left.
template <class Item, class Run>
void leave_side_by_side(CompactSystem& compact, std::span<const Item> items, const Run& run) {
  for (size_t i = 0; i < items.size(); i += kSideBySide) {
    const auto some = items.subspan(i, std::min(kSideBySide, items.size() - i));
    compact.leave([some, run](CompactSystem& cs) {
      run_side_by_side(cs, some.size(), [&](std::span<CompactSystem* const> systems) { run(systems, some); });
    });
  }
}

}  // namespace cuzk
