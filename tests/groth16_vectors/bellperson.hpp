// One case of vectors/groth16: the key and the proofs of bellperson, to the byte.
#pragma once

#include "device/cpu/cpu_device.hpp"
#include "formats/r1cs_file.hpp"
#include "formats/wtns_file.hpp"
#include "groth16/prove.hpp"
#include "vectors.hpp"

namespace cuzk::vectors {

inline std::vector<uint8_t> case_file(const std::string& name, bool packed) {
  const std::string path = shared("vectors/groth16/" + name);
  return packed ? read_zstd(path + ".zst") : read_file(path);
}

// witnesses: the .wtns of each proof of the case.
inline void check_case(const std::string& name, bool packed, const std::vector<std::string>& witnesses) {
  SCOPED_TRACE(name);
  const std::string folder = shared("vectors/groth16/");
  if (!std::ifstream(folder + name + ".json")) GTEST_SKIP() << "no " << folder;
  const json expected = read_json(folder + name + ".json");
  ThreadPool executor(2);
  CpuDevice device(executor);

  const auto r1cs_bytes = case_file(name + ".r1cs", packed);
  auto file = read_r1cs(InputFile::of_bytes(r1cs_bytes, name + ".r1cs"));
  ASSERT_TRUE(file) << file.error().message;
  const auto circuit = std::make_shared<const R1cs>(std::move(file->circuit));

  const SetupSecrets secrets = secrets_from(expected.at("secrets"));
  ParamsBytes params;
  ASSERT_TRUE(setup(*circuit, secrets, kBellmanForm, params, executor));
  EXPECT_EQ(params.params().size(), expected.at("params_bytes").get<size_t>());
  EXPECT_EQ(blake2b_512(params.params()), expected.at("params_blake2b_512").get<std::string>());
  EXPECT_EQ(blake2b_512(params.vk()), expected.at("vk_blake2b_512").get<std::string>());
  EXPECT_EQ(to_hex(params.vk()), to_hex(read_file(folder + name + ".vk")));
  if (!packed) {
    EXPECT_EQ(to_hex(params.params()), to_hex(read_file(folder + name + ".params")));
  }

  auto bellman = setup(*circuit, secrets, kBellmanForm, executor);
  // The lists and H section of a .zkey, at bellman's points: another key, the same proof.
  KeyForm zkey_form = kSnarkjsForm;
  zkey_form.domain_root = DomainRoot::kBellman;
  auto snarkjs = setup(*circuit, secrets, zkey_form, executor);
  ASSERT_TRUE(bellman && snarkjs);
  const auto& proofs = expected.at("proofs");
  for (size_t i = 0; i < proofs.size(); ++i) {
    const auto wtns_bytes = case_file(witnesses[std::min(i, witnesses.size() - 1)], packed);
    auto witness = read_wtns(InputFile::of_bytes(wtns_bytes, "witness"), executor);
    ASSERT_TRUE(witness) << witness.error().message;
    const Blinding blinding{fr_from_hex(proofs[i].at("r")), fr_from_hex(proofs[i].at("s"))};
    for (const ProvingKey* key : {&*bellman, &*snarkjs}) {
      auto resident = ResidentKey::load(device, *key, circuit);
      ASSERT_TRUE(resident) << resident.error().message;
      auto pending = start(device, *resident, std::span<const Fr>(*witness), blinding);
      ASSERT_TRUE(pending) << pending.error().message;
      auto proof = finish(std::move(*pending));
      ASSERT_TRUE(proof) << proof.error().message;
      EXPECT_EQ(proof_hex(*proof), proofs[i].at("proof").get<std::string>());
    }
    if (expected.contains("public")) {
      const std::span<const Fr> inputs = std::span(*witness).subspan(1, circuit->num_inputs - 1);
      EXPECT_EQ(std::vector<Fr>(inputs.begin(), inputs.end()), frs_from_hex(expected.at("public")));
    }
  }
}

}  // namespace cuzk::vectors
