#include "groth16/verify.hpp"

#include <algorithm>
#include <array>

#include "curve/subgroup.hpp"
#include "msm/msm.hpp"

namespace cuzk {
namespace {

template <class G>
Status check_point(const char* name, const typename G::Point& point) {
  if (!is_on_curve<G>(point)) return invalid(std::string(name) + " is not on the curve of " + G::kName);
  if (!is_in_subgroup(point)) return invalid(std::string(name) + " is not in the subgroup " + G::kName);
  return {};
}

Status check_input_count(const VerifyingKey& vk, size_t found) {
  if (vk.ic.empty()) return invalid("the verifying key has an empty list ic: it lacks even the constant one");
  const size_t expected = vk.num_inputs() - 1;
  if (found == expected) return {};
  return invalid(std::string(found < expected ? "too few" : "too many") + " public inputs: found " +
                 std::to_string(found) + ", the verifying key has " + std::to_string(expected) +
                 " (the constant one is not among them)");
}

// first·ic_0 + Σ inputs_i·ic_(i+1).
Result<G1::Sum> sum_of_inputs(const VerifyingKey& vk, const Fr& first, std::span<const Fr> inputs,
                              Executor& executor) {
  std::vector<Fr> scalars(vk.ic.size());
  scalars[0] = first;
  std::copy(inputs.begin(), inputs.end(), scalars.begin() + 1);
  return msm<G1>(SpanSource<G1>(vk.ic), Scalars{scalars}, executor);
}

// A factor of 128 bits, not zero.
BigInt<2> random_factor(RandomSource& random) {
  for (;;) {
    std::array<uint8_t, 16> bytes;
    random.fill(bytes);
    BigInt<2> v{{load_le64(bytes.data()), load_le64(bytes.data() + 8)}};
    if (!v.is_zero()) return v;
  }
}

Fr to_fr(const BigInt<2>& v) {
  return *Fr::from_canonical({{v.limb[0], v.limb[1], 0, 0}});
}

// Whether all proofs hold, with the factors z_j: Π e(z_j·A_j, B_j) = e(Σ z_j·α, β)·e(Σ z_j·x_j·ic, γ)·e(Σ
// z_j·C_j, δ).
Result<bool> combination_holds(const PreparedVerifyingKey& vk, std::span<const ProofInstance> proofs,
                               RandomSource& random, Executor& executor) {
  const size_t count = proofs.size();
  std::vector<BigInt<2>> factors(count);
  for (auto& z : factors) z = random_factor(random);

  Fr sum_of_factors = Fr::zero();
  std::vector<Fr> inputs(vk.key().num_inputs() - 1, Fr::zero()), factors_fr(count);
  std::vector<G1Affine> c(count);
  for (size_t j = 0; j < count; ++j) {
    factors_fr[j] = to_fr(factors[j]);
    sum_of_factors += factors_fr[j];
    for (size_t i = 0; i < inputs.size(); ++i) inputs[i] += factors_fr[j] * proofs[j].inputs[i];
    c[j] = proofs[j].proof.c;
  }
  CUZK_ASSIGN(const G1::Sum ic, sum_of_inputs(vk.key(), sum_of_factors, inputs, executor));
  CUZK_ASSIGN(const G1::Sum c_sum, msm<G1>(SpanSource<G1>(c), Scalars{factors_fr}, executor));
  const G1::Sum alpha = G1::Sum::from_affine(vk.key().alpha_g1) * sum_of_factors;

  // A part for each thread: its pairs, Miller-looped together.
  const size_t parts = std::min(count, executor.concurrency());
  std::vector<Fp12> values(parts);
  executor.run(parts, [&](size_t part) {
    const Range range = split_range(count, parts, part);
    std::vector<PointPair> pairs;
    for (size_t j = range.begin; j < range.end; ++j) {
      const Proof& proof = proofs[j].proof;
      pairs.emplace_back((G1::Sum::from_affine(proof.a) * factors[j]).to_affine(), proof.b);
    }
    values[part] = miller_loop(pairs);
  });
  const PointPair alpha_beta[] = {{(-alpha).to_affine(), vk.key().beta_g2}};
  const PreparedPair prepared[] = {{(-ic).to_affine(), &vk.gamma()}, {(-c_sum).to_affine(), &vk.delta()}};
  Fp12 product = miller_loop(alpha_beta, prepared);
  for (const Fp12& value : values) product *= value;
  return final_exponentiation(product).is_one();
}

}  // namespace

PreparedVerifyingKey::PreparedVerifyingKey(VerifyingKey vk)
    : vk_(std::move(vk)), gamma_(vk_.gamma_g2), delta_(vk_.delta_g2) {
  const PointPair pair[] = {{-vk_.alpha_g1, vk_.beta_g2}};
  minus_alpha_beta_ = miller_loop(pair);
}

Status check_points(const Proof& proof) {
  CUZK_TRY(check_point<G1>("point A of the proof", proof.a));
  CUZK_TRY(check_point<G2>("point B of the proof", proof.b));
  return check_point<G1>("point C of the proof", proof.c);
}

Status check_points(const VerifyingKey& vk) {
  CUZK_TRY(check_point<G1>("alpha_g1", vk.alpha_g1));
  CUZK_TRY(check_point<G1>("beta_g1", vk.beta_g1));
  CUZK_TRY(check_point<G2>("beta_g2", vk.beta_g2));
  CUZK_TRY(check_point<G2>("gamma_g2", vk.gamma_g2));
  CUZK_TRY(check_point<G1>("delta_g1", vk.delta_g1));
  CUZK_TRY(check_point<G2>("delta_g2", vk.delta_g2));
  for (size_t i = 0; i < vk.ic.size(); ++i)
    CUZK_TRY(check_point<G1>(("ic[" + std::to_string(i) + "]").c_str(), vk.ic[i]));
  return {};
}

std::vector<std::string> key_warnings(const VerifyingKey& vk) {
  std::vector<std::string> warnings;
  const std::pair<const char*, bool> infinite[] = {{"alpha", vk.alpha_g1.is_infinity()},
                                                   {"beta", vk.beta_g2.is_infinity()},
                                                   {"gamma", vk.gamma_g2.is_infinity()},
                                                   {"delta", vk.delta_g2.is_infinity()}};
  for (const auto& [name, is] : infinite) {
    if (is) warnings.push_back(std::string(name) + " is infinity: proofs under this key can be forged");
  }
  if (vk.delta_g2 == vk.gamma_g2) {
    warnings.push_back("delta equals gamma: anyone can forge proofs under this key (phase 2 was never run)");
  } else if (vk.delta_g2 == G2::generator()) {
    warnings.push_back("delta is the generator of G2: phase 2 was never run, its secret is known to be 1");
  }
  for (size_t i = 0; i < vk.ic.size(); ++i) {
    if (vk.ic[i].is_infinity() && i > 0)
      warnings.push_back("ic[" + std::to_string(i) + "] is infinity: any value of public input " +
                         std::to_string(i) + " is accepted");
  }
  return warnings;
}

Result<bool> verify(const PreparedVerifyingKey& vk, const Proof& proof, std::span<const Fr> inputs) {
  InlineExecutor inline_executor;
  return verify(vk, proof, inputs, inline_executor);
}

Result<bool> verify(const PreparedVerifyingKey& vk, const Proof& proof, std::span<const Fr> inputs,
                    Executor& executor) {
  CUZK_TRY(check_input_count(vk.key(), inputs.size()));
  CUZK_ASSIGN(const G1::Sum ic, sum_of_inputs(vk.key(), Fr::one(), inputs, executor));
  const PointPair a_b[] = {{proof.a, proof.b}};
  const PreparedPair prepared[] = {{(-ic).to_affine(), &vk.gamma()}, {-proof.c, &vk.delta()}};
  return final_exponentiation(miller_loop(a_b, prepared) * vk.minus_alpha_beta()).is_one();
}

Result<std::vector<size_t>> find_invalid(const PreparedVerifyingKey& vk,
                                         std::span<const ProofInstance> proofs, RandomSource& random,
                                         Executor& executor) {
  for (size_t j = 0; j < proofs.size(); ++j) {
    auto status = check_input_count(vk.key(), proofs[j].inputs.size());
    if (!status) return tl::unexpected<Error>(status.error().at("proof " + std::to_string(j)));
  }
  if (proofs.empty()) return std::vector<size_t>{};
  CUZK_ASSIGN(const bool all, combination_holds(vk, proofs, random, executor));
  std::vector<size_t> bad;
  if (all) return bad;
  for (size_t j = 0; j < proofs.size(); ++j) {
    CUZK_ASSIGN(const bool valid, verify(vk, proofs[j].proof, proofs[j].inputs, executor));
    if (!valid) bad.push_back(j);
  }
  return bad;
}

}  // namespace cuzk
