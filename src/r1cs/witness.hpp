// Compact witnesses: the one definition of the form that both devices read (docs/architecture.md, "Compact
// witness").
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.hpp"
#include "base/uninitialised.hpp"
#include "r1cs/r1cs.hpp"

namespace cuzk {

// Marks each variable as bit or wide. Fixed for a circuit.
class WitnessShape {
 public:
  // Every variable wide.
  explicit WitnessShape(size_t num_variables = 0);

  // Bits are the constant one and the variables that some constraint of the circuit forces to be 0 or 1.
  static WitnessShape of(const R1cs& circuit);

  // Marks; finish() must follow the last one before anything else is asked.
  void mark_bit(size_t variable) { bit_marks_[variable / 32] |= uint32_t{1} << (variable % 32); }
  // Marks variable first + i if bit from + i of `marks` is set, for each i below `count`. Marks of these
  // variables are overwritten.
  void mark_bits(size_t first, const uint32_t* marks, size_t from, size_t count);
  void finish();

  size_t num_variables() const { return size_; }
  size_t num_bits() const { return size_ - num_wide_; }
  size_t num_wide() const { return num_wide_; }
  size_t num_bit_words() const { return (num_bits() + 31) / 32; }

  bool is_bit(size_t variable) const { return (bit_marks_[variable / 32] >> (variable % 32) & 1) != 0; }
  // How many of the variables before this one are bits: its place among the bits, if it is one; its place
  // among the wide values is variable - bits_before(variable).
  size_t bits_before(size_t variable) const {
    uint32_t below = bit_marks_[variable / 32] & ((uint32_t{1} << (variable % 32)) - 1);
    return bits_before_word_[variable / 32] + static_cast<size_t>(std::popcount(below));
  }

  // Marks, 32 variables a word, least significant first; and the bits before each word. For devices.
  std::span<const uint32_t> bit_marks() const { return bit_marks_; }
  std::span<const uint32_t> bits_before_word() const { return bits_before_word_; }

 private:
  size_t size_ = 0, num_wide_ = 0;
  std::vector<uint32_t> bit_marks_;
  UninitialisedVector<uint32_t> bits_before_word_;  // written by finish()
};

// Values of the bits, least significant first in u32 words, in variable order; values of the wide variables,
// in variable order. Unused bits of the last word are zero.
struct CompactWitness {
  std::vector<uint32_t> bits;
  UninitialisedVector<Fr> wide;
};

// Errors: kUnsatisfied when a variable marked as a bit is neither 0 nor 1 (names it), kInvalidInput when the
// number of values is not the shape's.
Result<CompactWitness> compact(const WitnessShape& shape, std::span<const Fr> values);

// Read access to a compact witness by variable number. Holds references: shape and witness must outlive it.
class WitnessView {
 public:
  WitnessView(const WitnessShape& shape, const CompactWitness& witness)
      : shape_(&shape), witness_(&witness) {}

  size_t size() const { return shape_->num_variables(); }
  const WitnessShape& shape() const { return *shape_; }
  const CompactWitness& packed() const { return *witness_; }
  Fr operator[](size_t variable) const {
    size_t place = shape_->bits_before(variable);
    if (!shape_->is_bit(variable)) return witness_->wide[variable - place];
    return (witness_->bits[place / 32] >> (place % 32) & 1) != 0 ? Fr::one() : Fr::zero();
  }

 private:
  const WitnessShape* shape_;
  const CompactWitness* witness_;
};

}  // namespace cuzk
