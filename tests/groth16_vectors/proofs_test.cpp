// Proofs and keys that others made: valid and invalid ones are told apart as labelled.
#include "curve/pairing.hpp"
#include "device/cpu/cpu_device.hpp"
#include "formats/bellman_params.hpp"
#include "formats/bellman_vk.hpp"
#include "formats/proof_bytes.hpp"
#include "formats/snarkjs_json.hpp"
#include "formats/zkey_file.hpp"
#include "groth16/prove.hpp"
#include "groth16/verify.hpp"
#include "msm/msm.hpp"
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

// The powers of tau of a ceremony, as Filecoin's phase 2 takes them: alpha and beta, the Lagrange polynomials
// of 2^10 points at tau in both groups, times alpha and beta in G1, and tau^j·(tau^n - 1). Laws that hold
// only if decoding, sums, pairings and the order of the domain's points are those of the ceremony.
TEST(Phase1, LagrangeBasesAreThoseOfOneTau) {
  const std::string path = kFolder + "phase1radix2m10";
  SKIP_WITHOUT(path);
  constexpr size_t kSize = 1024;
  ThreadPool executor(2);
  auto file = open(path);
  uint64_t offset = 0;
  auto take = [&]<class G>(const char* name, size_t count) {
    const FilePoints<G> list(file, {name, offset, count, PointForm::kUncompressed, false}, PointCheck::kFull);
    offset += count * kUncompressedBytes<G>;
    auto points = load_all<G>(list, executor);
    EXPECT_TRUE(points) << (points ? "" : points.error().message);
    return points.value_or(std::vector<typename G::Point>(count));
  };
  const G1Affine alpha = take.operator()<G1>("alpha", 1)[0], beta = take.operator()<G1>("beta", 1)[0];
  const G2Affine beta_g2 = take.operator()<G2>("beta_g2", 1)[0];
  const auto l = take.operator()<G1>("Lagrange", kSize);
  const auto l_g2 = take.operator()<G2>("Lagrange in G2", kSize);
  const auto alpha_l = take.operator()<G1>("alpha·Lagrange", kSize);
  const auto beta_l = take.operator()<G1>("beta·Lagrange", kSize);
  const auto h = take.operator()<G1>("h", kSize - 1);
  EXPECT_EQ(offset, file->size());

  auto sum = [&]<class G>(std::span<const typename G::Point> points, std::span<const Fr> scalars) {
    return msm<G>(SpanSource<G>(points), Scalars{scalars}, executor)->to_affine();
  };
  // Σ_i ω^(ij)·L_i(tau) = tau^j.
  auto powers = [&](const Fr& base) {
    std::vector<Fr> out(kSize, Fr::one());
    for (size_t i = 1; i < kSize; ++i) out[i] = out[i - 1] * base;
    return out;
  };
  const Fr root = fr_root_of_unity(10);
  const auto ones = powers(Fr::one()), first = powers(root), middle = powers(root.pow(kSize / 2));
  const G1Affine g1 = G1::generator();
  const G2Affine g2 = G2::generator();
  EXPECT_EQ(sum.operator()<G1>(l, ones), g1);
  EXPECT_EQ(sum.operator()<G2>(l_g2, ones), g2);
  EXPECT_EQ(sum.operator()<G1>(alpha_l, ones), alpha);
  EXPECT_EQ(sum.operator()<G1>(beta_l, ones), beta);
  auto equal = [](const G1Affine& a, const G2Affine& b, const G1Affine& c, const G2Affine& d) {
    const PointPair pairs[] = {{a, b}, {-c, d}};
    return pairing_product_is_one(pairs);
  };
  EXPECT_TRUE(equal(beta, g2, g1, beta_g2));

  // Single points, all at once: with random factors.
  TestRandom random(1);
  std::vector<Fr> z(kSize);
  for (Fr& factor : z) factor = Fr::random(random);
  const G1Affine l_sum = sum.operator()<G1>(l, z);
  EXPECT_TRUE(equal(l_sum, g2, g1, sum.operator()<G2>(l_g2, z)));
  EXPECT_TRUE(equal(sum.operator()<G1>(beta_l, z), g2, l_sum, beta_g2));
  EXPECT_TRUE(equal(sum.operator()<G1>(alpha_l, z), g2, alpha, sum.operator()<G2>(l_g2, z)));
  const G2Affine tau = sum.operator()<G2>(l_g2, first);
  EXPECT_TRUE(equal(sum.operator()<G1>(l, first), g2, g1, tau));
  const std::span all(h);
  const std::span factors = std::span<const Fr>(z).first(kSize - 2);
  EXPECT_TRUE(equal(sum.operator()<G1>(all.subspan(1), factors), g2,
                    sum.operator()<G1>(all.first(kSize - 2), factors), tau));
  // h_0 + 1 = tau^n = (tau^(n/2))².
  EXPECT_TRUE(equal((G1Xyzz::from_affine(h[0]) + g1).to_affine(), g2, sum.operator()<G1>(l, middle),
                    sum.operator()<G2>(l_g2, middle)));
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
  auto circuit = read_zkey_circuit(*zkey, executor);
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
