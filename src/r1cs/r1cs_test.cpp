#include "r1cs/r1cs.hpp"

#include <gtest/gtest.h>

#include "r1cs/density.hpp"
#include "r1cs/evaluate.hpp"

namespace cuzk {
namespace {

Fr small(int64_t v) {
  return Fr::from_i64(v);
}

TEST(CoefficientTable, PowersOfTwoHaveFixedPlaces) {
  CoefficientTable table;
  Fr power = Fr::one();
  for (uint32_t k = 0; k < CoefficientTable::kPowers; ++k, power = power.doubled()) {
    EXPECT_EQ(table.index_of(power), 2 * k);
    EXPECT_EQ(table.index_of(-power), 2 * k + 1);
    EXPECT_EQ(table[2 * k + 1] + table[2 * k], Fr::zero());
  }
  EXPECT_EQ(table.size(), CoefficientTable::kFirstGeneral);
  EXPECT_EQ(table.index_of(small(3)), CoefficientTable::kFirstGeneral);
  EXPECT_EQ(table.index_of(small(-3)), CoefficientTable::kFirstGeneral + 1);
  EXPECT_EQ(table.index_of(small(3)), CoefficientTable::kFirstGeneral);
}

TEST(R1cs, AddConstraintSumsLikeTermsAndDropsZeros) {
  R1cs circuit;
  circuit.num_aux = 2;
  circuit.add_constraint({{1, small(2)}, {1, small(3)}, {2, small(0)}}, {{2, small(1)}, {2, small(-1)}}, {});
  ASSERT_EQ(circuit.num_constraints(), 1u);
  ASSERT_EQ(circuit.a.row(0).size(), 1u);
  EXPECT_EQ(circuit.coefficients[circuit.a.row(0)[0].coefficient], small(5));
  EXPECT_TRUE(circuit.b.row(0).empty());
  EXPECT_TRUE(circuit.c.row(0).empty());
}

// Values and coefficients weighted to the special cases of the evaluator.
Fr pick_value(TestRandom& random) {
  switch (random.next() % 5) {
    case 0:
      return Fr::zero();
    case 1:
      return Fr::one();
    case 2:
      return -Fr::one();
    default:
      return Fr::random(random);
  }
}
Fr pick_coefficient(TestRandom& random) {
  Fr power = small(2).pow(random.next() % 255);
  switch (random.next() % 6) {
    case 0:
      return Fr::one();
    case 1:
      return -Fr::one();
    case 2:
      return power;
    case 3:
      return -power;
    case 4:
      return small(static_cast<int64_t>(2 + random.next() % 9));
    default:
      return Fr::random(random);
  }
}

TEST(Evaluate, EqualsSumOfProducts) {
  TestRandom random(11);
  R1cs circuit;
  circuit.num_inputs = 3;
  circuit.num_aux = 197;
  std::vector<Fr> w(200);
  for (Fr& v : w) v = pick_value(random);
  w[0] = Fr::one();
  std::vector<Fr> expected;
  for (size_t i = 0; i < 3000; ++i) {
    R1cs::Combination row;
    Fr sum = Fr::zero();
    for (size_t terms = random.next() % 40; terms > 0; --terms) {
      auto variable = static_cast<uint32_t>(random.next() % w.size());
      Fr coefficient = pick_coefficient(random);
      row.emplace_back(variable, coefficient);
      sum += coefficient * w[variable];
    }
    circuit.add_constraint(row, {}, {});
    expected.push_back(sum);
  }
  std::vector<Fr> out(3000);
  InlineExecutor inline_executor;
  evaluate(circuit.a, circuit.coefficients, w, out, inline_executor);
  EXPECT_EQ(out, expected);
  ThreadPool pool(3);
  std::fill(out.begin(), out.end(), Fr::zero());
  evaluate(circuit.a, circuit.coefficients, w, out, pool);
  EXPECT_EQ(out, expected);
}

// Every carry of the shifted sum: the largest value times the largest power, many times.
TEST(Evaluate, LargestShiftedSums) {
  CoefficientTable table;
  std::vector<Fr> w = {-Fr::one(), Fr::from_montgomery([] {
                         auto v = Fr::kModulus;
                         v.sub_in_place(BigInt<4>::from_u64(1));
                         return v;
                       }())};
  SparseMatrix matrix;
  Fr expected = Fr::zero();
  for (uint32_t i = 0; i < 100000; ++i) {
    Term term{i % 2, 2 * (254 - i % 7) + (i % 3 == 0 ? 1u : 0u)};
    matrix.push_term(term);
    expected += w[term.variable] * table[term.coefficient];
  }
  matrix.end_row();
  EXPECT_EQ(evaluate_row(matrix.row(0), table, w), expected);
}

TEST(Evaluate, NamesTheFirstFailingConstraint) {
  R1cs circuit;
  circuit.num_aux = 2;
  for (int i = 0; i < 5000; ++i) circuit.add_constraint({{1, small(1)}}, {{1, small(1)}}, {{2, small(1)}});
  circuit.add_constraint({{1, small(1)}}, {{0, small(7)}}, {{2, small(1)}});  // x·7 = x²
  circuit.add_constraint({{1, small(1)}}, {{0, small(8)}}, {{2, small(1)}});
  ThreadPool pool(2);
  EXPECT_FALSE(first_unsatisfied(circuit, std::vector<Fr>{Fr::one(), small(0), small(0)}, pool));
  auto bad = first_unsatisfied(circuit, std::vector<Fr>{Fr::one(), small(3), small(9)}, pool);
  ASSERT_TRUE(bad);
  EXPECT_EQ(bad->index, 5000u);
  EXPECT_EQ(bad->b, small(7));
  auto status = check_satisfied(circuit, std::vector<Fr>{Fr::one(), small(3), small(9)}, pool);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kUnsatisfied);
  EXPECT_NE(status.error().message.find("is 5000 "), std::string::npos) << status.error().message;
  EXPECT_EQ(check_satisfied(circuit, std::vector<Fr>(4, Fr::one()), pool).error().code,
            ErrorCode::kInvalidInput);
  EXPECT_FALSE(check_satisfied(circuit, std::vector<Fr>{small(2), small(0), small(0)}, pool));
}

TEST(Density, FollowsBellman) {
  R1cs circuit;
  circuit.num_inputs = 3;
  circuit.num_aux = 4;
  circuit.add_constraint({{1, small(1)}, {3, small(1)}}, {{0, small(1)}, {4, small(2)}}, {{5, small(1)}});
  Density density = density_of(circuit);
  EXPECT_EQ(density.a, (VariableSet{0, 1, 2, 3}));
  EXPECT_EQ(density.b, (VariableSet{0, 4}));
  EXPECT_EQ(unused_variables(circuit), (VariableSet{2, 6}));
  EXPECT_EQ(variable_name(circuit, 6), "wire 6 (auxiliary 3)");
}

R1cs boolean_circuit() {
  R1cs circuit;
  circuit.num_inputs = 2;
  circuit.num_aux = 60;
  circuit.add_constraint({{2, small(1)}}, {{2, small(1)}, {0, small(-1)}}, {});    // x(x - 1) = 0
  circuit.add_constraint({{0, small(1)}, {5, small(-1)}}, {{5, small(1)}}, {});    // (1 - x)x = 0
  circuit.add_constraint({{7, small(1)}}, {{7, small(1)}}, {{7, small(1)}});       // x·x = x
  circuit.add_constraint({{8, small(3)}}, {{8, small(2)}}, {{8, small(6)}});       // scaled
  circuit.add_constraint({{9, small(1)}}, {{9, small(1)}, {0, small(-2)}}, {});    // roots 0 and 2
  circuit.add_constraint({{10, small(1)}}, {{11, small(1)}, {0, small(-1)}}, {});  // two variables
  circuit.add_constraint({{12, small(1)}}, {{0, small(1)}}, {{12, small(1)}});     // says nothing
  circuit.add_constraint({{40, small(1)}, {0, small(-1)}}, {{40, small(1)}}, {});
  return circuit;
}

TEST(Witness, ShapeFindsBooleans) {
  WitnessShape shape = WitnessShape::of(boolean_circuit());
  std::vector<size_t> bits;
  for (size_t i = 0; i < shape.num_variables(); ++i) {
    if (shape.is_bit(i)) bits.push_back(i);
  }
  EXPECT_EQ(bits, (std::vector<size_t>{0, 2, 5, 7, 8, 40}));
  EXPECT_EQ(shape.num_bits(), 6u);
  EXPECT_EQ(shape.num_wide(), 56u);
  EXPECT_EQ(shape.bits_before(40), 5u);
}

TEST(Witness, CompactHoldsTheSameValues) {
  R1cs circuit = boolean_circuit();
  WitnessShape shape = WitnessShape::of(circuit);
  TestRandom random(5);
  std::vector<Fr> w(shape.num_variables());
  for (size_t i = 0; i < w.size(); ++i)
    w[i] = shape.is_bit(i) ? small(random.next() % 2) : Fr::random(random);
  w[0] = Fr::one();
  auto witness = compact(shape, w);
  ASSERT_TRUE(witness);
  EXPECT_EQ(witness->wide.size(), 56u);
  EXPECT_EQ(witness->bits.size(), 1u);
  WitnessView view(shape, *witness);
  for (size_t i = 0; i < w.size(); ++i) EXPECT_EQ(view[i], w[i]) << i;

  InlineExecutor executor;
  std::vector<Fr> full(circuit.num_constraints()), compacted(circuit.num_constraints());
  evaluate(circuit.b, circuit.coefficients, w, full, executor);
  evaluate(circuit.b, circuit.coefficients, view, compacted, executor);
  EXPECT_EQ(full, compacted);

  w[8] = small(2);
  auto refused = compact(shape, w);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsatisfied);
  EXPECT_EQ(compact(shape, std::vector<Fr>(3)).error().code, ErrorCode::kInvalidInput);
}

}  // namespace
}  // namespace cuzk
