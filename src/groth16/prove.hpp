// Proving, in two calls that an engine can overlap: start does everything up to the device's last result,
// finish assembles the proof and verifies it.
#pragma once

#include <memory>

#include "base/random.hpp"
#include "device/device.hpp"
#include "groth16/keys.hpp"
#include "groth16/verify.hpp"

namespace cuzk {

// The randomness that makes a proof zero-knowledge. Never the same for two proofs, but in tests.
struct Blinding {
  Fr r, s;
  static Blinding random(RandomSource& source);
};

// A key and its circuit for a device. Errors: kInvalidInput when they do not belong together (counts of
// inputs, auxiliaries, domain, bases), naming the count, what was found and expected.
Result<KeyMaterial> key_material(const ProvingKey& key, const Matrices& circuit);

// A key on a device, ready for any number of proofs.
class ResidentKey {
 public:
  static Result<std::shared_ptr<const ResidentKey>> load(Device& device, const ProvingKey& key,
                                                         Matrices circuit);

  const PreparedVerifyingKey& verifier() const { return verifier_; }
  const std::shared_ptr<const DeviceKey>& on_device() const { return on_device_; }
  // Whether the circuit had its C matrix, so that start can tell that a witness does not satisfy it.
  bool has_c() const { return has_c_; }

 private:
  ResidentKey(const VerifyingKey& vk, std::shared_ptr<const DeviceKey> on_device, bool has_c)
      : verifier_(vk), on_device_(std::move(on_device)), has_c_(has_c) {}

  PreparedVerifyingKey verifier_;
  std::shared_ptr<const DeviceKey> on_device_;
  bool has_c_;
};

// A proof under way.
struct PendingProof {
  std::shared_ptr<const ResidentKey> key;
  Blinding blinding;
  std::vector<Fr> public_inputs;  // without the constant one
  std::unique_ptr<PendingSums> sums;
};

// Errors: those of Device::start. key must be loaded on this device. The witness outlives the PendingProof.
Result<PendingProof> start(Device& device, std::shared_ptr<const ResidentKey> key,
                           const WitnessInput& witness, const Blinding& blinding,
                           bool check_satisfied = true);

// A verified proof, its points finite and in the subgroup whatever the key's. Errors: kUnavailable (the
// device failed); kInvalidInput (a point of the key is outside the subgroup); kUnsatisfied when the proof
// does not verify and the circuit had no C, so that the witness is the likely cause; kInternal when it does
// not verify although the witness was checked: hardware or a bug, and another try may succeed.
Result<Proof> finish(PendingProof pending);

// The steps of finish, for those who time them: pending.sums->wait(), then these. check's errors are
// finish's.
Proof assemble(const PendingProof& pending, const ProofSums& sums);
Status check(const PendingProof& pending, const Proof& proof);

// One proof: load, start and finish. A .params file does not tell the root of unity that it was made for (see
// ProvingKey::domain_root): when the witness satisfies the circuit and the proof still does not verify, the
// other root is tried once.
Result<Proof> prove(Device& device, const ProvingKey& key, const Matrices& circuit,
                    const WitnessInput& witness, const Blinding& blinding);

}  // namespace cuzk
