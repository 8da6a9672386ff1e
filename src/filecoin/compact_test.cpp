// Compact witnesses and stored matrices against the upstream implementation's digests.
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

#include "base/random.hpp"
#include "filecoin/circuit_digest.hpp"
#include "filecoin/circuit_matrices.hpp"
#include "filecoin/circuit_size.hpp"
#include "filecoin/test_support.hpp"
#include "r1cs/shape_system.hpp"
#include "r1cs/template_evaluate.hpp"

namespace cuzk {
namespace {

using testing_support::check_compact_case;
using testing_support::check_matrices;

TEST(StoredMatrices, AreTheNetworksCircuits) {
  for (const char* name : {"winning-2k", "winning-32k", "window-4k", "window-16k", "porep-2k", "snap-2k"})
    check_matrices(name);
}

TEST(StoredMatrices, CompactWitnessesEvaluate) {
  for (const char* path :
       {"inputs/winning-2k.p0", "inputs/window-2k.p0", "inputs/window-2k.p1", "inputs/window-v1-16k.p1",
        "inputs/window-32k.p0", "inputs/snap-2k.p0", "inputs/porep-2k.p0"})
    check_compact_case(path);
}

std::string temporary_path(const char* name) {
  return testing::TempDir() + "/cuzk_" + std::to_string(::getpid()) + "_" + name;
}

TEST(StoredMatrices, ComeBackFromTheirFile) {
  ThreadPool pool;
  const auto made = make_matrices({ProofKind::kWindow, 2048}, pool);
  ASSERT_TRUE(made);
  const std::string path = temporary_path("window-2k.matrices");
  ASSERT_TRUE((*made)->save(path));
  const auto opened = StoredMatrices::open(path);
  ASSERT_TRUE(opened) << opened.error().message;
  EXPECT_EQ((*opened)->name(), "window-2k");
  EXPECT_EQ((*opened)->digest(), (*made)->digest());
  EXPECT_EQ(digest_of(**opened, pool).digest, (*made)->digest());
  EXPECT_EQ(std::ifstream(path, std::ios::ate | std::ios::binary).tellg(),
            static_cast<std::streamoff>((*made)->stored_bytes()));
  std::remove(path.c_str());
}

// A file that another version of a circuit left is not used.
TEST(StoredMatrices, OfAnotherDigestAreMadeAgain) {
  ThreadPool pool;
  const CircuitId circuit{ProofKind::kWindow, 2048};
  const std::string folder = temporary_path("folder"), path = matrices_path(folder, circuit);
  std::filesystem::create_directory(folder);
  ASSERT_TRUE(load_or_make_matrices(circuit, folder, pool));
  constexpr size_t kDigestInFile = 72;
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(kDigestInFile).put('x');
  const auto foreign = StoredMatrices::open(path);
  ASSERT_TRUE(foreign);
  EXPECT_NE((*foreign)->digest(), known_circuit(circuit).digest);
  const auto loaded = load_or_make_matrices(circuit, folder, pool);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ((*loaded)->digest(), known_circuit(circuit).digest);
  const auto written = StoredMatrices::open(path);
  ASSERT_TRUE(written);
  EXPECT_EQ((*written)->digest(), known_circuit(circuit).digest);
  std::filesystem::remove_all(folder);
}

TEST(StoredMatrices, ExpandToThoseOfTheShapePass) {
  ThreadPool pool;
  const CircuitId circuit{ProofKind::kWindow, 2048};
  const auto made = make_matrices(circuit, pool);
  ASSERT_TRUE(made);
  ShapeSystem cs;
  synthesize_shape(circuit, cs);
  const WitnessShape shape = cs.witness_shape();
  const R1cs expected = cs.take(), found = expand(**made);
  ASSERT_EQ(found.num_variables(), expected.num_variables());
  ASSERT_EQ(found.num_constraints(), expected.num_constraints());
  const std::array sides = {&R1cs::a, &R1cs::b, &R1cs::c};
  for (const auto side : sides) {
    for (size_t i = 0; i < expected.num_constraints(); ++i) {
      const auto x = (expected.*side).row(i), y = (found.*side).row(i);
      ASSERT_EQ(x.size(), y.size());
      for (size_t j = 0; j < x.size(); ++j) {
        EXPECT_EQ(x[j].variable, y[j].variable);
        EXPECT_EQ(expected.coefficients[x[j].coefficient], found.coefficients[y[j].coefficient]);
      }
    }
  }
  EXPECT_EQ(density_of(**made).a, density_of(expected).a);
  EXPECT_EQ(density_of(**made).b, density_of(expected).b);
  for (size_t i = 0; i < shape.num_variables(); ++i)
    ASSERT_EQ(shape.is_bit(i), (*made)->witness_shape().is_bit(i)) << i;
}

// A byte changed anywhere gives an error or other matrices, nothing worse.
TEST(StoredMatrices, DamagedFilesDoNoHarm) {
  ThreadPool pool;
  const auto made = make_matrices({ProofKind::kWindow, 2048}, pool);
  ASSERT_TRUE(made);
  const std::string path = temporary_path("damaged.matrices");
  ASSERT_TRUE((*made)->save(path));
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  TestRandom random(7);
  size_t refused = 0;
  for (int i = 0; i < 300; ++i) {
    std::string changed = bytes;
    // Half of the changes in the last part, where pieces and externals are.
    const size_t from = i % 2 == 0 ? 0 : bytes.size() - bytes.size() / 8;
    changed[from + random.next() % (bytes.size() - from)] ^= static_cast<char>(1 << (i % 8));
    std::ofstream(path, std::ios::binary | std::ios::trunc) << changed;
    const auto opened = StoredMatrices::open(path);
    if (!opened) {
      ++refused;
      continue;
    }
    CompactWitness w;
    w.bits.assign((*opened)->witness_shape().num_bit_words(), 1);
    w.wide.assign((*opened)->witness_shape().num_wide(), Fr::one());
    std::vector<Fr> a((*opened)->num_constraints()), b(a.size());
    StoredEvaluator(*opened).evaluate(w, a, b, {}, pool);
  }
  EXPECT_GT(refused, 0u);
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes.substr(0, bytes.size() - 1);
  EXPECT_FALSE(StoredMatrices::open(path));
  std::ofstream(path, std::ios::binary | std::ios::trunc) << "short";
  EXPECT_FALSE(StoredMatrices::open(path));
  std::remove(path.c_str());
}

// A wire that is changed is found, by its first constraint.
TEST(StoredMatrices, FindTheFirstConstraintThatFails) {
  const auto c = testing_support::Case::load("inputs/window-2k.p0");
  if (!c) GTEST_SKIP() << "no shared vectors";
  ThreadPool pool;
  const auto made = make_matrices(testing_support::circuit_of(*c), pool);
  ASSERT_TRUE(made);
  auto w = testing_support::compact_witness(*c, pool);
  ASSERT_TRUE(w);
  const StoredEvaluator evaluator(*made);
  EXPECT_FALSE(evaluator.first_unsatisfied(*w, pool));
  w->wide[w->wide.size() / 2] += Fr::one();
  const R1cs plain = expand(**made);
  const WitnessView view((*made)->witness_shape(), *w);
  std::vector<Fr> values;
  for (size_t i = 0; i < view.size(); ++i) values.push_back(view[i]);
  const auto expected = first_unsatisfied(plain, values, pool), found = evaluator.first_unsatisfied(*w, pool);
  ASSERT_TRUE(expected);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->index, expected->index);
  EXPECT_EQ(found->a, expected->a);
  EXPECT_EQ(found->c, expected->c);
}

}  // namespace
}  // namespace cuzk
