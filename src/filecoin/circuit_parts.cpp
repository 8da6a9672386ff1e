#include "filecoin/circuit_parts.hpp"

#include "r1cs/compact_system.hpp"

namespace cuzk {

CompactWitness write_in_parts(size_t count, const std::function<void(ConstraintSystem&)>& first,
                              const std::function<void(ConstraintSystem&, size_t)>& part,
                              Executor& executor) {
  CompactSystem count_first, count_part;
  first(count_first);
  part(count_part, 0);
  const WitnessPlace one_first = count_first.size(), one_part = count_part.size();
  const WitnessPlace begin{0, 1, 0};  // behind the constant one
  const WitnessPlace total = begin + one_first + one_part * count;

  CompactWitness out;
  out.bits.resize((total.bits + 31) / 32);
  out.bits[0] = 1;
  out.wide.resize(total.inputs + total.wide);
  {
    CompactSystem cs(out, total.inputs, begin);
    first(cs);
    CUZK_CHECK(cs.size() == one_first);
  }
  executor.run(count, [&](size_t i) {
    CompactSystem cs(out, total.inputs, begin + one_first + one_part * i);
    part(cs, i);
    CUZK_CHECK(cs.size() == one_part);
  });
  return out;
}

}  // namespace cuzk
