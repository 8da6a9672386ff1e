// Stored matrices of random circuits against plain ones.
#include "r1cs/stored_matrices.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/random.hpp"
#include "r1cs/assignment_system.hpp"
#include "r1cs/compact_system.hpp"
#include "r1cs/shape_system.hpp"
#include "r1cs/template_evaluate.hpp"

namespace cuzk {
namespace {

// Satisfied constraints with rows of every kind that evaluation tells apart: empty, one wide value, bits with
// small coefficients, bits with powers of two (the same bit more than once, sums that carry beyond the
// field), and everything else. Pieces of the same kind are equal but for their variables.
class RandomCircuit {
 public:
  RandomCircuit(ConstraintSystem& cs, uint64_t seed) : cs_(cs), values_(seed) {}

  void run(size_t pieces) {
    for (size_t i = 0; i < 40; ++i) new_bit();
    for (size_t i = 0; i < 10; ++i) new_wide(Fr::random(values_));
    const size_t bits = bits_.size(), wides = wides_.size();
    for (size_t i = 0; i < pieces; ++i) {
      const Piece piece(cs_);
      // Every third piece reads other variables, by the same rows.
      TestRandom rows(i % 2);
      first_bit_ = i % 3 == 0 ? 0 : bits / 2;
      bits_.resize(bits);
      wides_.resize(wides);
      for (size_t k = 0; k < 8; ++k) new_bit();
      for (size_t k = 0; k < 24; ++k) add_row(rows, k % 6);
      if (i % 4 == 1) add_input();
    }
  }

 private:
  struct Known {
    Variable variable;
    Fr value;
  };

  void new_bit() {
    const bool value = (values_.next() & 1) != 0;
    const Variable v = cs_.alloc_bit("bit", value);
    cs_.enforce("boolean", {kOne, minus(v)}, {v}, {});
    bits_.push_back({v, value ? Fr::one() : Fr::zero()});
  }
  void new_wide(const Fr& value) { wides_.push_back({cs_.alloc("wide", value), value}); }
  void add_input() {
    const Known& last = wides_.back();
    const Variable v = cs_.alloc_input("input", last.value);
    cs_.enforce("input", {v}, {kOne}, {last.variable});
  }

  const Known& bit(TestRandom& rows) { return bits_[first_bit_ + rows.next() % (bits_.size() - first_bit_)]; }
  const Known& wide(TestRandom& rows) { return wides_[rows.next() % wides_.size()]; }

  LinearCombination side(TestRandom& rows, size_t kind, Fr& value) {
    LinearCombination terms;
    value = Fr::zero();
    auto add = [&](const Known& known, const Fr& coefficient) {
      terms.push_back({coefficient, known.variable});
      value += coefficient * known.value;
    };
    const Known one{kOne, Fr::one()};
    const size_t count = kind == 3 ? 150 : 5;
    switch (kind) {
      case 0:
        break;
      case 1:
        add(wide(rows), Fr::one());
        break;
      case 2:
        for (size_t i = 0; i < count; ++i) add(bit(rows), Fr::from_i64(i % 2 == 0 ? 2 : -4));
        break;
      case 3:
        add(one, -Fr::from_u64(2).pow(254));
        for (size_t i = 0; i < count; ++i) {
          const Fr power = Fr::from_u64(2).pow(i % 7 == 0 ? 254 : rows.next() % 255);
          add(bit(rows), rows.next() % 2 == 0 ? power : -power);
        }
        break;
      default:
        add(one, Fr::from_u64(rows.next()));
        for (size_t i = 0; i < count; ++i) {
          add(wide(rows), i == 0 ? -Fr::one() : Fr::random(rows));
          add(bit(rows), Fr::random(rows));
        }
    }
    return terms;
  }

  void add_row(TestRandom& rows, size_t kind) {
    Fr a, b;
    const LinearCombination left = side(rows, kind, a), right = side(rows, (kind + 3) % 6, b);
    new_wide(a * b);
    cs_.enforce("row", left, right, {wides_.back().variable});
  }

