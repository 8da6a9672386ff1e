#include "filecoin/circuit_parts.hpp"

#include <map>
#include <mutex>

#include "base/huge_pages.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

struct PartSize {
  WitnessPlace all;
  std::vector<WitnessPlace> later;  // of what it leaves for later, which `all` contains
};
struct PartSizes {
  PartSize first, part;
};

PartSize size_of(const CompactSystem& counter) {
  PartSize size{counter.size(), {}};
  for (const LaterPart& later : counter.later()) size.later.push_back(later.size);
  return size;
}

// A circuit's sizes do not change, so they are counted once.
const PartSizes& sizes_of(const CircuitId& circuit, const std::function<void(ConstraintSystem&)>& first,
                          const std::function<void(ConstraintSystem&, size_t)>& part) {
  static std::mutex mutex;
  static std::map<std::string, PartSizes> counted;  // entries stay where they are
  const std::lock_guard lock(mutex);
  const auto [entry, added] = counted.try_emplace(circuit.name());
  if (added) {
    CompactSystem count_first, count_part;
    first(count_first);
    part(count_part, 0);
    entry->second = {size_of(count_first), size_of(count_part)};
  }
  return entry->second;
}

// Runs a part that begins at `at`; returns what it leaves for later.
std::vector<LaterPart> write_part(CompactWitness& out, size_t num_inputs, const WitnessPlace& at,
                                  const PartSize& size, const std::function<void(ConstraintSystem&)>& part) {
  CompactSystem cs(out, num_inputs, at, size.later);
  part(cs);
  CUZK_CHECK(cs.size() == size.all && cs.later().size() == size.later.size());
  return cs.take_later();
}

}  // namespace

CompactWitness write_in_parts(const CircuitId& circuit, size_t count,
                              const std::function<void(ConstraintSystem&)>& first,
                              const std::function<void(ConstraintSystem&, size_t)>& part,
                              Executor& executor) {
  const PartSizes& sizes = sizes_of(circuit, first, part);
  const WitnessPlace begin{0, 1, 0};  // behind the constant one
  const WitnessPlace parts = begin + sizes.first.all, total = parts + sizes.part.all * count;

  CompactWitness out;
  resize_in_huge_pages(out.bits, (total.bits + 31) / 32, executor);
  out.bits[0] = 1;
  resize_in_huge_pages(out.wide, total.inputs + total.wide, executor);

  std::vector<LaterPart> of_first = write_part(out, total.inputs, begin, sizes.first, first);
  std::vector<std::vector<LaterPart>> of_parts(count);
  executor.run(count, [&](size_t i) {
    of_parts[i] = write_part(out, total.inputs, parts + sizes.part.all * i, sizes.part,
                             [&](ConstraintSystem& cs) { part(cs, i); });
  });

  // Those of one kind together: they take equally long, so that threads come to the end together.
  const size_t later_of_first = of_first.size(), later_of_part = sizes.part.later.size();
  executor.run(later_of_first + count * later_of_part, [&](size_t i) {
    const size_t of_part = i - later_of_first;
    const LaterPart& later = i < later_of_first ? of_first[i] : of_parts[of_part % count][of_part / count];
    CompactSystem cs(out, total.inputs, later.at);
    later.write(cs);
    CUZK_CHECK(cs.size() == later.size);
  });
  return out;
}

}  // namespace cuzk
