// Keys written, copied and converted; inspect.
#include <gtest/gtest.h>

#include "formats/bellman_params.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/inspect.hpp"
#include "formats/key_writer.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/r1cs_file.hpp"
#include "formats/snarkjs_json.hpp"
#include "formats/test_files.hpp"
#include "formats/zkey_file.hpp"

namespace cuzk {
namespace {

using namespace test;

SetupSecrets secrets(uint64_t seed) {
  TestRandom random(seed);
  return SetupSecrets::random(random);
}

R1cs circuit_of(const std::string& path) {
  auto file = read_r1cs(open_file(path));
  EXPECT_TRUE(file) << message_of(file);
  return file->circuit;
}

void expect_params_copy(const std::string& path, const ScratchFolder& folder) {
  ThreadPool pool(2);
  auto params = open_params(open_file(path), PointCheck::kNone, pool);
  ASSERT_TRUE(params) << message_of(params);
  ByteVector written;
  auto writer = create_params_writer(folder.path("copy.params"), pool, [&](Bytes bytes) {
    written.insert(written.end(), bytes.begin(), bytes.end());
  });
  ASSERT_TRUE(writer) << message_of(writer);
  const auto status = copy_key(params->key, **writer, pool);
  ASSERT_TRUE(status) << message_of(status);
  ASSERT_TRUE((*writer)->sync());
  EXPECT_FALSE(std::filesystem::exists(folder.path("copy.params"))) << "a name before finish()";
  ASSERT_TRUE((*writer)->finish());
  ByteVector expected = slurp(path);
  if (params->ceremony) expected.resize(params->ceremony->offset);
  EXPECT_TRUE(slurp(folder.path("copy.params")) == expected) << path;
  EXPECT_TRUE(written == expected) << path;
  std::filesystem::remove(folder.path("copy.params"));
}

TEST(ParamsWriter, CopiesToTheByte) {
  ScratchFolder folder;
  for (const char* name : {"one-constraint", "tiny"}) {
    expect_params_copy(data_path(std::string("groth16/") + name + ".params"), folder);
  }
  if (!std::filesystem::exists(shared_path("vectors/groth16"))) GTEST_SKIP() << "no ../shared/vectors";
  for (const char* name : {"mixed-1000", "just-under-1024", "just-over-1024", "inputs-only"}) {
    expect_params_copy(shared_path(std::string("vectors/groth16/") + name + ".params"), folder);
  }
  expect_params_copy(shared_path("data/groth16/zcash/sapling-output.params"), folder);
}

// Every section but the contributions, whose record we do not carry over.
TEST(ZkeyWriter, CopiesEverySection) {
  ScratchFolder folder;
  ThreadPool pool(2);
  for (const char* name : {"groth16/ak-381.zkey", "snarkjs/poseidon.zkey"}) {
    auto zkey = open_zkey(open_file(data_path(name)), PointCheck::kNone, pool);
    ASSERT_TRUE(zkey) << message_of(zkey);
    auto circuit = read_zkey_circuit(*zkey, pool);
    ASSERT_TRUE(circuit) << message_of(circuit);
    auto writer = create_zkey_writer(folder.path("copy.zkey"), *circuit, pool);
    ASSERT_TRUE(writer) << message_of(writer);
    ASSERT_TRUE(copy_key(zkey->key, **writer, pool));
    ASSERT_TRUE((*writer)->finish());
    const ByteVector before = slurp(data_path(name)), after = slurp(folder.path("copy.zkey"));
    auto old_table = SectionTable::read(as_file(before), "zkey", 1);
    auto new_table = SectionTable::read(as_file(after), "zkey", 1);
    ASSERT_TRUE(old_table && new_table) << message_of(old_table) << message_of(new_table);
    for (uint32_t type = 1; type <= 9; ++type) {
      const Section *x = old_table->find(type), *y = new_table->find(type);
      ASSERT_TRUE(x != nullptr && y != nullptr);
      EXPECT_TRUE(x->size == y->size &&
                  std::equal(before.begin() + static_cast<std::ptrdiff_t>(x->offset),
                             before.begin() + static_cast<std::ptrdiff_t>(x->offset + x->size),
                             after.begin() + static_cast<std::ptrdiff_t>(y->offset)))
          << name << " section " << type;
    }
  }
}

ByteVector setup_to_file(const R1cs& circuit, KeyForm form, const std::string& path) {
  ThreadPool pool(2);
  auto writer = form.layout == QueryLayout::kWithEntries ? create_params_writer(path, pool)
                                                         : create_zkey_writer(path, circuit, pool);
  EXPECT_TRUE(writer) << message_of(writer);
  const auto status = setup(circuit, secrets(9), form, **writer, pool);
  EXPECT_TRUE(status) << message_of(status);
  EXPECT_TRUE((*writer)->finish());
  return slurp(path);
}

// Rows of twelve terms, with general coefficients.
R1cs circuit_of_long_rows(size_t rows) {
  TestRandom random(5);
  R1cs circuit;
  circuit.num_inputs = 3;
  circuit.num_aux = 50;
  for (size_t i = 0; i < rows; ++i) {
    R1cs::Combination sides[2];
    for (size_t k = 0; k < 24; ++k) {
      const auto variable = static_cast<uint32_t>((i + 4 * (k / 2)) % 53);
      sides[k % 2].emplace_back(variable, i % 3 == 0 ? Fr::from_i64(-4) : Fr::random(random));
    }
    circuit.add_constraint(sides[0], sides[1], {{0, Fr::one()}});
  }
  return circuit;
}

void expect_same_circuit_for_any_threads(const ByteVector& bytes) {
  InlineExecutor alone;
  ThreadPool pool(4);
  auto zkey = open_zkey(as_file(bytes), PointCheck::kNone, pool);
  ASSERT_TRUE(zkey) << message_of(zkey);
  auto one = read_zkey_circuit(*zkey, alone), four = read_zkey_circuit(*zkey, pool);
  ASSERT_TRUE(one && four) << message_of(one) << message_of(four);
  ASSERT_EQ(one->coefficients.size(), four->coefficients.size());
  for (uint32_t i = 0; i < one->coefficients.size(); ++i)
    EXPECT_EQ(one->coefficients[i], four->coefficients[i]);
  for (const auto matrix : {&R1cs::a, &R1cs::b}) {
    EXPECT_TRUE(std::ranges::equal(((*one).*matrix).terms(), ((*four).*matrix).terms()));
    EXPECT_TRUE(std::ranges::equal(((*one).*matrix).row_begins(), ((*four).*matrix).row_begins()));
  }
}

// Enough coefficients for several tasks; in order, out of it, and with a variable twice in a row.
TEST(ZkeyCircuit, IsTheSameForAnyNumberOfThreads) {
  constexpr std::ptrdiff_t kEntry = 44, kCount = 4;
  ScratchFolder folder;
  ByteVector bytes = setup_to_file(circuit_of_long_rows(1000), kSnarkjsForm, folder.path("long.zkey"));
  auto table = SectionTable::read(as_file(bytes), "zkey", 1);
  ASSERT_TRUE(table) << message_of(table);
  const auto entries = bytes.begin() + static_cast<std::ptrdiff_t>(table->find(4)->offset) + kCount;
  ASSERT_GT(table->find(4)->size, 20000u * kEntry);
  expect_same_circuit_for_any_threads(bytes);
  std::swap_ranges(entries + 50 * kEntry, entries + 70 * kEntry, entries + 15000 * kEntry);
  expect_same_circuit_for_any_threads(bytes);
  for (const std::ptrdiff_t i : {100, 9000, 19000})  // the variable of the entry before, which has its row
    std::copy_n(entries + i * kEntry + 8, 4, entries + (i + 1) * kEntry + 8);
  expect_same_circuit_for_any_threads(bytes);
}

// The same secrets in both forms: the .zkey converts to the .params, byte for byte.
void expect_conversion(const R1cs& circuit, DomainRoot root) {
  ScratchFolder folder;
  ThreadPool pool(2);
  KeyForm bellman = kBellmanForm, snarkjs = kSnarkjsForm;
  bellman.domain_root = snarkjs.domain_root = root;
  const ByteVector params = setup_to_file(circuit, bellman, folder.path("x.params"));
  setup_to_file(circuit, snarkjs, folder.path("x.zkey"));
  auto zkey = open_zkey(open_file(folder.path("x.zkey")), PointCheck::kFull, pool);
  ASSERT_TRUE(zkey) << message_of(zkey);
  auto writer = create_params_writer(folder.path("converted.params"), pool);
  ASSERT_TRUE(writer) << message_of(writer);
  zkey->key.domain_root = root;
  const auto status = convert_to_bellman(zkey->key, **writer, pool);
  ASSERT_TRUE(status) << message_of(status);
  ASSERT_TRUE((*writer)->finish());
  EXPECT_TRUE(slurp(folder.path("converted.params")) == params);
}

TEST(Conversion, OfAZkeyIsTheParamsFileOfTheSameSecrets) {
  for (const char* name : {"groth16/one-constraint.r1cs", "groth16/tiny.r1cs"}) {
    SCOPED_TRACE(name);
    for (const DomainRoot root : {DomainRoot::kBellman, DomainRoot::kSnarkjs}) {
      expect_conversion(circuit_of(data_path(name)), root);
    }
  }
}

// Lists without points: no auxiliary variables, nothing in B.
TEST(Conversion, OfTheSmallestCircuits) {
  R1cs only_inputs;
  only_inputs.num_inputs = 2;
  only_inputs.add_constraint({{1, Fr::one()}}, {{1, Fr::one()}}, {{1, Fr::one()}});
  R1cs no_constraints;
  no_constraints.num_inputs = 3;
  for (const DomainRoot root : {DomainRoot::kBellman, DomainRoot::kSnarkjs}) {
    expect_conversion(only_inputs, root);
    expect_conversion(no_constraints, root);
  }
}

TEST(Conversion, RefusesAVariableThatNoConstraintUses) {
  R1cs circuit;
  circuit.num_inputs = 2;
  circuit.num_aux = 2;
  circuit.add_constraint({{1, Fr::one()}}, {{2, Fr::one()}}, {{2, Fr::one()}});
  ScratchFolder folder;
  ThreadPool pool(2);
  setup_to_file(circuit, kSnarkjsForm, folder.path("x.zkey"));
  auto zkey = open_zkey(open_file(folder.path("x.zkey")), PointCheck::kFull, pool);
  ASSERT_TRUE(zkey) << message_of(zkey);
  auto writer = create_params_writer(folder.path("x.params"), pool);
  EXPECT_REFUSED(convert_to_bellman(zkey->key, **writer, pool),
                 "wire 3 (auxiliary 1) occurs in no constraint");
  writer->reset();
  EXPECT_FALSE(std::filesystem::exists(folder.path("x.params")));
  EXPECT_EQ(
      std::distance(std::filesystem::directory_iterator(std::filesystem::path(folder.path("")).parent_path()),
                    {}),
      1);
}

FileReport report_of(const InputFilePtr& file) {
  ThreadPool pool(2);
  auto report = inspect(file, true, pool);
  EXPECT_TRUE(report) << message_of(report);
  return report ? *report : FileReport{};
}

TEST(Inspect, KnowsEveryKindByContent) {
  ScratchFolder folder;
  const Proof proof{G1::generator(), G2::generator(), G1::generator()};
  ASSERT_TRUE(write_proof_bytes(folder.path("p"), proof));
  const std::pair<std::string, FileKind> files[] = {
      {data_path("groth16/tiny.r1cs"), FileKind::kR1cs},
      {data_path("groth16/tiny.wtns"), FileKind::kWtns},
      {data_path("groth16/tiny.params"), FileKind::kParams},
      {data_path("groth16/tiny.vk"), FileKind::kVk},
      {data_path("groth16/ak-381.zkey"), FileKind::kZkey},
      {data_path("groth16/ak-381.proof.json"), FileKind::kProofJson},
      {data_path("groth16/ak-381.public.json"), FileKind::kPublicJson},
      {data_path("groth16/ak-381.verification_key.json"), FileKind::kVerificationKeyJson},
      {folder.path("p"), FileKind::kProofBytes}};
  for (const auto& [path, kind] : files) {
    SCOPED_TRACE(path);
    const ByteVector bytes = slurp(path);
    const FileReport report = report_of(as_file(bytes, "a name that says nothing"));
    EXPECT_EQ(report.kind, kind);
    EXPECT_EQ(report.size_bytes, bytes.size());
    EXPECT_STRNE(file_kind_text(kind), "unknown");
  }
}

TEST(Inspect, CountsAndTestsEveryPoint) {
  ThreadPool pool(2);
  const InputFilePtr file = open_file(data_path("groth16/tiny.params"));
  const FileReport report = report_of(file);
  uint64_t points = 6;
  for (const auto& [name, value] : report.counts) {
    if (name.starts_with("points") || name.starts_with("inputs")) points += value;
  }
  EXPECT_EQ(report.points_tested, points);
  EXPECT_TRUE(report.warnings.empty());
  EXPECT_EQ(inspect(file, false, pool)->points_tested, 0u);
  const std::string sapling = shared_path("data/groth16/zcash/sapling-output.params");
  if (std::filesystem::exists(sapling)) {
    auto record = inspect(open_file(sapling), false, pool);
    ASSERT_TRUE(record) << message_of(record);
    EXPECT_NE(record->trailer.find("phase-2 ceremony"), std::string::npos);
  }
}

// The bytes are those of a verifying key; the name says that more was there.
TEST(Inspect, AParamsFileCutOffAfterItsVerifyingKeyIsRefused) {
  InlineExecutor executor;
  const ByteVector vk = slurp(data_path("groth16/tiny.vk"));
  EXPECT_FALSE(inspect(as_file(vk, "tiny.params"), false, executor));
  EXPECT_TRUE(inspect(as_file(vk, "tiny.vk"), false, executor));
}

TEST(Inspect, WarnsOfKeysThatAnyoneCanForge) {
  ThreadPool pool(2);
  auto vk = read_bellman_vk(open_file(data_path("groth16/tiny.vk")), PointCheck::kFull, pool);
  ASSERT_TRUE(vk) << message_of(vk);
  vk->gamma_g2 = vk->delta_g2 = G2::generator();
  vk->ic[1] = G1Affine::infinity();
  const ByteVector bytes = encode_bellman_vk(*vk, pool);
  EXPECT_EQ(report_of(as_file(bytes)).warnings.size(), 2u);
}

// A point is any bytes: that of 4524 times the generator begins as an array after a tab does.
TEST(Inspect, IsNotFooledByAKeyThatBeginsLikeJson) {
  InlineExecutor executor;
  ByteVector vk = slurp(data_path("groth16/tiny.vk"));
  encode_uncompressed<G1>((G1Xyzz::from_affine(G1::generator()) * Fr::from_u64(4524)).to_affine(), vk.data());
  ASSERT_EQ(vk[0], '\t');
  ASSERT_EQ(vk[1], '[');
  EXPECT_FALSE(looks_like_json(*as_file(vk)));
  EXPECT_EQ(report_of(as_file(vk)).kind, FileKind::kVk);
}

TEST(Inspect, SaysWhatOtherFilesAre) {
  InlineExecutor executor;
  auto refused = [&](const std::string& text, const char* part) {
    const ByteVector bytes(text.begin(), text.end());
    EXPECT_REFUSED(inspect(as_file(bytes), true, executor), part);
  };
  refused("", "it is empty");
  refused("<html>404</html>", "HTML");
  refused("ptau....", "powers-of-tau");
  refused("\x28\xb5\x2f\xfd....", "zstd");
  refused("{\"a\": 1}", "a JSON object without");
  refused("{\"a\": ", "does not parse");
  refused("{\"pi_a\": " + std::string(1'000'000, '['), "nested deeper than 64 levels");
  refused("hello world", "its first bytes are 68656c6c");
  // Damaged keys are recognised by their name.
  const ByteVector params = slurp(data_path("groth16/tiny.params"));
  const ByteVector half(params.begin(), params.begin() + static_cast<std::ptrdiff_t>(params.size() / 2));
  EXPECT_REFUSED(inspect(as_file(half, "x.params"), true, executor), "truncated");
  EXPECT_REFUSED(inspect(as_file({}, "x.params"), true, executor), "it is empty");
}

}  // namespace
}  // namespace cuzk
