// Verification. Malformed and invalid are different answers: a proof or key of the wrong form and the wrong
// number of inputs are errors; a well-formed proof that proves nothing is `false`.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/executor.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "curve/pairing.hpp"
#include "groth16/keys.hpp"

namespace cuzk {

// A verifying key with the lines of γ and δ and the Miller value of (−α, β). Every point of the key is on its
// curve and in its subgroup (decoding with PointCheck::kFull sees to it; check_points tells).
class PreparedVerifyingKey {
 public:
  explicit PreparedVerifyingKey(VerifyingKey vk);

  const VerifyingKey& key() const { return vk_; }
  const PreparedG2& gamma() const { return gamma_; }
  const PreparedG2& delta() const { return delta_; }
  const Fp12& minus_alpha_beta() const { return minus_alpha_beta_; }

 private:
  VerifyingKey vk_;
  PreparedG2 gamma_, delta_;
  Fp12 minus_alpha_beta_;
};

// On the curve and in the subgroup, each point; infinity is. For points that no decoder has checked.
// Errors: kInvalidInput, naming the point.
Status check_points(const Proof& proof);
Status check_points(const VerifyingKey& vk);

// What is suspicious about a key that is well-formed: a phase 2 that was never run (γ or δ is the generator,
// or they are equal), an input that no constraint uses (infinity in ic: any value of it passes). Empty if
// nothing is.
std::vector<std::string> key_warnings(const VerifyingKey& vk);

// Whether the proof proves the statement: e(A, B) = e(α, β)·e(Σ x_i·ic_i, γ)·e(C, δ). inputs: the public
// ones, without the constant one. Points of the proof as in PreparedVerifyingKey. Errors: kInvalidInput when
// there are too few or too many inputs.
Result<bool> verify(const PreparedVerifyingKey& vk, const Proof& proof, std::span<const Fr> inputs);
// The same with the sum over ic on several threads: for thousands of inputs.
Result<bool> verify(const PreparedVerifyingKey& vk, const Proof& proof, std::span<const Fr> inputs,
                    Executor& executor);

struct ProofInstance {
  Proof proof;
  std::vector<Fr> inputs;
};

// The indices of the proofs that do not verify, ascending; empty when all do. All are checked at once, in a
// random linear combination with 128-bit factors from `random` (an invalid set passes with probability
// 2^-128); only if that fails, one by one. Cost a proof: one Miller loop and four short multiplications.
// Errors: kInvalidInput for a wrong number of inputs, naming the proof.
Result<std::vector<size_t>> find_invalid(const PreparedVerifyingKey& vk,
                                         std::span<const ProofInstance> proofs, RandomSource& random,
                                         Executor& executor);

}  // namespace cuzk
