#include "gadgets/boolean.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "r1cs/compact_system.hpp"

namespace cuzk {
namespace {

using Combination = SmallCombination<8>;

Combination combination_of(const Boolean& a) {
  Combination lc;
  a.add_to(lc, Fr::one());
  return lc;
}

// Allocates `result` and enforces a · b = result for operands that are not constants.
Boolean product(ConstraintSystem& cs, const Name& result, const Name& constraint, const Boolean& a,
                const Boolean& b) {
  const bool value = a.value() && b.value();
  const Variable variable = cs.alloc_bit(result, value);
  cs.enforce(constraint, combination_of(a), combination_of(b), {variable});
  return Boolean::is(variable, value);
}

}  // namespace

Boolean Boolean::alloc(ConstraintSystem& cs, bool value) {
  const Variable v = cs.alloc_bit("boolean", value);
  cs.enforce("boolean constraint", {kOne, minus(v)}, {v}, {});
  return is(v, value);
}

Boolean bit_xor(ConstraintSystem& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant()) return a.value() ? !b : b;
  if (b.is_constant()) return b.value() ? !a : a;
  if (a.is_plain() != b.is_plain()) return a.is_plain() ? !bit_xor(cs, a, !b) : !bit_xor(cs, b, !a);
  // 2a · b = a + b - result, over the variables (negating both changes nothing)
  const bool value = a.value() != b.value();
  const Variable result = cs.alloc_bit("xor result", value), x = a.variable(), y = b.variable();
  static constexpr Fr kTwo = Fr::from_u64(2);
  cs.enforce("xor constraint", {{kTwo, x}}, {y}, {x, y, minus(result)});
  return Boolean::is(result, value);
}

Boolean bit_and(ConstraintSystem& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant()) return a.value() ? b : a;
  if (b.is_constant()) return b.value() ? a : b;
  if (a.is_plain() && b.is_plain()) return product(cs, "and result", "and constraint", a, b);
  if (a.is_plain()) return product(cs, "and not result", "and not constraint", a, b);
  if (b.is_plain()) return product(cs, "and not result", "and not constraint", b, a);
  return product(cs, "nor result", "nor constraint", a, b);
}

Boolean bit_choose(ConstraintSystem& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  const bool value = a.value() ? b.value() : c.value();
  if (a.is_constant() && b.is_constant() && c.is_constant()) return Boolean::constant(value);
  if (a.is_constant() && !a.value()) return c;
  if (b.is_constant() && !b.value()) return bit_and(cs, !a, c);
  if (c.is_constant()) return c.value() ? !bit_and(cs, a, !b) : bit_and(cs, a, b);
  if (b.is_constant()) return !bit_and(cs, !a, !c);
  // a · (b - c) = result - c
  const Variable result = cs.alloc_bit("ch", value);
  Combination difference, rest;
  b.add_to(difference, Fr::one());
  c.add_to(difference, -Fr::one());
  rest.push_back({result});
  c.add_to(rest, -Fr::one());
  cs.enforce("ch computation", difference, combination_of(a), rest);
  return Boolean::is(result, value);
}

Boolean bit_majority(ConstraintSystem& cs, const Boolean& a, const Boolean& b, const Boolean& c) {
  const bool value = (a.value() && b.value()) != ((a.value() && c.value()) != (b.value() && c.value()));
  if (a.is_constant() && b.is_constant() && c.is_constant()) return Boolean::constant(value);
  if (a.is_constant() && !a.value()) return bit_and(cs, b, c);
  if (b.is_constant() && !b.value()) return bit_and(cs, a, c);
  if (c.is_constant()) return c.value() ? !bit_and(cs, !a, !b) : bit_and(cs, a, b);
  if (b.is_constant()) return !bit_and(cs, !a, !c);
  if (a.is_constant()) return !bit_and(cs, !b, !c);
  // (2bc - b - c) · a = bc - result
  const Variable result = cs.alloc_bit("maj", value);
  const Boolean both = bit_and(*Scope(cs, "b and c"), b, c);
  Combination left, right;
  both.add_to(left, Fr::one());
  both.add_to(left, Fr::one());
  b.add_to(left, -Fr::one());
  c.add_to(left, -Fr::one());
  both.add_to(right, Fr::one());
  right.push_back(minus(result));
  cs.enforce("maj computation", left, combination_of(a), right);
  return Boolean::is(result, value);
}

void enforce_equal(ConstraintSystem& cs, const Boolean& a, const Boolean& b) {
  if (a.is_constant() && b.is_constant()) {
    CUZK_CHECK(a.value() == b.value());
  } else if (a.is_constant() || b.is_constant()) {
    const Boolean& constant = a.is_constant() ? a : b;
    const Boolean& other = a.is_constant() ? b : a;
    if (constant.value()) {
      Combination difference;
      difference.push_back({kOne});
      other.add_to(difference, -Fr::one());
      cs.enforce("enforce equal to one", {}, {}, difference);
    } else {
      cs.enforce("enforce equal to zero", {}, {}, combination_of(other));
    }
  } else {
    Combination difference = combination_of(a);
    b.add_to(difference, -Fr::one());
    cs.enforce("enforce equal", {}, {}, difference);
  }
}

NumberBits alloc_bits(ConstraintSystem& cs, const Fr::Int& value, size_t count) {
  NumberBits bits(count);
  if (CompactSystem* compact = cs.compact()) {
    for (size_t i = 0; i < count; i += 32) {
      const size_t take = std::min<size_t>(32, count - i);
      compact->append_bits(value.bits(i, take), static_cast<unsigned>(take));
    }
    for (size_t i = 0; i < count; ++i) bits[i] = Boolean::is(kOne, value.bit(i));
    return bits;
  }
  for (size_t i = 0; i < count; ++i) bits[i] = Boolean::alloc(*Scope(cs, {"bit {}", i}), value.bit(i));
  return bits;
}

NumberBits reversed_in_bytes(NumberBits bits) {
  bits.resize((bits.size() + 7) / 8 * 8);
  for (size_t i = 0; i < bits.size(); i += 8) std::reverse(bits.begin() + i, bits.begin() + i + 8);
  return bits;
}

}  // namespace cuzk
