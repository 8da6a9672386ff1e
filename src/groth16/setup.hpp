// Key generation from known secrets (a "trusted" setup by one party). Byte for byte what bellperson's
// generate_parameters gives for the same secrets, generators and circuit; or the bases of a snarkjs key.
// Source: Groth, "On the Size of Pairing-Based Non-interactive Arguments" (eprint 2016/260), section 3.2.
#pragma once

#include <functional>
#include <span>

#include "base/executor.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "groth16/keys.hpp"
#include "r1cs/r1cs.hpp"

namespace cuzk {

// Who knows these forges proofs.
struct SetupSecrets {
  Fr alpha, beta, gamma, delta, tau;

  // All different from zero.
  static SetupSecrets random(RandomSource& source);
};

// Which bases, in which lists.
struct KeyForm {
  QuotientBasis quotient_basis;
  QueryLayout layout;
  DomainRoot domain_root;
};
inline constexpr KeyForm kBellmanForm{QuotientBasis::kCoefficients, QueryLayout::kWithEntries,
                                      DomainRoot::kBellman};
inline constexpr KeyForm kSnarkjsForm{QuotientBasis::kOddLagrange, QueryLayout::kEveryVariable,
                                      DomainRoot::kSnarkjs};

// Smallest power of two that is not below constraints + inputs: key generation adds the row x_i · 0 = 0 for
// each input, so that no input's polynomial vanishes.
size_t domain_size_of(size_t constraints, size_t inputs);
size_t domain_size_of(const R1cs& circuit);

// Receives a key piece by piece: begin once, then the lists in the order of KeySection, each in ascending
// order.
enum class KeySection { kH, kL, kA, kBG1, kBG2 };
struct KeyCounts {
  size_t domain_size;
  size_t h, l, a, b;  // b_g1 and b_g2 have as many
};
class KeySink {
 public:
  virtual ~KeySink() = default;
  virtual Status begin(const VerifyingKey& vk, const KeyCounts& counts) = 0;
  virtual Status append(KeySection section, std::span<const G1Affine> points) = 0;
  virtual Status append_b_g2(std::span<const G2Affine> points) = 0;
};

// Errors: kInvalidInput for secrets that are zero or a tau inside the domain; in bellman's layout for an
// auxiliary variable that no constraint uses (by name; bellperson refuses it too); a circuit too large for
// the field; the sink's. Memory: 32 bytes × (domain + 3 × variables), tables of up to 150 MiB, and 64 Ki
// points at a time.
Status setup(const R1cs& circuit, const SetupSecrets& secrets, KeyForm form, KeySink& sink,
             Executor& executor);

// The key in memory.
class MemoryKeySink final : public KeySink {
 public:
  explicit MemoryKeySink(KeyForm form) : form_(form) {}

  Status begin(const VerifyingKey& vk, const KeyCounts& counts) override;
  Status append(KeySection section, std::span<const G1Affine> points) override;
  Status append_b_g2(std::span<const G2Affine> points) override;

  // Once, after setup.
  ProvingKey take();

 private:
  KeyForm form_;
  VerifyingKey vk_;
  std::vector<G1Affine> g1_[4];
  std::vector<G2Affine> b_g2_;
};
Result<ProvingKey> setup(const R1cs& circuit, const SetupSecrets& secrets, KeyForm form, Executor& executor);

}  // namespace cuzk
