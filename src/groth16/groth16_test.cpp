// Setup, proof and verification on small random circuits.
#include <gtest/gtest.h>

#include "device/cpu/cpu_device.hpp"
#include "groth16/circuits_test.hpp"
#include "groth16/prove.hpp"
#include "groth16/setup.hpp"
#include "r1cs/evaluate.hpp"

namespace cuzk {
namespace {

SetupSecrets test_secrets(uint64_t seed) {
  TestRandom random(seed);
  return SetupSecrets::random(random);
}

ProvingKey make_key(const R1cs& circuit, KeyForm form = kBellmanForm, uint64_t seed = 7) {
  InlineExecutor executor;
  auto key = setup(circuit, test_secrets(seed), form, executor);
  EXPECT_TRUE(key) << key.error().message;
  return *key;
}

Result<Proof> prove(Device& device, const ProvingKey& key, const TestCircuit& test,
                    const Blinding& blinding) {
  return prove(device, key, test.circuit, std::span<const Fr>(test.witness), blinding);
}

Proof must_prove(const ProvingKey& key, const TestCircuit& test, const Blinding& blinding, Executor& executor,
                 CpuDevice::Residency residency = CpuDevice::Residency::kSource) {
  CpuDevice device(executor, residency);
  auto proof = prove(device, key, test, blinding);
  EXPECT_TRUE(proof) << proof.error().message;
  return proof ? *proof : Proof{};
}

Blinding test_blinding(uint64_t seed) {
  TestRandom random(seed);
  return Blinding::random(random);
}

struct Shape {
  size_t inputs, aux, constraints;
};
// Domains of 1, 2 and 4; no private variables; sizes around powers of two.
constexpr Shape kShapes[] = {{1, 0, 0},   {1, 0, 1},    {1, 1, 1},     {1, 1, 2},   {2, 1, 1},
                             {2, 2, 2},   {1, 3, 3},    {3, 0, 2},     {5, 0, 0},   {2, 4, 5},
                             {3, 9, 5},   {3, 20, 12},  {3, 20, 13},   {3, 20, 14}, {4, 40, 60},
                             {4, 40, 61}, {4, 40, 128}, {20, 300, 237}};

TEST(Groth16, ProofsOfEveryShapeVerifyAndDoNotDependOnFormOrThreads) {
  ThreadPool two(2);
  InlineExecutor one;
  uint64_t seed = 100;
  for (const Shape& shape : kShapes) {
    SCOPED_TRACE(testing::Message() << shape.inputs << " inputs, " << shape.aux << " auxiliaries, "
                                    << shape.constraints << " constraints");
    const TestCircuit test = random_circuit(shape.inputs, shape.aux, shape.constraints, ++seed);
    const Blinding blinding = test_blinding(seed);
    for (DomainRoot root : {DomainRoot::kBellman, DomainRoot::kSnarkjs}) {
      KeyForm bellman_form = kBellmanForm, snarkjs_form = kSnarkjsForm;
      bellman_form.domain_root = snarkjs_form.domain_root = root;
      const ProvingKey bellman = make_key(*test.circuit, bellman_form);
      const ProvingKey snarkjs = make_key(*test.circuit, snarkjs_form);
      const Proof proof = must_prove(bellman, test, blinding, one);
      EXPECT_EQ(proof, must_prove(bellman, test, blinding, two, CpuDevice::Residency::kDecoded));
      EXPECT_EQ(proof, must_prove(snarkjs, test, blinding, one, CpuDevice::Residency::kDecoded));
      EXPECT_EQ(proof, must_prove(snarkjs, test, blinding, two));
      EXPECT_EQ(bellman.vk, snarkjs.vk);
      EXPECT_TRUE(check_points(proof));
      auto verdict = verify(PreparedVerifyingKey(bellman.vk), proof, test.inputs());
      ASSERT_TRUE(verdict);
      EXPECT_TRUE(*verdict);
    }
  }
}

TEST(Groth16, BlindingChangesTheProofAndZeroBlindingIsRight) {
  InlineExecutor executor;
  const TestCircuit test = random_circuit(3, 20, 12, 1);
  const ProvingKey key = make_key(*test.circuit);
  const Blinding none{Fr::zero(), Fr::zero()};
  const Proof plain = must_prove(key, test, none, executor);
  const Proof first = must_prove(key, test, test_blinding(1), executor);
  const Proof second = must_prove(key, test, test_blinding(2), executor);
  EXPECT_FALSE(plain == first);
  EXPECT_FALSE(first == second);
}

TEST(Groth16, CompactWitnessGivesTheSameProof) {
  InlineExecutor executor;
  const TestCircuit test = random_circuit(3, 60, 40, 2);
  WitnessShape shape(test.witness.size());
  for (size_t v = 0; v < test.witness.size(); ++v)
    if (test.witness[v].is_zero() || test.witness[v].is_one()) shape.mark_bit(v);
  shape.finish();
  auto witness = compact(shape, test.witness);
  ASSERT_TRUE(witness);
  const ProvingKey key = make_key(*test.circuit);
  CpuDevice device(executor);
  auto resident = ResidentKey::load(device, key, test.circuit);
  ASSERT_TRUE(resident);
  auto pending = start(device, *resident, WitnessView(shape, *witness), test_blinding(3));
  ASSERT_TRUE(pending);
  auto proof = finish(std::move(*pending));
  ASSERT_TRUE(proof);
  EXPECT_EQ(*proof, must_prove(key, test, test_blinding(3), executor));
}

// Changes one thing at a time; none of the results may verify.
TEST(Groth16, EveryChangeOfProofOrInputsIsInvalid) {
  InlineExecutor executor;
  const TestCircuit test = random_circuit(4, 20, 12, 3);
  const ProvingKey key = make_key(*test.circuit);
  const Proof proof = must_prove(key, test, test_blinding(4), executor);
  const PreparedVerifyingKey vk(key.vk);
  const std::vector<Fr> inputs(test.inputs().begin(), test.inputs().end());
  auto is_valid = [&](const Proof& p, std::span<const Fr> in) {
    auto verdict = verify(vk, p, in);
    EXPECT_TRUE(verdict);
    return verdict && *verdict;
  };
  ASSERT_TRUE(is_valid(proof, inputs));

  std::vector<Proof> bad(9, proof);
  bad[0].a = -proof.a;
  bad[1].b = -proof.b;
  bad[2].c = -proof.c;
  bad[3].a = G1Affine::infinity();
  bad[4].b = G2Affine::infinity();
  bad[5].c = G1Affine::infinity();
  bad[6].a = (G1Xyzz::from_affine(proof.a) + G1::generator()).to_affine();
  bad[7].b = (G2Xyzz::from_affine(proof.b) + G2::generator()).to_affine();
  bad[8].c = (G1Xyzz::from_affine(proof.c) + G1::generator()).to_affine();
  for (const Proof& p : bad) EXPECT_FALSE(is_valid(p, inputs));
  std::swap(bad[0].a, bad[0].c);
  EXPECT_FALSE(is_valid(bad[0], inputs));

  for (size_t i = 0; i < inputs.size(); ++i) {
    auto changed = inputs;
    changed[i] += Fr::one();
    EXPECT_FALSE(is_valid(proof, changed));
  }
  // A re-randomised proof is another valid proof of the same: proof bytes identify nothing.
  const Fr z = Fr::from_u64(12345);
  Proof other = proof;
  other.a = (G1Xyzz::from_affine(proof.a) * z).to_affine();
  other.b = (G2Xyzz::from_affine(proof.b) * z.inverse()).to_affine();
  EXPECT_TRUE(is_valid(other, inputs));
}

TEST(Groth16, WrongNumberOfInputsIsAnErrorNotAVerdict) {
  InlineExecutor executor;
  const TestCircuit test = random_circuit(3, 5, 4, 4);
  const ProvingKey key = make_key(*test.circuit);
  const Proof proof = must_prove(key, test, test_blinding(5), executor);
  const PreparedVerifyingKey vk(key.vk);
  std::vector<Fr> inputs(test.inputs().begin(), test.inputs().end());
  inputs.push_back(Fr::zero());
  auto many = verify(vk, proof, inputs);
  ASSERT_FALSE(many);
  EXPECT_NE(many.error().message.find("too many public inputs: found 3, the verifying key has 2"),
            std::string::npos);
  inputs.resize(1);
  auto few = verify(vk, proof, inputs);
  ASSERT_FALSE(few);
  EXPECT_NE(few.error().message.find("too few"), std::string::npos);
}

TEST(Groth16, PointsOutsideTheSubgroupAreMalformed) {
  InlineExecutor executor;
  const TestCircuit test = random_circuit(2, 5, 4, 5);
  Proof proof = must_prove(make_key(*test.circuit), test, test_blinding(6), executor);
  EXPECT_TRUE(check_points(proof));
  // On the curve, almost surely outside the subgroup: the first x that has a y.
  Proof outside = proof;
  for (uint64_t x = 1;; ++x) {
    Fp fx = Fp::from_u64(x);
    if (auto y = sqrt(fx.square() * fx + G1::b())) {
      outside.c = {fx, *y};
      break;
    }
  }
  auto status = check_points(outside);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("point C of the proof is not in the subgroup"), std::string::npos);
  Proof off = proof;
  off.b.x.c0 += Fp::one();
  status = check_points(off);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("point B of the proof is not on the curve"), std::string::npos);
}

