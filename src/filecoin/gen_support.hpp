// For tests: a made-up input passes its checks and satisfies the circuit.
#pragma once

#include <gtest/gtest.h>

#include "filecoin/circuit_matrices.hpp"
#include "filecoin/gen/generate.hpp"
#include "r1cs/template_evaluate.hpp"

namespace cuzk::testing_support {

inline void check_generated_partition(const ProofInput& input, uint32_t partition,
                                      const std::shared_ptr<const StoredMatrices>& matrices,
                                      Executor& executor) {
  SCOPED_TRACE("partition " + std::to_string(partition));
  const Status checked = input.check(partition, executor);
  ASSERT_TRUE(checked) << checked.error().message;
  const auto witness = input.compact(partition, executor);
  ASSERT_TRUE(witness) << witness.error().message;
  const auto bad = StoredEvaluator(matrices).first_unsatisfied(*witness, executor);
  EXPECT_FALSE(bad) << "constraint " << bad->index;
  const auto expected = input.statement()->public_inputs(partition);
  ASSERT_TRUE(expected) << expected.error().message;
  const WitnessView view(matrices->witness_shape(), *witness);
  ASSERT_EQ(expected->size() + 1, matrices->num_inputs());
  for (size_t i = 0; i < expected->size(); ++i)
    EXPECT_EQ(view[i + 1], (*expected)[i]) << "public input " << i;
}

// Every partition, by its compact witness and stored matrices.
inline void check_generated(const char* name) {
  SCOPED_TRACE(name);
  const auto circuit = parse_circuit_name(name);
  ASSERT_TRUE(circuit);
  ThreadPool pool;
  const ProofInput input = generate_input(*circuit, 3, pool);
  const auto matrices = make_matrices(*circuit, pool);
  ASSERT_TRUE(matrices) << matrices.error().message;
  for (uint32_t k = 0; k < input.partitions(); ++k) check_generated_partition(input, k, *matrices, pool);
}

}  // namespace cuzk::testing_support
