// vk_alphabeta_12 of snarkjs verification keys is e(alpha, beta): a value of the pairing made by another
// library.
#include <gmpxx.h>
#include <gtest/gtest.h>

#include "curve/pairing.hpp"
#include "curve/subgroup.hpp"
#include "vectors.hpp"

namespace cuzk {
namespace {

using nlohmann::json;

Fp fp_of(const json& decimal) {
  std::string digits = mpz_class(decimal.get<std::string>()).get_str(16);
  return *Fp::from_canonical(Fp::Int::from_hex(digits));
}
Fp2 fp2_of(const json& v) {
  return {fp_of(v[0]), fp_of(v[1])};
}
Fp6 fp6_of(const json& v) {
  return {fp2_of(v[0]), fp2_of(v[1]), fp2_of(v[2])};
}

TEST(SnarkjsPairing, AlphaBeta) {
  for (const char* name : {"ak-381/verification_key.json", "snarkjs/caseA.verification_key.json",
                           "snarkjs/caseB.verification_key.json"}) {
    auto path = data_path(std::string("groth16/") + name);
    CUZK_REQUIRE_DATA(path);
    auto key = read_json(path);
    G1Affine alpha{fp_of(key["vk_alpha_1"][0]), fp_of(key["vk_alpha_1"][1])};
    G2Affine beta{fp2_of(key["vk_beta_2"][0]), fp2_of(key["vk_beta_2"][1])};
    ASSERT_TRUE(is_on_curve<G1>(alpha) && is_on_curve<G2>(beta));
    ASSERT_TRUE(is_in_subgroup(alpha) && is_in_subgroup(beta));
    const auto& value = key["vk_alphabeta_12"];
    Fp12 expected{fp6_of(value[0]), fp6_of(value[1])};
    EXPECT_EQ(pairing(alpha, beta), expected) << name;
  }
}

}  // namespace
}  // namespace cuzk
