#include "filecoin/witness_digest.hpp"

namespace cuzk {

Result<WitnessDigest> digest_witness(const std::function<Status(ConstraintSystem&)>& synthesize,
                                     size_t expected_aux) {
  BlockHasher a, b, c, aux;
  AssignmentSystem cs(
      [&](const Fr& va, const Fr& vb, const Fr& vc) {
        a.add_value(va);
        b.add_value(vb);
        c.add_value(vc);
      },
      expected_aux);
  CUZK_TRY(synthesize(cs));
  WitnessDigest out;
  for (const Fr& value : cs.aux()) {
    aux.add_value(value);
    if (value.is_zero()) ++out.aux_zero;
    if (value.is_one()) ++out.aux_one;
  }
  for (BlockHasher* hasher : {&a, &b, &c, &aux}) hasher->finish();
  out.inputs = cs.inputs();
  out.num_aux = cs.aux().size();
  out.num_constraints = cs.num_constraints();
  out.num_unsatisfied = cs.num_unsatisfied();
  out.first_unsatisfied = cs.first_unsatisfied();
  out.input_digest = digest_of_inputs(out.inputs);
  out.aux_digest = aux.digest();
  out.a_digest = a.digest();
  out.b_digest = b.digest();
  out.c_digest = c.digest();
  out.aux_blocks = aux.blocks();
  return out;
}

}  // namespace cuzk
