#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "base/mapped_file.hpp"
#include "base/random.hpp"
#include "hash/blake2b.hpp"
#include "hash/poseidon.hpp"
#include "hash/poseidon_lanes.hpp"
#include "hash/sha256.hpp"

namespace cuzk {
namespace {

const std::string kShared = CUZK_SOURCE_DIR "/../shared";

Bytes bytes_of(const std::string& text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

TEST(Sha256, PublishedVectors) {
  EXPECT_EQ(to_hex(sha256({})), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(to_hex(sha256(bytes_of("abc"))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(to_hex(sha256(bytes_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"))),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, KernelsAgreeAtEveryLengthAndSplit) {
  TestRandom random(1);
  for (size_t length = 0; length < 300; ++length) {
    std::vector<uint8_t> data(length);
    random.fill(data);
    Digest256 portable = Sha256(Sha256Kernel::kPortable).update(data).finish();
    EXPECT_EQ(sha256(data), portable) << length;
    size_t cut = length == 0 ? 0 : random.next() % length;
    Digest256 split = Sha256().update(Bytes(data).first(cut)).update(Bytes(data).subspan(cut)).finish();
    EXPECT_EQ(split, portable) << length << " " << cut;
  }
}

TEST(Blake2b, PublishedVectors) {
  EXPECT_EQ(to_hex(Blake2b256::of({})), "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
  EXPECT_EQ(to_hex(Blake2b512::of(bytes_of("abc"))),
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
            "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
}

TEST(Poseidon, OptimisedEqualsTextbook) {
  TestRandom random(2);
  for (size_t arity : {1, 2, 3, 4, 8, 11, 16}) {
    std::vector<Fr> preimage(arity);
    for (Fr& element : preimage) element = Fr::random(random);
    EXPECT_EQ(poseidon_hash(preimage), poseidon_hash_textbook(preimage)) << arity;
    EXPECT_EQ(poseidon_hash(preimage, PoseidonDomain::kRandomness),
              poseidon_hash_textbook(preimage, PoseidonDomain::kRandomness));
  }
}

// neptune's hash of 0, 1, … arity - 1.
TEST(Poseidon, NeptuneVectors) {
  std::ifstream file(kShared + "/data/poseidon/neptune-vectors.json");
  if (!file) GTEST_SKIP() << "no shared data";
  auto json = nlohmann::json::parse(file);
  for (auto& [arity, vector] : json["vectors"]["standard_merkle"].items()) {
    std::vector<Fr> preimage(std::stoul(arity));
    for (size_t i = 0; i < preimage.size(); ++i) preimage[i] = Fr::from_u64(i);
    uint8_t bytes[32];
    poseidon_hash(preimage).to_le_bytes(bytes);
    EXPECT_EQ(to_hex(bytes), vector["le_hex"].get<std::string>()) << arity;
  }
}

TEST(Poseidon, GrainConstants) {
  std::ifstream file(kShared + "/data/poseidon/grain-round_constants-1-1-255-9-8-57.txt");
  if (!file) GTEST_SKIP() << "no shared data";
  std::stringstream text;
  text << file.rdbuf();
  const std::string all = text.str();
  const PoseidonConstants& constants = poseidon_constants(8);
  ASSERT_EQ(constants.full_rounds, 8u);
  ASSERT_EQ(constants.partial_rounds, 57u);
  size_t at = all.find("['0x");
  for (const Fr& constant : constants.round_constants) {
    at = all.find("0x", at);
    ASSERT_NE(at, std::string::npos);
    uint8_t bytes[32];
    constant.to_be_bytes(bytes);
    EXPECT_EQ(all.substr(at + 2, 64), to_hex(bytes));
    at += 2;
  }
  EXPECT_EQ(all.find("0x", at), std::string::npos);
}

// Merkle-Damgård over 71 ones, as filecoin-hashers' test has it.
TEST(Poseidon, MerkleDamgard) {
  std::vector<Fr> ones(71, Fr::one());
  Fr::Int expected{{0x351c54133b332c90, 0xc26f6d625f4e8195, 0x5fd9623643ed9622, 0x59f42220e09ff6f7}};
  EXPECT_EQ(poseidon_hash_md(ones).to_canonical(), expected);
}

TEST(PoseidonLanes, EveryKernelWritesTheScalarTrace) {
  TestRandom random(77);
  const Fr edges[] = {Fr::zero(), Fr::one(), -Fr::one(), Fr::from_montgomery(Fr::kR2)};
  for (size_t arity : {1, 2, 4, 8, 11, 15}) {
    const PoseidonConstants& c = poseidon_constants(arity);
    const size_t size = poseidon_trace_size(c);
    for (size_t count : {1, 2, 4, 7, 17}) {
      std::vector<Fr> preimages(arity * count);
      for (Fr& element : preimages)
        element = random.next() % 3 == 0 ? edges[random.next() % 4] : Fr::random(random);
      std::vector<Fr> expected(size * count);
      std::vector<PoseidonLane> lanes(count);
      for (size_t i = 0; i < count; ++i) lanes[i] = {&preimages[i * arity], &expected[i * size]};
      const auto domain = count == 2 ? PoseidonDomain::kRandomness : PoseidonDomain::kMerkleTree;
      detail::poseidon_traces_by(nullptr, c, domain, lanes);
      for (size_t i = 0; i < count; ++i)
        EXPECT_EQ(expected[(i + 1) * size - 1], poseidon_hash({&preimages[i * arity], arity}, domain));
      for (const detail::PoseidonKernel* kernel : detail::poseidon_kernels()) {
        std::vector<Fr> found(size * count, Fr::zero());
        for (size_t i = 0; i < count; ++i) lanes[i].trace = &found[i * size];
        detail::poseidon_traces_by(kernel, c, domain, lanes);
        EXPECT_EQ(found, expected) << "arity " << arity << ", " << count << " lanes";
      }
    }
  }
}

}  // namespace
}  // namespace cuzk