  ConstraintSystem& cs_;
  TestRandom values_;
  size_t first_bit_ = 0;
  std::vector<Known> bits_, wides_;
};

TEST(StoredMatrices, OfRandomCircuitsAreThePlainOnes) {
  ThreadPool pool(2);
  for (uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    TemplateSystem recorder;
    RandomCircuit(recorder, seed).run(40);
    const auto taken = recorder.take("random");
    ASSERT_TRUE(taken) << taken.error().message;
    const std::shared_ptr<const StoredMatrices> stored = *taken;
    EXPECT_EQ(stored->arrays().pieces.size(), 41u);
    EXPECT_LE(stored->arrays().forms.size(), 20u);

    ShapeSystem shape;
    RandomCircuit(shape, seed).run(40);
    const WitnessShape marks = shape.witness_shape();
    const R1cs plain = shape.take(), found = expand(*stored);
    ASSERT_EQ(found.num_constraints(), plain.num_constraints());
    EXPECT_EQ(stored->nonzeros(), plain.a.nonzeros() + plain.b.nonzeros() + plain.c.nonzeros());
    EXPECT_EQ(density_of(*stored).a, density_of(plain).a);
    EXPECT_EQ(density_of(*stored).b, density_of(plain).b);
    for (size_t v = 0; v < plain.num_variables(); ++v)
      ASSERT_EQ(stored->witness_shape().is_bit(v), marks.is_bit(v)) << v;

    AssignmentSystem assignment;
    RandomCircuit(assignment, seed).run(40);
    ASSERT_EQ(assignment.num_unsatisfied(), 0u);
    std::vector<Fr> w = assignment.inputs();
    w.insert(w.end(), assignment.aux().begin(), assignment.aux().end());
    const auto packed = compact(marks, w);
    ASSERT_TRUE(packed);
    // The fast pass writes the same.
    CompactWitness written;
    const size_t inputs = stored->num_inputs() - 1;
    written.bits.resize(marks.num_bit_words());
    written.bits[0] = 1;
    written.wide.resize(marks.num_wide());
    {
      CompactSystem cs(written, inputs, {0, 1, 0});
      RandomCircuit(cs, seed).run(40);
      EXPECT_EQ(cs.size(), (WitnessPlace{inputs, marks.num_bits() - 1, marks.num_wide() - inputs}));
    }
    EXPECT_EQ(written.bits, packed->bits);
    EXPECT_EQ(written.wide, packed->wide);

    const size_t rows = plain.num_constraints();
    std::vector<Fr> a(rows), b(rows), c(rows), expected(rows);
    const StoredEvaluator evaluator(stored);
    evaluator.evaluate(*packed, a, b, c, pool);
    for (const auto& [matrix, values] : {std::pair(&plain.a, &a), {&plain.b, &b}, {&plain.c, &c}}) {
      evaluate(*matrix, plain.coefficients, std::span<const Fr>(w), expected, pool);
      EXPECT_EQ(*values, expected);
    }
    EXPECT_FALSE(evaluator.first_unsatisfied(*packed, pool));

    // Any wide auxiliary changed: the same first constraint fails.
    for (size_t at = inputs; at < packed->wide.size(); at += packed->wide.size() / 7) {
      CompactWitness wrong = *packed;
      wrong.wide[at] += Fr::one();
      const WitnessView view(marks, wrong);
      for (size_t v = 0; v < w.size(); ++v) w[v] = view[v];
      const auto plainly = first_unsatisfied(plain, w, pool);
      const auto bad = evaluator.first_unsatisfied(wrong, pool);
      ASSERT_EQ(plainly.has_value(), bad.has_value());
      if (bad) {
        EXPECT_EQ(plainly->index, bad->index);
      }
    }
  }
}

TEST(StoredMatrices, PartsWrittenSideBySideMeetInTheirWords) {
  // Seven bits and a number a part, so that parts share words.
  auto part = [](ConstraintSystem& cs, size_t i) {
    for (size_t k = 0; k < 7; ++k) cs.alloc_bit("bit", (i >> (k % 3) & 1) != 0);
    cs.alloc("wide", Fr::from_u64(i));
    cs.alloc_input("input", Fr::from_u64(1000 + i));
  };
  constexpr size_t kParts = 50;
  CompactWitness together, apart;
  for (CompactWitness* w : {&together, &apart}) {
    w->bits.resize((1 + 7 * kParts + 3 + 31) / 32);
    w->wide.resize(2 * kParts);
  }
  {
    CompactSystem cs(together, kParts, {0, 1, 0});
    for (size_t i = 0; i < kParts; ++i) part(cs, i);
    cs.alloc_bit("last", true);
  }
  {
    CompactSystem cs(apart, kParts, {0, 1, 0});
    for (size_t first = 0; first < kParts; first += kSideBySide)
      run_side_by_side(cs, std::min(kSideBySide, kParts - first),
                       [&](std::span<CompactSystem* const> systems) {
                         for (size_t i = systems.size(); i-- > 0;) part(*systems[i], first + i);
                       });
    cs.alloc_bit("last", true);
  }
  EXPECT_EQ(together.bits, apart.bits);
  EXPECT_EQ(together.wide, apart.wide);
}

TEST(WitnessShape, TakesMarksFromAnyPlaceToAnyPlace) {
  TestRandom random(11);
  std::vector<uint32_t> marks(8);
  for (int round = 0; round < 2000; ++round) {
    for (uint32_t& word : marks) word = static_cast<uint32_t>(random.next());
    constexpr size_t kVariables = 200;
    const size_t count = random.next() % kVariables, first = random.next() % (kVariables - count + 1),
                 from = random.next() % (32 * marks.size() - count);
    WitnessShape shape(kVariables);
    std::vector<bool> expected(kVariables);
    for (size_t v = 0; v < kVariables; v += 3) shape.mark_bit(v), expected[v] = true;
    for (size_t i = 0; i < count; ++i)
      expected[first + i] = (marks[(from + i) / 32] >> (from + i) % 32 & 1) != 0;
    shape.mark_bits(first, marks.data(), from, count);
    shape.finish();
    size_t bits = 0;
    for (size_t v = 0; v < kVariables; ++v) {
      ASSERT_EQ(shape.is_bit(v), expected[v]) << first << " " << from << " " << count << " " << v;
      ASSERT_EQ(shape.bits_before(v), bits);
      bits += expected[v] ? 1 : 0;
    }
  }
}

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The file from which the fuzzer starts is whole, and is what is written now.
TEST(StoredMatrices, TheFuzzersFile) {
  TemplateSystem recorder;
  RandomCircuit(recorder, 1).run(5);
  const auto taken = recorder.take("random");
  ASSERT_TRUE(taken);
  const std::string path = (std::filesystem::temp_directory_path() / "cuzk-fuzzers-file.matrices").string();
  ASSERT_TRUE((*taken)->save(path));
  const std::string corpus = CUZK_SOURCE_DIR "/src/r1cs/corpus/stored_matrices/random.matrices";
  EXPECT_TRUE(bytes_of(path) == bytes_of(corpus))
      << "where the format was meant to change, " << path << " becomes " << corpus;
  EXPECT_TRUE(StoredMatrices::open(corpus));
}

// What expand() numbers as CoefficientTable does must be numbered so in the file.
TEST(StoredMatrices, CoefficientsOutOfPlaceAreRefused) {
  TemplateSystem recorder;
  RandomCircuit(recorder, 1).run(5);
  const auto taken = recorder.take("random");
  ASSERT_TRUE(taken);
  StoredMatrices::Arrays arrays = (*taken)->arrays();
  const std::span<const Fr> right = arrays.coefficients;
  const auto with = [&](size_t at, const Fr& value) {
    std::vector<Fr> changed(right.begin(), right.end());
    changed[at] = value;
    arrays.coefficients = changed;
    return StoredMatrices::create("random", (*taken)->counts(), arrays, nullptr).has_value();
  };
  ASSERT_GT(right.size(), CoefficientTable::kFirstGeneral + 1);
  EXPECT_TRUE(with(right.size() - 1, right.back()));
  EXPECT_FALSE(with(right.size() - 1, Fr::zero()));
  EXPECT_FALSE(with(right.size() - 1, right[right.size() - 2]));
  EXPECT_FALSE(with(right.size() - 1, Fr::one()));
  EXPECT_FALSE(with(5, right.back() + Fr::one()));
}

TEST(StoredMatrices, AnEmptyCircuit) {
  TemplateSystem recorder;
  const auto taken = recorder.take("nothing");
  ASSERT_TRUE(taken);
  EXPECT_EQ((*taken)->num_variables(), 1u);
  CompactWitness w;
  w.bits = {1};
  InlineExecutor executor;
  EXPECT_TRUE(check_witness_form(**taken, w));
  StoredEvaluator(*taken).evaluate(w, {}, {}, {}, executor);
  w.bits = {0};
  EXPECT_FALSE(check_witness_form(**taken, w));
}

}  // namespace
}  // namespace cuzk