// The base at `index` with a point added whose order divides the cofactor: the pairing does not see it.
Bases<G1> with_cofactor_part(const Bases<G1>& bases, size_t index) {
  std::vector<G1Affine> points(bases->size());
  EXPECT_TRUE(bases->load(0, points));
  // x = 4 is the x of a point on the curve; r times it is left of its order after the subgroup's is taken
  // out.
  const G1Affine outside{Fp::from_u64(4), *sqrt(Fp::from_u64(64) + G1::b())};
  const G1Xyzz part = G1Xyzz::from_affine(outside) * Fr::kModulus;
  EXPECT_FALSE(part.is_infinity());
  points[index] = (part + points[index]).to_affine();
  return std::make_shared<MemoryPoints<G1>>(std::move(points));
}

TEST(Groth16, NoProofOutsideTheSubgroupLeavesWhateverTheKeyHolds) {
  InlineExecutor executor;
  CpuDevice device(executor);
  TestCircuit test = random_circuit(3, 20, 12, 11);
  const ProvingKey good = make_key(*test.circuit);
  auto expect_refused = [&](ProvingKey key, Bases<G1> ProvingKey::* list) {
    key.*list = with_cofactor_part(key.*list, 0);
    auto proof = prove(device, key, test, test_blinding(7));
    ASSERT_FALSE(proof);
    EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput) << proof.error().message;
    EXPECT_NE(proof.error().message.find("not in the subgroup"), std::string::npos) << proof.error().message;
  };
  for (auto list : {&ProvingKey::a, &ProvingKey::l, &ProvingKey::h}) expect_refused(good, list);
  EXPECT_TRUE(prove(device, good, test, test_blinding(7)));
  // Without private variables and blinding, C is infinity, which decoders refuse.
  const TestCircuit tiny = random_circuit(1, 0, 0, 12);
  auto proof = prove(device, make_key(*tiny.circuit), tiny, {Fr::zero(), Fr::zero()});
  ASSERT_FALSE(proof);
  EXPECT_NE(proof.error().message.find("infinity"), std::string::npos) << proof.error().message;
  EXPECT_TRUE(prove(device, make_key(*tiny.circuit), tiny, test_blinding(7)));
}

