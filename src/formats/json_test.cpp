#include <gtest/gtest.h>

#include "formats/bellman_vk.hpp"
#include "formats/decimal.hpp"
#include "formats/snarkjs_json.hpp"
#include "formats/test_files.hpp"
#include "formats/zkey_file.hpp"

namespace cuzk {
namespace {

using namespace test;

const char* const kR = "52435875175126190479447740508185965837690552500527637822603658699938581184513";

std::string text_of(const std::string& path) {
  const ByteVector bytes = slurp(path);
  return std::string(bytes.begin(), bytes.end());
}
std::string with(std::string text, const std::string& from, const std::string& to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

TEST(Decimal, BothWays) {
  TestRandom random(3);
  for (int i = 0; i < 200; ++i) {
    const Fr value = Fr::random(random);
    EXPECT_EQ(*parse_fr(to_decimal(value.to_canonical())), value);
    uint8_t bytes[32];
    value.to_be_bytes(bytes);
    EXPECT_EQ(*parse_fr("0x" + to_hex(bytes)), value);
  }
  EXPECT_EQ(to_decimal(BigInt<4>::zero()), "0");
  EXPECT_EQ(to_decimal(Fr::kModulus), kR);
  EXPECT_FALSE(parse_integer<4>(std::string(78, '9')));
  EXPECT_TRUE(
      parse_integer<4>("115792089237316195423570985008687907853269984665640564039457584007913129639935"));
  EXPECT_FALSE(
      parse_integer<4>("115792089237316195423570985008687907853269984665640564039457584007913129639936"));
}

TEST(Decimal, OnlyCanonicalNumbers) {
  EXPECT_REFUSED(parse_fr(kR), "is not below r");
  EXPECT_REFUSED(parse_fr("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001"),
                 "is not below r");
  EXPECT_REFUSED(parse_fr("0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000002"),
                 "is not below r");
  EXPECT_REFUSED(parse_fr(std::string(100000, '9')), "is not below r");
  for (const char* text : {"", "0x", "-1", "+1", " 1", "1 ", "1.0", "1e3", "0b1", "ten", "0xg"}) {
    EXPECT_REFUSED(parse_fr(text), "is not a number");
  }
  EXPECT_EQ(*parse_fr("0XfF"), Fr::from_u64(255));
}

TEST(PublicJson, RefusesWhatIsNotExact) {
  auto values = parse_public_json(R"(["1", "0x10", 7, 18446744073709551615])", "public.json");
  ASSERT_TRUE(values) << message_of(values);
  EXPECT_EQ(*values,
            (std::vector<Fr>{Fr::from_u64(1), Fr::from_u64(16), Fr::from_u64(7), Fr::from_u64(UINT64_MAX)}));
  auto refused = [](const std::string& text, const char* part) {
    EXPECT_REFUSED(parse_public_json(text, "public.json"), part);
  };
  refused(std::string("[\"0\", \"") + kR + "\"]", "public input 1: ");
  refused(std::string("[\"0\", \"") + kR + "\"]", "is not below r");
  refused("[1, 18446744073709551616]", "public input 1: the bare JSON number");
  refused("[1.5]", "public input 0");
  refused("[-1]", "public input 0");
  refused("[1e400]", "not valid JSON");
  refused("[null]", "a JSON null");
  refused("[[\"1\"]]", "a JSON array");
  refused("{}", "expected an array");
  refused("[\"1\"", "byte 5: not valid JSON");
  refused("[\"1\"] x", "byte 7: not valid JSON");
  refused("[\"\xff\"]", "not valid JSON");
  EXPECT_TRUE(parse_public_json("[]", "public.json")->empty());
  refused(std::string(64, '['), "not valid JSON");
  refused(std::string(100000, '['), "nested deeper than 64 levels");
}

TEST(ProofJson, RoundTripsToTheByte) {
  std::vector<std::string> paths = {data_path("groth16/ak-381.proof.json")};
  if (std::filesystem::exists(shared_path("data/groth16/snarkjs"))) {
    paths.push_back(shared_path("data/groth16/snarkjs/caseA.proof.json"));
    paths.push_back(shared_path("data/groth16/snarkjs/caseB.proof.json"));
  }
  for (const std::string& path : paths) {
    auto proof = read_proof_json(open_file(path));
    ASSERT_TRUE(proof) << message_of(proof);
    EXPECT_EQ(proof_to_json(*proof), text_of(path)) << path;
  }
  auto values = read_public_json(open_file(data_path("groth16/ak-381.public.json")));
  ASSERT_TRUE(values) << message_of(values);
  EXPECT_EQ(public_to_json(*values), text_of(data_path("groth16/ak-381.public.json")));
}

TEST(ProofJson, BadInputIsRefusedByName) {
  const std::string good = text_of(data_path("groth16/ak-381.proof.json"));
  auto refused = [](const std::string& text, const char* part) {
    EXPECT_REFUSED(parse_proof_json(text, "proof.json"), part);
  };
  refused(with(good, "bls12381", "bn128"), "curve: wrong curve: found \"bn128\"");
  refused(with(good, "groth16", "plonk"), "protocol: found \"plonk\"");
  refused(with(good, "pi_c", "pi_d"), "\"pi_c\" is missing");
  refused(with(good, "1772906745", "1772906746"), "pi_a: the point is not on the curve");
  refused(with(good, "1772906745", "17729067450000000000"), "pi_a[0]: ");
  refused(with(good, "\"1358486866", "\"-1358486866"), "pi_b[0][0]: ");
  refused(with(good, "\"1\"\n ],\n \"pi_b\"", "\"2\"\n ],\n \"pi_b\""), "pi_a: the third coordinate");
  refused("{}", "\"protocol\" is missing");
  // Deep enough that a function which calls itself for each level would use up its stack.
  const std::string deep = std::string(2'000'000, '[') + std::string(2'000'000, ']');
  refused(with(good, "\"groth16\"", deep), "nested deeper than 64 levels");
  // Brackets in strings are no levels, escaped quotes do not end one.
  refused(with(good, "groth16", std::string("\\\"") + std::string(100, '[')), "protocol: found");
  refused("[]", "expected an object");
  refused(R"({"protocol":"groth16","curve":"bls12381","pi_a":["0","1","0"]})", "pi_a: infinity");
  refused(R"({"protocol":"groth16","curve":"bls12381","pi_a":["0","0","1"]})",
          "pi_a: the point is not on the curve");
  refused(R"({"protocol":"groth16","curve":"bls12381","pi_a":["4","0","1","1"]})", "4 elements, expected 3");
  EXPECT_TRUE(parse_proof_json(with(good, "bls12381", "BLS12-381"), "proof.json"));
  EXPECT_REFUSED(read_proof_json(as_file({})), "it is empty");
  EXPECT_REFUSED(read_proof_json(open_file(data_path("groth16/tiny.r1cs"))), "it is a circom .r1cs file");
}

// On the curve, outside the subgroup: x = 4.
TEST(ProofJson, RefusesPointsOutsideTheSubgroup) {
  const Fp y = *sqrt(Fp::from_u64(68));
  EXPECT_REFUSED(parse_proof_json(R"({"protocol":"groth16","curve":"bls12381","pi_a":["4",")" +
                                      to_decimal(y.to_canonical()) + R"(","1"]})",
                                  "proof.json"),
                 "pi_a: the point is not in the subgroup");
}

