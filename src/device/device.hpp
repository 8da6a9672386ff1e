// Device: what proves. The engine sees Device alone; DeviceOperations are the single steps, which the
// conformance suite compares between devices and benchmarks time. A device that does not compute (a simulated
// one) implements only Device.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/result.hpp"
#include "curve/point.hpp"
#include "device/key_layout.hpp"
#include "msm/msm.hpp"
#include "msm/point_source.hpp"
#include "r1cs/density.hpp"
#include "r1cs/matrices.hpp"
#include "r1cs/r1cs.hpp"
#include "r1cs/witness.hpp"

namespace cuzk {

// What an operation will allocate, known before it allocates anything. Bytes.
struct MemoryPlan {
  size_t device_bytes = 0;  // the device's own memory; 0 where it is the host's
  size_t pinned_bytes = 0;  // host memory that the device reads directly
  size_t host_bytes = 0;    // pageable host memory

  MemoryPlan operator+(const MemoryPlan& o) const {
    return {device_bytes + o.device_bytes, pinned_bytes + o.pinned_bytes, host_bytes + o.host_bytes};
  }
  bool operator==(const MemoryPlan&) const = default;
};

// The sizes of a circuit and its key: all that a plan depends on.
struct ProofShape {
  size_t num_inputs = 0, num_aux = 0, num_constraints = 0;
  size_t nonzeros = 0;      // terms of A, B and C together
  size_t coefficients = 0;  // entries of the coefficient table
  size_t stored_bytes = 0;  // of stored matrices; 0: plain ones
  size_t domain_size = 0;   // a power of two, not below constraints + inputs
  QuotientBasis quotient_basis = QuotientBasis::kCoefficients;
  DomainRoot domain_root = DomainRoot::kBellman;
  size_t num_h = 0, num_l = 0, num_a = 0, num_b = 0;  // bases

  size_t num_variables() const { return num_inputs + num_aux; }
};

// A circuit and the bases of its key. The bases fit the circuit: whoever builds this has checked the counts
// (groth16/prove.hpp, key_material).
struct KeyMaterial {
  // One of both. The C of a plain circuit may have no rows: then satisfaction cannot be checked.
  std::shared_ptr<const R1cs> circuit;
  std::shared_ptr<const StoredMatrices> stored;  // only for devices that take them
  size_t domain_size = 0;
  QuotientBasis quotient_basis = QuotientBasis::kCoefficients;
  DomainRoot domain_root = DomainRoot::kBellman;
  Bases<G1> h, l, a, b_g1;
  Bases<G2> b_g2;
  // The variable of each base of a, and of b_g1 and b_g2; empty: base k belongs to variable k.
  VariableSet a_variables, b_variables;

  ProofShape shape() const;
  Matrices matrices() const { return stored ? Matrices(stored) : Matrices(circuit); }
  bool has_c() const { return matrices().has_c(); }
};

// A key that a device holds ready. Immutable; used by any number of proofs at once. Freed with the last
// reference.
class DeviceKey {
 public:
  virtual ~DeviceKey() = default;
  virtual const ProofShape& shape() const = 0;
};

// A value for each variable, in full or compact.
using WitnessInput = std::variant<std::span<const Fr>, WitnessView>;

// Sums over the bases of a key: h with the quotient's scalars, the others with the witness.
struct ProofSums {
  G1::Sum h, l, a, b_g1;
  G2::Sum b_g2;
};

// A stretch of time in which a device worked, as the device measured it.
struct BusySpan {
  const char* operation;  // "transfer_to", "evaluate", "ntt", "msm", "batch_add", "transfer_back"
  std::chrono::steady_clock::time_point begin, end;
};

// Sums that a device is working on.
class PendingSums {
 public:
  virtual ~PendingSums() = default;  // waits for the device to let go of what it still reads

  // Whether the witness, and the host memory of plan_proof, stay in use until this object is gone; false:
  // neither is any more.
  virtual bool reads_witness() const { return true; }
  // What the device was busy with so far, in order; empty if it does not measure.
  virtual std::span<const BusySpan> busy() const { return {}; }

  // Blocks until the sums are there and does what is left for the host. Once.
  // Errors: kUnavailable when the device failed: the same start may succeed elsewhere or later.
  virtual Result<ProofSums> wait() = 0;
};

class Device {
 public:
  virtual ~Device() = default;