TEST(Groth16, BatchVerificationNamesTheBadOnes) {
  ThreadPool executor(2);
  const TestCircuit test = random_circuit(3, 9, 7, 6);
  const ProvingKey key = make_key(*test.circuit);
  const PreparedVerifyingKey vk(key.vk);
  std::vector<ProofInstance> proofs;
  for (uint64_t i = 0; i < 6; ++i) {
    proofs.push_back({must_prove(key, test, test_blinding(i), executor),
                      std::vector<Fr>(test.inputs().begin(), test.inputs().end())});
  }
  TestRandom random(1);
  auto bad = find_invalid(vk, proofs, random, executor);
  ASSERT_TRUE(bad);
  EXPECT_TRUE(bad->empty());
  proofs[2].inputs[0] += Fr::one();
  proofs[5].proof.a = -proofs[5].proof.a;
  bad = find_invalid(vk, proofs, random, executor);
  ASSERT_TRUE(bad);
  EXPECT_EQ(*bad, (std::vector<size_t>{2, 5}));
  // Errors that cancel in a plain sum are found all the same.
  proofs[2].inputs[0] -= Fr::one();
  proofs[5].proof = proofs[4].proof;
  proofs[0].proof.c = (G1Xyzz::from_affine(proofs[0].proof.c) + G1::generator()).to_affine();
  proofs[1].proof.c = (G1Xyzz::from_affine(proofs[1].proof.c) - G1::generator()).to_affine();
  bad = find_invalid(vk, proofs, random, executor);
  ASSERT_TRUE(bad);
  EXPECT_EQ(*bad, (std::vector<size_t>{0, 1}));
  proofs[3].inputs.pop_back();
  bad = find_invalid(vk, proofs, random, executor);
  ASSERT_FALSE(bad);
  EXPECT_NE(bad.error().message.find("proof 3: too few public inputs"), std::string::npos);
  EXPECT_TRUE(find_invalid(vk, {}, random, executor)->empty());
}