TEST(VerificationKeyJson, RoundTripsToTheByte) {
  std::vector<std::string> paths = {data_path("groth16/ak-381.verification_key.json"),
                                    data_path("snarkjs/verification_key.json")};
  if (std::filesystem::exists(shared_path("data/groth16/snarkjs"))) {
    paths.push_back(shared_path("data/groth16/snarkjs/caseA.verification_key.json"));
    paths.push_back(shared_path("data/groth16/snarkjs/caseB.verification_key.json"));
  }
  for (const std::string& path : paths) {
    auto vk = read_verification_key_json(open_file(path));
    ASSERT_TRUE(vk) << message_of(vk);
    EXPECT_EQ(verification_key_to_json(*vk), text_of(path)) << path;
  }
}

TEST(VerificationKeyJson, IsTheKeyOfTheZkey) {
  ThreadPool pool(2);
  for (const auto& [json, zkey] : {std::pair{"groth16/ak-381.verification_key.json", "groth16/ak-381.zkey"},
                                   std::pair{"snarkjs/verification_key.json", "snarkjs/poseidon.zkey"}}) {
    auto key = open_zkey(open_file(data_path(zkey)), PointCheck::kFull, pool);
    ASSERT_TRUE(key) << message_of(key);
    EXPECT_EQ(verification_key_to_json(key->key.vk), text_of(data_path(json)));
  }
}

TEST(VerificationKeyJson, BadInputIsRefusedByName) {
  const std::string good = text_of(data_path("groth16/ak-381.verification_key.json"));
  auto refused = [](const std::string& text, const char* part) {
    EXPECT_REFUSED(parse_verification_key_json(text, "vk.json"), part);
  };
  refused(with(good, "\"nPublic\": 2", "\"nPublic\": 3"), "nPublic: found 3, but IC has 3 points");
  refused(with(good, "\"nPublic\": 2", "\"nPublic\": -1"), "nPublic: found -1");
  refused(with(good, "bls12381", "bn128"), "wrong curve");
  refused(with(good, "\"IC\"", "\"CI\""), "\"IC\" is missing");
  refused(with(good, "3764231095", "3764231096"), "vk_beta_2: the point is not on the curve");
  // An input that no constraint binds: read, with infinity in its place.
  const size_t last = good.rfind("\"2156395363");
  const size_t end = good.find(']', last);
  auto vk =
      parse_verification_key_json(good.substr(0, last) + "\"0\", \"1\", \"0\"" + good.substr(end), "vk.json");
  ASSERT_TRUE(vk) << message_of(vk);
  EXPECT_TRUE(vk->ic[2].is_infinity());
}

}  // namespace
}  // namespace cuzk
