// Proofs from stored matrices are those from plain ones.
#include <gtest/gtest.h>

#include "device/cpu/cpu_device.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"
#include "r1cs/assignment_system.hpp"

namespace cuzk {
namespace {

// Five equal pieces: of a bit and a number each makes the next number, with a packed sum between.
void run_circuit(ConstraintSystem& cs, bool flip) {
  Fr value = Fr::from_u64(3);
  Variable number = cs.alloc("first", value);
  const Variable input = cs.alloc_input("input", value);
  cs.enforce("input is first", {input}, {kOne}, {number});
  for (size_t i = 0; i < 5; ++i) {
    const Piece piece(cs);
    const bool bit = (i % 2 == 0) != flip;
    const Variable b = cs.alloc_bit("bit", bit);
    cs.enforce("boolean", {kOne, minus(b)}, {b}, {});
    const Fr factor = Fr::from_u64(bit ? 9 : 1), next = value * factor;
    const Variable out = cs.alloc("next", next);
    // (1 + 8b) · number = next, the eight in three terms that meet in one variable
    const Fr two = Fr::from_u64(2), three = Fr::from_u64(3);
    cs.enforce("next", {kOne, {three, b}, {two, b}, {three, b}}, {number}, {out});
    number = out;
    value = next;
  }
  const Variable last = cs.alloc_input("last", value);
  cs.enforce("last", {last}, {kOne}, {number});
}

TEST(StoredMatricesInProofs, GiveTheProofsOfPlainOnes) {
  TemplateSystem recorder;
  run_circuit(recorder, false);
  const auto taken = recorder.take("test");
  ASSERT_TRUE(taken) << taken.error().message;
  const std::shared_ptr<const StoredMatrices> stored = *taken;
  EXPECT_EQ(stored->arrays().pieces.size(), 7u);
  EXPECT_EQ(stored->arrays().forms.size(), 3u);
  const auto plain = std::make_shared<const R1cs>(expand(*stored));

  AssignmentSystem cs;
  run_circuit(cs, false);
  EXPECT_EQ(cs.num_unsatisfied(), 0u);
  std::vector<Fr> w = cs.inputs();
  w.insert(w.end(), cs.aux().begin(), cs.aux().end());
  const auto packed = compact(stored->witness_shape(), w);
  ASSERT_TRUE(packed);
  const WitnessView view(stored->witness_shape(), *packed);

  ThreadPool pool(2);
  TestRandom random(11);
  const auto key = setup(*plain, SetupSecrets::random(random), kBellmanForm, pool);
  ASSERT_TRUE(key);
  const Blinding blinding = Blinding::random(random);
  CpuDevice device(pool);
  const auto expected = prove(device, *key, plain, std::span<const Fr>(w), blinding);
  ASSERT_TRUE(expected) << expected.error().message;
  for (const WitnessInput& input : {WitnessInput(std::span<const Fr>(w)), WitnessInput(view)}) {
    const auto proof = prove(device, *key, stored, input, blinding);
    ASSERT_TRUE(proof) << proof.error().message;
    EXPECT_EQ(*proof, *expected);
  }

  // Another value where nothing else follows it.
  CompactWitness wrong = *packed;
  wrong.wide.back() += Fr::one();
  const auto refused = prove(device, *key, stored, WitnessView(stored->witness_shape(), wrong), blinding);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsatisfied);
  EXPECT_NE(refused.error().message.find("constraint is 10 "), std::string::npos) << refused.error().message;
}

TEST(StoredMatricesInProofs, EvaluateAsADevicesStep) {
  TemplateSystem recorder;
  run_circuit(recorder, false);
  const auto stored = recorder.take("test");
  ASSERT_TRUE(stored);
  AssignmentSystem cs;
  run_circuit(cs, true);
  std::vector<Fr> w = cs.inputs();
  w.insert(w.end(), cs.aux().begin(), cs.aux().end());
  ThreadPool pool(2);
  CpuDevice device(pool);
  const auto on_device = device.load_stored_matrices(*stored);
  ASSERT_TRUE(on_device);
  const auto plain_on_device = device.load_matrices(std::make_shared<const R1cs>(expand(**stored)));
  ASSERT_TRUE(plain_on_device);
  std::vector<Fr> a(16), b(16), expected_a(16), expected_b(16);
  const std::span<const Fr> values(w);
  ASSERT_TRUE(device.evaluate(**plain_on_device, values, expected_a, expected_b));
  ASSERT_TRUE(device.evaluate(**on_device, values, a, b));
  EXPECT_EQ(a, expected_a);
  EXPECT_EQ(b, expected_b);
  w[4] = Fr::from_u64(2);  // a bit
  EXPECT_FALSE(device.evaluate(**on_device, values, a, b));
}

}  // namespace
}  // namespace cuzk
