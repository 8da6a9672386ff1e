// .r1cs and .wtns: round trips and bad input.
#include <gtest/gtest.h>

#include "formats/r1cs_file.hpp"
#include "formats/test_files.hpp"
#include "formats/wtns_file.hpp"
#include "r1cs/density.hpp"
#include "r1cs/evaluate.hpp"

namespace cuzk {
namespace {

using namespace test;

void expect_r1cs_round_trip(const ByteVector& bytes, const ScratchFolder& folder) {
  auto file = read_r1cs(as_file(bytes));
  ASSERT_TRUE(file) << message_of(file);
  ASSERT_TRUE(write_r1cs(folder.path("out.r1cs"), *file));
  EXPECT_TRUE(slurp(folder.path("out.r1cs")) == bytes);
}

void expect_wtns_round_trip(const ByteVector& bytes, const ScratchFolder& folder) {
  ThreadPool pool(2);
  auto values = read_wtns(as_file(bytes), pool);
  ASSERT_TRUE(values) << message_of(values);
  ASSERT_TRUE(write_wtns(folder.path("out.wtns"), *values));
  EXPECT_TRUE(slurp(folder.path("out.wtns")) == bytes);
  EXPECT_EQ(*wtns_size(as_file(bytes)), values->size());
}

void expect_satisfied(const ByteVector& r1cs, const ByteVector& wtns) {
  ThreadPool pool(2);
  auto file = read_r1cs(as_file(r1cs));
  auto values = read_wtns(as_file(wtns), pool);
  ASSERT_TRUE(file && values) << message_of(file) << message_of(values);
  auto status = check_satisfied(file->circuit, *values, pool);
  EXPECT_TRUE(status) << message_of(status);
  // Inputs may be unused, auxiliaries are not in these circuits: changing the last one breaks a constraint.
  for (const uint32_t variable : unused_variables(file->circuit))
    EXPECT_LT(variable, file->circuit.num_inputs);
  values->back() += Fr::one();
  EXPECT_FALSE(check_satisfied(file->circuit, *values, pool));
}

TEST(R1csFile, RoundTripsToTheByte) {
  ScratchFolder folder;
  for (const char* name : {"groth16/one-constraint", "groth16/tiny"}) {
    expect_r1cs_round_trip(slurp(data_path(std::string(name) + ".r1cs")), folder);
    expect_wtns_round_trip(slurp(data_path(std::string(name) + ".wtns")), folder);
    expect_satisfied(slurp(data_path(std::string(name) + ".r1cs")),
                     slurp(data_path(std::string(name) + ".wtns")));
  }
}

// Written by circom itself: sections in another order, so only the content is the same.
TEST(R1csFile, ReadsCircom) {
  ScratchFolder folder;
  const ByteVector bytes = slurp(data_path("snarkjs/poseidon.r1cs"));
  auto file = read_r1cs(as_file(bytes));
  ASSERT_TRUE(file) << message_of(file);
  EXPECT_EQ(file->labels.size(), file->circuit.num_variables());
  expect_satisfied(bytes, slurp(data_path("snarkjs/poseidon.wtns")));
  ASSERT_TRUE(write_r1cs(folder.path("out.r1cs"), *file));
  const ByteVector ours = slurp(folder.path("out.r1cs"));
  EXPECT_EQ(ours.size(), bytes.size());
  expect_r1cs_round_trip(ours, folder);
  expect_satisfied(ours, slurp(data_path("snarkjs/poseidon.wtns")));
}

TEST(R1csFile, RoundTripsSharedVectors) {
  if (!std::filesystem::exists(shared_path("vectors/groth16"))) GTEST_SKIP() << "no ../shared/vectors";
  ScratchFolder folder;
  for (const char* name : {"mixed-1000", "just-under-1024", "just-over-1024", "inputs-only"}) {
    const std::string path = shared_path(std::string("vectors/groth16/") + name);
    expect_r1cs_round_trip(slurp(path + ".r1cs"), folder);
    expect_wtns_round_trip(slurp(path + ".wtns"), folder);
    expect_satisfied(slurp(path + ".r1cs"), slurp(path + ".wtns"));
  }
}

class SmallR1cs {
 public:
  SmallR1cs() : bytes(slurp(data_path("groth16/tiny.r1cs"))) {}
  // Offsets in tiny.r1cs: header section 12…, its content at 24; constraints at 88, content at 100.
  static constexpr size_t kHeader = 24, kConstraints = 100;
  ByteVector bytes;
  ByteVector with_u32(size_t at, uint32_t value) const {
    ByteVector out = bytes;
    store_le32(out.data() + at, value);
    return out;
  }
};

TEST(R1csFile, EveryTruncationIsRefused) {
  const SmallR1cs file;
  for (size_t size = 0; size < file.bytes.size(); ++size) {
    const ByteVector cut(file.bytes.begin(), file.bytes.begin() + static_cast<std::ptrdiff_t>(size));
    auto result = read_r1cs(as_file(cut));
    EXPECT_FALSE(result) << size;
  }
  ByteVector longer = file.bytes;
  longer.push_back(0);
  EXPECT_REFUSED(read_r1cs(as_file(longer)), "1 bytes after the last section");
  EXPECT_REFUSED(read_r1cs(as_file({})), "empty");
}

TEST(R1csFile, HostileNumbersAreRefusedByName) {
  const SmallR1cs file;
  auto refused = [&](size_t at, uint32_t value, const char* part) {
    const ByteVector bytes = file.with_u32(at, value);
    EXPECT_REFUSED(read_r1cs(as_file(bytes)), part);
  };
  refused(4, 2, "version 2");
  refused(8, 0xffffffff, "4294967295 sections do not fit");
  refused(8, 4, "section 4 of 4");
  refused(16, 0xffffffff, "truncated or damaged");
  refused(20, 0xffffffff, "truncated or damaged");  // a length beyond 2^63
  refused(12, 7, "section 1 (header) is missing");
  refused(88, 1, "a second section of type 1");
  refused(SmallR1cs::kHeader, 0xfffffff8, "field elements of 4294967288 bytes");
  refused(SmallR1cs::kHeader + 4, 7, "wrong curve");
  refused(SmallR1cs::kHeader + 36, 8, "wires are fewer");           // wires
  refused(SmallR1cs::kHeader + 40, 0xffffffff, "wires are fewer");  // outputs: sums beyond 2^32
  refused(SmallR1cs::kHeader + 60, 0xffffffff, "4294967295 constraints");
  refused(SmallR1cs::kHeader + 60, 4, "bytes too many");
  refused(SmallR1cs::kConstraints, 0xffffffff, "too many");
  refused(SmallR1cs::kConstraints, 0x00ffffff, "16777215 terms need");
  refused(SmallR1cs::kConstraints + 4, 12, "wire 12, but the circuit has only 12");
  refused(SmallR1cs::kConstraints + 8 + 28, 0x73eda754, "not below r");
}

// A setup would allocate memory for each.
TEST(R1csFile, RefusesBillionsOfWiresThatNothingNames) {
  R1cs circuit;
  circuit.num_aux = 1;
  circuit.add_constraint({{1, Fr::one()}}, {{1, Fr::one()}}, {{1, Fr::one()}});
  ScratchFolder folder;
  ASSERT_TRUE(write_r1cs(folder.path("x.r1cs"), as_r1cs_file(circuit)));
  ByteVector bytes = slurp(folder.path("x.r1cs"));
  store_le32(bytes.data() + SmallR1cs::kHeader + 36, 0xffffffff);
  EXPECT_REFUSED(read_r1cs(as_file(bytes)), "4294967295 wires, but the file has no labels and only 3 terms");
  store_le32(bytes.data() + SmallR1cs::kHeader + 44, 0xfffffffe);  // all of them public
  EXPECT_REFUSED(read_r1cs(as_file(bytes)), "4294967295 wires");
  store_le32(bytes.data() + SmallR1cs::kHeader + 36, 3);
  store_le32(bytes.data() + SmallR1cs::kHeader + 44, 0);
  EXPECT_TRUE(read_r1cs(as_file(bytes)));
}

TEST(R1csFile, NamesOtherCurves) {
  SmallR1cs file;
  BigInt<4>::from_hex("30644e72e131a029b85045b68181585d2833e84879b9709143e1f593f0000001")
      .to_le_bytes(file.bytes.data() + SmallR1cs::kHeader + 4);
  EXPECT_REFUSED(read_r1cs(as_file(file.bytes)), "wrong curve: the modulus is the group order of bn128");
  EXPECT_REFUSED(read_r1cs(as_file(slurp(data_path("groth16/tiny.wtns")))), "it is a .wtns file");
}

TEST(R1csFile, SumsLikeTermsAndDropsZeroOnes) {
  // 2x + 3x + 0·y in A, as an unsorted list.
  R1csFile file;
  file.circuit.num_aux = 2;
  file.circuit.add_constraint({{2, Fr::from_u64(2)}, {1, Fr::from_u64(3)}}, {{1, Fr::one()}}, {});
  ScratchFolder folder;
  ASSERT_TRUE(write_r1cs(folder.path("x.r1cs"), as_r1cs_file(file.circuit)));
  ByteVector bytes = slurp(folder.path("x.r1cs"));
  store_le32(bytes.data() + SmallR1cs::kConstraints + 40, 2);  // both terms name wire 2
  auto merged = read_r1cs(as_file(bytes));
  ASSERT_TRUE(merged) << message_of(merged);
  ASSERT_EQ(merged->circuit.a.row(0).size(), 1u);
  EXPECT_EQ(merged->circuit.coefficients[merged->circuit.a.row(0)[0].coefficient], Fr::from_u64(5));
  std::fill_n(bytes.begin() + SmallR1cs::kConstraints + 8, 32, uint8_t{0});
  auto dropped = read_r1cs(as_file(bytes));
  ASSERT_TRUE(dropped) << message_of(dropped);
  EXPECT_EQ(dropped->circuit.coefficients[dropped->circuit.a.row(0)[0].coefficient], Fr::from_u64(3));
}

TEST(R1csFile, RefusesCustomGates) {
  SmallR1cs file;
  store_le32(file.bytes.data() + 8, 4);
  ByteVector section = {4, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  ByteVector bytes = file.bytes;
  bytes.insert(bytes.end(), section.begin(), section.end());
  EXPECT_TRUE(read_r1cs(as_file(bytes)));  // an empty list
  bytes[bytes.size() - 4] = 1;
  EXPECT_REFUSED(read_r1cs(as_file(bytes)), "custom gates");
}

TEST(WtnsFile, BadInputIsRefusedByName) {
  InlineExecutor executor;
  const ByteVector good = slurp(data_path("groth16/tiny.wtns"));
  for (size_t size = 0; size < good.size(); ++size) {
    const ByteVector cut(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(read_wtns(as_file(cut), executor)) << size;
  }
  auto refused = [&](size_t at, uint32_t value, const char* part) {
    ByteVector bytes = good;
    store_le32(bytes.data() + at, value);
    EXPECT_REFUSED(read_wtns(as_file(bytes), executor), part);
  };
  refused(4, 1, "version 1");
  refused(24, 64, "");
  refused(28, 0, "wrong curve");
  refused(60, 13, "expected 416 (32 for each of the 13 values");
  refused(60, 0xffffffff, "the section has 384 bytes, expected 137438953440");
  refused(76 + 5 * 32 + 28, 0x73eda754, "value 5 is not below r");
  ByteVector longer = good;
  longer.push_back(1);
  EXPECT_REFUSED(read_wtns(as_file(longer), executor), "after the last section");
  // A million empty sections: refused at once, not searched through.
  constexpr uint32_t kSections = 1'000'000;
  ByteVector many(good.begin(), good.begin() + 12);
  store_le32(many.data() + 8, kSections);
  many.resize(12 + size_t{12} * kSections);
  for (uint32_t i = 0; i < kSections; ++i) store_le32(many.data() + 12 + size_t{12} * i, 100 + i);
  EXPECT_REFUSED(read_wtns(as_file(many), executor), "1000000 sections, expected at most 1024");
}

// A file that shrinks or changes after it was opened is an error, not a crash (A18).
TEST(InputFile, NoticesChanges) {
  ScratchFolder folder;
  const std::string path = folder.path("file");
  spill(path, ByteVector(100000, 7));
  auto file = open_file(path);
  ByteVector out(50000);
  ASSERT_TRUE(file->read(50000, out));
  ASSERT_TRUE(file->check_unchanged());
  std::filesystem::resize_file(path, 60000);
  auto status = file->read(50000, out);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("60000"), std::string::npos) << status.error().message;
  EXPECT_FALSE(file->check_unchanged());
  EXPECT_FALSE(InputFile::open(folder.path("")));
  EXPECT_EQ(InputFile::open(folder.path("absent")).error().code, ErrorCode::kNotFound);
}

// Nothing but the constant one; no values.
TEST(R1csFile, WithoutVariablesAndConstraints) {
  ScratchFolder folder;
  InlineExecutor executor;
  ASSERT_TRUE(write_r1cs(folder.path("x.r1cs"), as_r1cs_file(R1cs{})));
  const ByteVector bytes = slurp(folder.path("x.r1cs"));
  auto file = read_r1cs(as_file(bytes));
  ASSERT_TRUE(file) << message_of(file);
  EXPECT_EQ(file->circuit.num_variables(), 1u);
  EXPECT_EQ(file->circuit.num_constraints(), 0u);
  EXPECT_TRUE(check_satisfied(file->circuit, std::vector<Fr>{Fr::one()}, executor));
  ByteVector no_wires = bytes;
  store_le32(no_wires.data() + SmallR1cs::kHeader + 36, 0);
  EXPECT_REFUSED(read_r1cs(as_file(no_wires)), "0 wires are fewer than the constant one");

  ASSERT_TRUE(write_wtns(folder.path("x.wtns"), {}));
  const ByteVector no_values = slurp(folder.path("x.wtns"));
  auto values = read_wtns(as_file(no_values), executor);
  ASSERT_TRUE(values) << message_of(values);
  EXPECT_FALSE(check_satisfied(file->circuit, *values, executor));
}

// Sections beyond 32 GiB, in a sparse file (A17): an unknown section of 33 GiB before the others.
TEST(R1csFile, SectionsBeyondThirtyTwoGigabytes) {
  ScratchFolder folder;
  const SmallR1cs file;
  const std::string path = folder.path("huge.r1cs");
  constexpr uint64_t kSkip = uint64_t{33} << 30;
  ByteVector head(file.bytes.begin(), file.bytes.begin() + 12);
  store_le32(head.data() + 8, 4);
  head.resize(24);
  store_le32(head.data() + 12, 99);
  store_le64(head.data() + 16, kSkip);
  spill(path, head);
  std::error_code error;
  std::filesystem::resize_file(path, 24 + kSkip, error);
  if (error) GTEST_SKIP() << "no sparse files here: " << error.message();
  std::fstream out(path, std::ios::binary | std::ios::in | std::ios::out);
  out.seekp(static_cast<std::streamoff>(24 + kSkip));
  out.write(reinterpret_cast<const char*>(file.bytes.data() + 12),
            static_cast<std::streamsize>(file.bytes.size() - 12));
  out.close();
  auto result = read_r1cs(open_file(path));
  ASSERT_TRUE(result) << message_of(result);
  EXPECT_EQ(result->circuit.num_constraints(), read_r1cs(as_file(file.bytes))->circuit.num_constraints());
}

}  // namespace
}  // namespace cuzk
