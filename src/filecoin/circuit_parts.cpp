#include "filecoin/circuit_parts.hpp"

#include <map>
#include <mutex>

#include "base/huge_pages.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

struct PartSizes {
  WitnessPlace first, part;
};

// A circuit's sizes do not change, so they are counted once.
PartSizes sizes_of(const CircuitId& circuit, const std::function<void(ConstraintSystem&)>& first,
                   const std::function<void(ConstraintSystem&, size_t)>& part) {
  static std::mutex mutex;
  static std::map<std::string, PartSizes> counted;
  const std::lock_guard lock(mutex);
  const auto [entry, added] = counted.try_emplace(circuit.name());
  if (added) {
    CompactSystem count_first, count_part;
    first(count_first);
    part(count_part, 0);
    entry->second = {count_first.size(), count_part.size()};
  }
  return entry->second;
}

}  // namespace

CompactWitness write_in_parts(const CircuitId& circuit, size_t count,
                              const std::function<void(ConstraintSystem&)>& first,
                              const std::function<void(ConstraintSystem&, size_t)>& part,
                              Executor& executor) {
  const PartSizes sizes = sizes_of(circuit, first, part);
  const WitnessPlace begin{0, 1, 0};  // behind the constant one
  const WitnessPlace total = begin + sizes.first + sizes.part * count;

  CompactWitness out;
  resize_in_huge_pages(out.bits, (total.bits + 31) / 32, executor);
  out.bits[0] = 1;
  resize_in_huge_pages(out.wide, total.inputs + total.wide, executor);
  {
    CompactSystem cs(out, total.inputs, begin);
    first(cs);
    CUZK_CHECK(cs.size() == sizes.first);
  }
  executor.run(count, [&](size_t i) {
    CompactSystem cs(out, total.inputs, begin + sizes.first + sizes.part * i);
    part(cs, i);
    CUZK_CHECK(cs.size() == sizes.part);
  });
  return out;
}

}  // namespace cuzk
