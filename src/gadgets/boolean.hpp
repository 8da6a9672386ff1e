// Bits in circuits: constants, allocated bits and their negations, with every operation folded as far as
// constants allow. The order of allocations and constraints is that of bellpepper-core 0.2
// (`gadgets/boolean`).
#pragma once

#include "base/inline_vector.hpp"
#include "r1cs/constraint_system.hpp"

namespace cuzk {

class Boolean {
 public:
  static constexpr Boolean constant(bool value) { return {Kind::kConstant, value, kOne}; }
  // A variable that is already constrained to be 0 or 1.
  static constexpr Boolean is(Variable variable, bool value) { return {Kind::kIs, value, variable}; }
  // Allocates "boolean" and constrains it: (1 - x) · x = 0.
  static Boolean alloc(ConstraintSystem& cs, bool value);

  Boolean() : Boolean(constant(false)) {}

  bool is_constant() const { return kind_ == Kind::kConstant; }
  bool is_plain() const { return kind_ == Kind::kIs; }
  // An allocated bit or its negation.
  Variable variable() const { return variable_; }
  // The value of this expression, not of the variable; meaningless in a pass without values unless constant.
  bool value() const { return value_; }
  Boolean operator!() const {
    Kind opposite = kind_ == Kind::kIs ? Kind::kNot : kind_ == Kind::kNot ? Kind::kIs : Kind::kConstant;
    return {opposite, !value_, variable_};
  }

  // Adds coefficient · this to a combination (of one or two terms).
  template <class Combination>
  void add_to(Combination& combination, const Fr& coefficient) const {
    if (kind_ == Kind::kIs) {
      combination.push_back({coefficient, variable_});
    } else if (kind_ == Kind::kNot) {
      combination.push_back({coefficient, kOne});
      combination.push_back({-coefficient, variable_});
    } else if (value_) {
      combination.push_back({coefficient, kOne});
    }
  }

 private:
  enum class Kind : uint8_t { kConstant, kIs, kNot };
  constexpr Boolean(Kind kind, bool value, Variable variable)
      : kind_(kind), value_(value), variable_(variable) {}

  Kind kind_;
  bool value_;
  Variable variable_;
};

// Each allocates at most its result and at most one constraint (maj: two), under the current namespace.
Boolean bit_xor(ConstraintSystem& cs, const Boolean& a, const Boolean& b);
Boolean bit_and(ConstraintSystem& cs, const Boolean& a, const Boolean& b);
// (a and b) xor (not a and c)
Boolean bit_choose(ConstraintSystem& cs, const Boolean& a, const Boolean& b, const Boolean& c);
// (a and b) xor (a and c) xor (b and c)
Boolean bit_majority(ConstraintSystem& cs, const Boolean& a, const Boolean& b, const Boolean& c);
// Two unequal constants end the process: no circuit of ours compares constants.
void enforce_equal(ConstraintSystem& cs, const Boolean& a, const Boolean& b);

// Bits of a number, or a digest.
using NumberBits = InlineVector<Boolean, 256>;

// `count` bits of a canonical integer, least significant first, each allocated under "bit i".
NumberBits alloc_bits(ConstraintSystem& cs, const Fr::Int& value, size_t count);

// Reorders bits given least significant first in each byte to most significant first, or back; a last byte
// that is short is filled up with constant zeros first.
NumberBits reversed_in_bytes(NumberBits bits);

}  // namespace cuzk
