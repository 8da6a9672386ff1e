// For tests: a made-up input passes its checks and satisfies the circuit.
#pragma once

#include <gtest/gtest.h>

#include "filecoin/circuit_matrices.hpp"
#include "filecoin/gen/generate.hpp"
#include "r1cs/template_evaluate.hpp"

namespace cuzk::testing_support {

// By the compact witness of the last partition and stored matrices.
inline void check_generated(const char* name) {
  SCOPED_TRACE(name);
  const auto circuit = parse_circuit_name(name);
  ASSERT_TRUE(circuit);
  ThreadPool pool;
  const ProofInput input = generate_input(*circuit, 3, pool);
  const uint32_t partition = input.partitions() - 1;
  const Status checked = input.check(partition, pool);
  ASSERT_TRUE(checked) << checked.error().message;
  const auto matrices = make_matrices(*circuit, pool);
  ASSERT_TRUE(matrices) << matrices.error().message;
  const auto witness = input.compact(partition, pool);
  ASSERT_TRUE(witness) << witness.error().message;
  const auto bad = StoredEvaluator(*matrices).first_unsatisfied(*witness, pool);
  EXPECT_FALSE(bad) << "constraint " << bad->index;
  const auto expected = input.statement()->public_inputs(partition);
  ASSERT_TRUE(expected) << expected.error().message;
  const WitnessView view((*matrices)->witness_shape(), *witness);
  ASSERT_EQ(expected->size() + 1, (*matrices)->num_inputs());
  for (size_t i = 0; i < expected->size(); ++i)
    EXPECT_EQ(view[i + 1], (*expected)[i]) << "public input " << i;
}

}  // namespace cuzk::testing_support
