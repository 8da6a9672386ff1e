// Real Filecoin circuits as .r1cs and .wtns.
#include <gtest/gtest.h>

#include "formats/r1cs_file.hpp"
#include "formats/test_files.hpp"
#include "formats/wtns_file.hpp"
#include "r1cs/density.hpp"
#include "r1cs/evaluate.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {
namespace {

using namespace test;

struct Case {
  const char *circuit, *witness;
};

TEST(FilecoinCircuits, RoundTripAndAreSatisfied) {
  if (!std::filesystem::exists(shared_path("vectors/groth16"))) GTEST_SKIP() << "no ../shared/vectors";
  ScratchFolder folder;
  ThreadPool pool(2);
  for (const Case& test : {Case{"winning-2k", "winning-2k"}, Case{"window-2k", "window-2k"},
                           Case{"window-2k", "window-2k.p1"}}) {
    SCOPED_TRACE(test.witness);
    const ByteVector r1cs =
        slurp_zst(shared_path(std::string("vectors/groth16/") + test.circuit + ".r1cs.zst"));
    const ByteVector wtns =
        slurp_zst(shared_path(std::string("vectors/groth16/") + test.witness + ".wtns.zst"));
    auto file = read_r1cs(as_file(r1cs));
    auto values = read_wtns(as_file(wtns), pool);
    ASSERT_TRUE(file && values) << message_of(file) << message_of(values);
    ASSERT_TRUE(write_r1cs(folder.path("out"), *file));
    EXPECT_TRUE(slurp(folder.path("out")) == r1cs);
    ASSERT_TRUE(write_wtns(folder.path("out"), *values));
    EXPECT_TRUE(slurp(folder.path("out")) == wtns);

    const R1cs& circuit = file->circuit;
    const auto status = check_satisfied(circuit, *values, pool);
    EXPECT_TRUE(status) << message_of(status);
    // The compact form gives the same A·w.
    const WitnessShape shape = WitnessShape::of(circuit);
    auto witness = compact(shape, *values);
    ASSERT_TRUE(witness) << message_of(witness);
    std::vector<Fr> full(circuit.num_constraints()), compacted(circuit.num_constraints());
    evaluate(circuit.a, circuit.coefficients, *values, full, pool);
    evaluate(circuit.a, circuit.coefficients, WitnessView(shape, *witness), compacted, pool);
    EXPECT_TRUE(full == compacted);
    // A changed value is noticed.
    values->back() += Fr::one();
    EXPECT_FALSE(check_satisfied(circuit, *values, pool));
  }
}

}  // namespace
}  // namespace cuzk