TEST(Groth16, UnsatisfiedWitnessIsRefusedAndNamed) {
  InlineExecutor executor;
  CpuDevice device(executor);
  TestCircuit test = random_circuit(3, 30, 40, 8);
  const ProvingKey key = make_key(*test.circuit);
  test.witness.back() += Fr::one();
  size_t first = 0;
  auto value = [&](const SparseMatrix& m) {
    return evaluate_row(m.row(first), test.circuit->coefficients, test.witness);
  };
  while (value(test.circuit->a) * value(test.circuit->b) == value(test.circuit->c)) ++first;
  auto proof = prove(device, key, test, test_blinding(1));
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kUnsatisfied);
  EXPECT_NE(proof.error().message.find("first failing constraint is " + std::to_string(first) + " "),
            std::string::npos)
      << proof.error().message;

  // Without C it only fails.
  auto without_c = std::make_shared<R1cs>(*test.circuit);
  without_c->c = SparseMatrix();
  test.circuit = without_c;
  proof = prove(device, key, test, test_blinding(1));
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kUnsatisfied);
  test.witness.back() -= Fr::one();
  EXPECT_TRUE(prove(device, key, test, test_blinding(1)));

  test.witness[0] = Fr::from_u64(2);
  proof = prove(device, key, test, test_blinding(1));
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kInvalidInput);
  test.witness[0] = Fr::one();
  test.witness.pop_back();
  proof = prove(device, key, test, test_blinding(1));
  ASSERT_FALSE(proof);
  EXPECT_NE(proof.error().message.find("32 values, the circuit has 33"), std::string::npos);
}

TEST(Groth16, WrongKeyIsRefused) {
  InlineExecutor executor;
  CpuDevice device(executor);
  const TestCircuit test = random_circuit(3, 30, 40, 8);
  auto message = [&](const TestCircuit& other) {
    auto proof = prove(device, make_key(*other.circuit), test, test_blinding(1));
    EXPECT_FALSE(proof);
    return proof ? std::string() : proof.error().message;
  };
  EXPECT_NE(message(random_circuit(4, 29, 40, 8)).find("the key has 4 inputs"), std::string::npos);
  EXPECT_NE(message(random_circuit(3, 31, 40, 8)).find("the key has 31 auxiliary"), std::string::npos);
  EXPECT_NE(message(random_circuit(3, 30, 80, 8)).find("the key has 127 bases in the list h"),
            std::string::npos);
  // Same counts, another circuit: only the check of the proof can tell.
  auto proof = prove(device, make_key(*random_circuit(3, 30, 40, 9).circuit), test, test_blinding(1));
  ASSERT_FALSE(proof);
  EXPECT_EQ(proof.error().code, ErrorCode::kInternal);
}

TEST(Groth16, KeyWithUntoldRootOfUnityProves) {
  InlineExecutor executor;
  CpuDevice device(executor);
  const TestCircuit test = random_circuit(3, 20, 12, 10);
  KeyForm form = kBellmanForm;
  form.domain_root = DomainRoot::kSnarkjs;
  ProvingKey key = make_key(*test.circuit, form);
  auto labelled = prove(device, key, test, test_blinding(1));
  key.domain_root = DomainRoot::kBellman;
  auto untold = prove(device, key, test, test_blinding(1));
  ASSERT_TRUE(labelled && untold);
  EXPECT_EQ(*labelled, *untold);
}

TEST(Groth16, WarnsOfSuspiciousKeys) {
  const TestCircuit test = random_circuit(3, 5, 4, 5);
  VerifyingKey vk = make_key(*test.circuit).vk;
  EXPECT_TRUE(key_warnings(vk).empty());
  EXPECT_TRUE(check_points(vk));
  VerifyingKey ceremony = vk;
  ceremony.delta_g2 = G2::generator();
  EXPECT_EQ(key_warnings(ceremony).size(), 1u);
  ceremony.gamma_g2 = G2::generator();
  EXPECT_EQ(key_warnings(ceremony).size(), 1u);
  vk.ic[2] = G1Affine::infinity();
  EXPECT_EQ(key_warnings(vk).size(), 1u);
  vk.ic[1].x += Fp::one();
  auto status = check_points(vk);
  ASSERT_FALSE(status);
  EXPECT_NE(status.error().message.find("ic[1]"), std::string::npos);
}

}  // namespace
}  // namespace cuzk
