// Proofs and keys that others made: valid and invalid ones are told apart as labelled.
#include "device/cpu/cpu_device.hpp"
#include "formats/bellman_params.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/snarkjs_json.hpp"
#include "formats/zkey_file.hpp"
#include "groth16/prove.hpp"
#include "groth16/verify.hpp"
#include "vectors.hpp"

namespace cuzk::vectors {
namespace {

const std::string kFolder = shared("data/groth16/");

#define SKIP_WITHOUT(file) \
  if (!std::ifstream(file)) GTEST_SKIP() << "no " << (file)

InputFilePtr open(const std::string& path) {
  auto file = InputFile::open(path);
  EXPECT_TRUE(file) << file.error().message;
  return *file;
}

// Compressed points one after the other.
class CompressedReader {
 public:
  explicit CompressedReader(const std::string& hex) : bytes_(*from_hex(hex)) {}
  template <class G>
  typename G::Point next() {
    auto point = decode_compressed<G>(bytes_.data() + at_, PointCheck::kFull);
    EXPECT_TRUE(point) << point_error_text(point.error());
    at_ += kCompressedBytes<G>;
    return point.value_or(G::Point::infinity());
  }
  bool at_end() const { return at_ == bytes_.size(); }

 private:
  std::vector<uint8_t> bytes_;
  size_t at_ = 0;
};

TEST(Waves, CasesAreValidOrInvalidAsLabelled) {
  const std::string path = kFolder + "waves/groth16-bls12381-waves.json";
  SKIP_WITHOUT(path);
  const json cases = read_json(path).at("cases");
  ASSERT_EQ(cases.size(), 11u);
  for (const json& c : cases) {
    CompressedReader in(c.at("vk").get<std::string>());
    VerifyingKey vk;
    vk.alpha_g1 = in.next<G1>();
    vk.beta_g2 = in.next<G2>();
    vk.gamma_g2 = in.next<G2>();
    vk.delta_g2 = in.next<G2>();
    vk.beta_g1 = vk.delta_g1 = G1Affine::infinity();  // not in this form, and not needed to verify
    while (!in.at_end()) vk.ic.push_back(in.next<G1>());
    auto proof = decode_proof(*from_hex(c.at("proof").get<std::string>()));
    ASSERT_TRUE(proof) << proof.error().message;
    auto verdict = verify(PreparedVerifyingKey(vk), *proof, frs_from_hex(c.at("inputs_be")));
    ASSERT_TRUE(verdict) << verdict.error().message;
    EXPECT_EQ(*verdict, c.at("ok").get<bool>());
  }
}

TEST(Sapling, OutputProofsOfTheChainVerifyUnderTheRealKey) {
  const std::string folder = kFolder + "zcash/";
  SKIP_WITHOUT(folder + "sapling-output.vk");
  ThreadPool executor(2);
  auto vk = read_bellman_vk(open(folder + "sapling-output.vk"), PointCheck::kFull, executor);
  ASSERT_TRUE(vk) << vk.error().message;
  auto params = open_params(open(folder + "sapling-output.params"), PointCheck::kCurve, executor);
  ASSERT_TRUE(params) << params.error().message;
  EXPECT_EQ(params->key.vk, *vk);
  EXPECT_TRUE(key_warnings(*vk).empty());

  const PreparedVerifyingKey prepared(*vk);
  std::vector<ProofInstance> all;
  const json outputs = read_json(folder + "sapling-output-proofs.json").at("outputs");
  for (const json& output : outputs) {
    auto proof = decode_proof(*from_hex(output.at("proof").get<std::string>()));
    ASSERT_TRUE(proof) << proof.error().message;
    ProofInstance instance{*proof, frs_from_hex(output.at("public_inputs"))};
    auto verdict = verify(prepared, instance.proof, instance.inputs);
    ASSERT_TRUE(verdict);
    EXPECT_TRUE(*verdict);
    all.push_back(std::move(instance));
    // The proof of one output is not that of another.
    if (all.size() > 1) {
      EXPECT_FALSE(*verify(prepared, all[0].proof, all.back().inputs));
    }
  }
  ASSERT_EQ(all.size(), 25u);
  TestRandom random(1);
  EXPECT_TRUE(find_invalid(prepared, all, random, executor)->empty());
  std::swap(all[3].inputs, all[17].inputs);
  EXPECT_EQ(*find_invalid(prepared, all, random, executor), (std::vector<size_t>{3, 17}));
}

TEST(Snarkjs, ProofsVerifyAndChangedOnesDoNot) {
  SKIP_WITHOUT(kFolder + "snarkjs/caseA.proof.json");
  std::vector<std::string> stems = {"snarkjs/caseA.", "snarkjs/caseB.", "ak-381/"};
  for (const std::string& stem : stems) {
    SCOPED_TRACE(stem);
    auto vk = read_verification_key_json(open(kFolder + stem + "verification_key.json"));
    auto proof = read_proof_json(open(kFolder + stem + "proof.json"));
    auto inputs = read_public_json(open(kFolder + stem + "public.json"));
    ASSERT_TRUE(vk && proof && inputs);
    const PreparedVerifyingKey prepared(*vk);
    EXPECT_TRUE(*verify(prepared, *proof, *inputs));
    (*inputs)[0] += Fr::one();
    EXPECT_FALSE(*verify(prepared, *proof, *inputs));
    (*inputs)[0] -= Fr::one();
    inputs->push_back(Fr::zero());
    EXPECT_FALSE(verify(prepared, *proof, *inputs));
  }
}

TEST(Snarkjs, WeProveWithAZkeyOfOthers) {
  const std::string path = kFolder + "ak-381/3_fac_final.zkey";
  SKIP_WITHOUT(path);
  ThreadPool executor(2);
  auto zkey = open_zkey(open(path), PointCheck::kFull, executor);
  ASSERT_TRUE(zkey) << zkey.error().message;
  auto circuit = read_zkey_circuit(*zkey);
  ASSERT_TRUE(circuit) << circuit.error().message;
  std::vector<Fr> witness;
  for (uint64_t v : {1, 561, 3, 11, 17, 33}) witness.push_back(Fr::from_u64(v));
  CpuDevice device(executor);
  auto resident = ResidentKey::load(device, zkey->key, std::make_shared<const R1cs>(std::move(*circuit)));
  ASSERT_TRUE(resident) << resident.error().message;
  SystemRandom random;
  auto prove = [&]() -> Result<Proof> {
    CUZK_ASSIGN(auto pending,
                start(device, *resident, std::span<const Fr>(witness), Blinding::random(random)));
    return finish(std::move(pending));
  };
  auto proof = prove();
  ASSERT_TRUE(proof) << proof.error().message;
  auto vk = read_verification_key_json(open(kFolder + "ak-381/verification_key.json"));
  ASSERT_TRUE(vk);
  EXPECT_TRUE(*verify(PreparedVerifyingKey(*vk), *proof, std::span<const Fr>(witness).subspan(1, 2)));
  witness[4] += Fr::one();
  proof = prove();
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kUnsatisfied);
}

}  // namespace
}  // namespace cuzk::vectors
