#include "filecoin/circuit_parts.hpp"

#include <sys/mman.h>

#include <map>
#include <mutex>

#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

// A vector of `size` zeros in huge pages where the system has them: a tenth of the time of a PoRep's
// witness would go to page faults.
template <class T>
void resize_in_huge_pages(std::vector<T>& values, size_t size) {
  constexpr size_t kHugePage = size_t{2} << 20;
  values.reserve(size);
  const size_t begin = (reinterpret_cast<size_t>(values.data()) + kHugePage - 1) / kHugePage * kHugePage;
  const size_t end = reinterpret_cast<size_t>(values.data() + size) / kHugePage * kHugePage;
  // Advice: failure changes nothing.
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
  values.resize(size);
}

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
  resize_in_huge_pages(out.bits, (total.bits + 31) / 32);
  out.bits[0] = 1;
  resize_in_huge_pages(out.wide, total.inputs + total.wide);
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