  virtual std::string name() const = 0;
  // The PCI address ("0000:65:00.0") of a card, for its sensors; empty: not a card.
  virtual std::string pci_bus_id() const { return {}; }

  // Whether keys may come with stored matrices. Else they are expanded before.
  virtual bool takes_stored_matrices() const { return false; }

  // Residency of a key: its bases and matrices.
  virtual MemoryPlan plan_key(const ProofShape& shape) const = 0;
  virtual Result<std::shared_ptr<const DeviceKey>> load_key(const KeyMaterial& key) = 0;

  // Everything a proof needs of the device. start returns when the device is free for the next proof, which
  // is at the latest when its last result is there. Key and witness outlive the PendingSums. check_satisfied:
  // every constraint is checked first (where the circuit has its C). Errors: kInvalidInput (length, first
  // value not one), kUnsatisfied (names the first failing constraint), both before any other work;
  // kUnavailable.
  virtual MemoryPlan plan_proof(const ProofShape& shape) const = 0;
  virtual Result<std::unique_ptr<PendingSums>> start(std::shared_ptr<const DeviceKey> key,
                                                     const WitnessInput& witness, bool check_satisfied) = 0;
};

// Bases that a device holds ready.
template <class G>
class DeviceBases {
 public:
  virtual ~DeviceBases() = default;
  virtual size_t size() const = 0;
};

// Matrices that a device holds ready.
class DeviceMatrices {
 public:
  virtual ~DeviceMatrices() = default;
};

// The steps of a proof, one by one. Results are on the host when a call returns.
class DeviceOperations {
 public:
  virtual ~DeviceOperations() = default;

  virtual MemoryPlan plan_bases_g1(size_t count) const = 0;
  virtual MemoryPlan plan_bases_g2(size_t count) const = 0;
  virtual Result<std::unique_ptr<DeviceBases<G1>>> load_bases(Bases<G1> bases) = 0;
  virtual Result<std::unique_ptr<DeviceBases<G2>>> load_bases(Bases<G2> bases) = 0;

  virtual MemoryPlan plan_matrices(const ProofShape& shape) const = 0;
  virtual Result<std::unique_ptr<DeviceMatrices>> load_matrices(std::shared_ptr<const R1cs> circuit) = 0;
  virtual Result<std::unique_ptr<DeviceMatrices>> load_stored_matrices(
      std::shared_ptr<const StoredMatrices> matrices) {
    return load_matrices(std::make_shared<const R1cs>(expand(*matrices)));
  }

  // a[i] = A_i·w, b[i] = B_i·w for every constraint; then a = w_i, b = 0 for the row of each input i; then
  // zeros up to the domain size, which is the length of both.
  virtual MemoryPlan plan_evaluate(const ProofShape& shape) const = 0;
  virtual Status evaluate(const DeviceMatrices& matrices, const WitnessInput& witness, std::span<Fr> a,
                          std::span<Fr> b) = 0;

  // The scalars for `h`, from a and b over the domain, both overwritten; c is a∘b. n elements, of which
  // kCoefficients gives n − 1 that matter and a zero. out: a vector of the same length, apart from both.
  virtual MemoryPlan plan_quotient(size_t domain_size) const = 0;
  virtual Status quotient(QuotientBasis basis, DomainRoot root, std::span<Fr> a, std::span<Fr> b,
                          std::span<Fr> out) = 0;

  // msm/msm.hpp says what it does with lengths, repeated points and infinity.
  virtual MemoryPlan plan_msm_g1(size_t count) const = 0;
  virtual MemoryPlan plan_msm_g2(size_t count) const = 0;
  virtual Result<G1::Sum> msm(const DeviceBases<G1>& bases, const Scalars& scalars) = 0;
  virtual Result<G2::Sum> msm(const DeviceBases<G2>& bases, const Scalars& scalars) = 0;

  // Batch addition: the sum of the bases whose bit is set; base k has bit k % 32 of bits[k / 32].
  virtual Result<G1::Sum> add_selected(const DeviceBases<G1>& bases, std::span<const uint32_t> bits) = 0;
  virtual Result<G2::Sum> add_selected(const DeviceBases<G2>& bases, std::span<const uint32_t> bits) = 0;
};

}  // namespace cuzk
