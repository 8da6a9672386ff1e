#include "groth16/prove.hpp"

#include "groth16/setup.hpp"

namespace cuzk {
namespace {

Status expect_count(const char* what, size_t found, size_t expected) {
  if (found == expected) return {};
  return invalid("key and circuit do not belong together: the key has " + std::to_string(found) + " " + what +
                 ", the circuit needs " + std::to_string(expected));
}

std::vector<Fr> public_inputs_of(const WitnessInput& witness, size_t num_inputs) {
  std::vector<Fr> inputs(num_inputs - 1);
  std::visit(
      [&](const auto& w) {
        for (size_t i = 1; i < num_inputs; ++i) inputs[i - 1] = w[i];
      },
      witness);
  return inputs;
}

// A = α + r·δ + Σ, B = β + s·δ + Σ in both groups, C = l + h + s·A + r·B − r·s·δ.
Proof assemble(const VerifyingKey& vk, const ProofSums& sums, const Blinding& blinding) {
  const Fr &r = blinding.r, &s = blinding.s;
  const auto delta_g1 = G1::Sum::from_affine(vk.delta_g1);
  const auto delta_g2 = G2::Sum::from_affine(vk.delta_g2);
  const G1::Sum a = sums.a + delta_g1 * r + vk.alpha_g1;
  const G1::Sum b_g1 = sums.b_g1 + delta_g1 * s + vk.beta_g1;
  const G2::Sum b = sums.b_g2 + delta_g2 * s + vk.beta_g2;
  const G1::Sum c = sums.l + sums.h + a * s + b_g1 * r - delta_g1 * (r * s);
  return {a.to_affine(), b.to_affine(), c.to_affine()};
}

// A verified proof that no decoder takes is none. The pairing does not see a part of A or C whose order
// divides the cofactor; and of tiny circuits without blinding, C is infinity.
Status check_well_formed(const Proof& proof) {
  if (proof.a.is_infinity() || proof.b.is_infinity() || proof.c.is_infinity())
    return invalid(
        "a point of the proof that was made is infinity, which no proof may hold: use other blinding");
  if (auto status = check_points(proof); !status) {
    return invalid(
        "the proof that was made is malformed: " + status.error().message +
        ": the key holds a point outside the subgroup (`cuzk inspect KEY --check` names it), fetch it "
        "again");
  }
  return {};
}

}  // namespace

Blinding Blinding::random(RandomSource& source) {
  Fr r = Fr::random(source);
  return {r, Fr::random(source)};
}

Result<KeyMaterial> key_material(const ProvingKey& key, const Matrices& circuit) {
  CUZK_TRY(expect_count("inputs (the constant one included)", key.num_inputs(), circuit.num_inputs()));
  CUZK_TRY(expect_count("auxiliary variables", key.num_aux(), circuit.num_aux()));
  const size_t n = domain_size_of(circuit.num_constraints(), circuit.num_inputs());
  const bool coefficients = key.quotient_basis == QuotientBasis::kCoefficients;
  CUZK_TRY(expect_count("bases in the list h", key.h->size(), coefficients ? n - 1 : n));

  KeyMaterial material;
  size_t num_a = circuit.num_variables(), num_b = num_a;
  if (key.layout == QueryLayout::kWithEntries) {
    Density density = circuit.density();
    num_a = density.a.size(), num_b = density.b.size();
    material.a_variables = std::move(density.a);
    material.b_variables = std::move(density.b);
  }
  CUZK_TRY(expect_count("bases in the list a", key.a->size(), num_a));
  CUZK_TRY(expect_count("bases in the list b_g1", key.b_g1->size(), num_b));
  CUZK_TRY(expect_count("bases in the list b_g2", key.b_g2->size(), num_b));
  material.circuit = circuit.plain();
  material.stored = circuit.stored();
  material.domain_size = n;
  material.quotient_basis = key.quotient_basis;
  material.domain_root = key.domain_root;
  material.h = key.h;
  material.l = key.l;
  material.a = key.a;
  material.b_g1 = key.b_g1;
  material.b_g2 = key.b_g2;
  return material;
}

Result<std::shared_ptr<const ResidentKey>> ResidentKey::load(Device& device, const ProvingKey& key,
                                                             Matrices circuit) {
  if (circuit.stored() && !device.takes_stored_matrices())
    circuit = std::make_shared<const R1cs>(expand(*circuit.stored()));
  CUZK_ASSIGN(KeyMaterial material, key_material(key, circuit));
  const bool has_c = material.has_c();
  CUZK_ASSIGN(auto on_device, device.load_key(material));
  return std::shared_ptr<const ResidentKey>(new ResidentKey(key.vk, std::move(on_device), has_c));
}

Result<PendingProof> start(Device& device, std::shared_ptr<const ResidentKey> key,
                           const WitnessInput& witness, const Blinding& blinding, bool check_satisfied) {
  CUZK_ASSIGN(auto sums, device.start(key->on_device(), witness, check_satisfied));
  auto inputs = public_inputs_of(witness, key->on_device()->shape().num_inputs);
  return PendingProof{std::move(key), blinding, std::move(inputs), std::move(sums)};
}

Proof assemble(const PendingProof& pending, const ProofSums& sums) {
  return assemble(pending.key->verifier().key(), sums, pending.blinding);
}

Result<Proof> finish(PendingProof pending) {
  CUZK_ASSIGN(const ProofSums sums, pending.sums->wait());
  const Proof proof = assemble(pending, sums);
  CUZK_TRY(check(pending, proof));
  return proof;
}

Status check(const PendingProof& pending, const Proof& proof) {
  CUZK_ASSIGN(const bool valid, verify(pending.key->verifier(), proof, pending.public_inputs));
  if (valid) return check_well_formed(proof);
  if (!pending.key->has_c()) {
    return fail(
        ErrorCode::kUnsatisfied,
        "the proof does not verify: the witness does not satisfy the circuit, or is the witness of another "
        "one (a .zkey holds no C matrix, so the constraint cannot be named: add the circuit's .r1cs)");
  }
  return fail(
      ErrorCode::kInternal,
      "the proof that was made does not verify, although the witness satisfies the circuit: the key belongs "
      "to another circuit, or a computation went wrong (hardware); nothing was written, and another try may "
      "succeed");
}

namespace {

Result<Proof> prove_as_labelled(Device& device, const ProvingKey& key, const Matrices& circuit,
                                const WitnessInput& witness, const Blinding& blinding) {
  CUZK_ASSIGN(auto resident, ResidentKey::load(device, key, circuit));
  CUZK_ASSIGN(auto pending, start(device, std::move(resident), witness, blinding));
  return finish(std::move(pending));
}

}  // namespace

Result<Proof> prove(Device& device, const ProvingKey& key, const Matrices& circuit,
                    const WitnessInput& witness, const Blinding& blinding) {
  auto proof = prove_as_labelled(device, key, circuit, witness, blinding);
  // The two roots give the same order of up to four points; a .zkey is labelled rightly.
  const bool root_is_known = key.quotient_basis != QuotientBasis::kCoefficients || key.domain_size() <= 4;
  if (proof || proof.error().code != ErrorCode::kInternal || root_is_known) return proof;
  ProvingKey other = key;
  other.domain_root = key.domain_root == DomainRoot::kBellman ? DomainRoot::kSnarkjs : DomainRoot::kBellman;
  auto second = prove_as_labelled(device, other, circuit, witness, blinding);
  return second ? second : proof;
}

}  // namespace cuzk
