#include "r1cs/witness.hpp"

#include <algorithm>
#include <optional>

#include "base/huge_pages.hpp"

namespace cuzk {

WitnessShape::WitnessShape(size_t num_variables) : size_(num_variables), num_wide_(num_variables) {
  resize_in_huge_pages(bit_marks_, (num_variables + 31) / 32);
  resize_in_huge_pages(bits_before_word_, bit_marks_.size());
}

void WitnessShape::mark_bits(size_t first, const uint32_t* marks, size_t from, size_t count) {
  // Less than a word, within one word of the marks here.
  const auto copy_few = [&](size_t few) {
    for (size_t i = 0; i < few; ++i) {
      const uint32_t bit = uint32_t{1} << ((first + i) % 32);
      uint32_t& word = bit_marks_[(first + i) / 32];
      const bool set = ((marks[(from + i) / 32] >> ((from + i) % 32)) & 1) != 0;
      word = set ? word | bit : word & ~bit;
    }
    first += few, from += few, count -= few;
  };
  copy_few(std::min((32 - first % 32) % 32, count));
  const size_t words = count / 32, shift = from % 32;
  uint32_t* const to = bit_marks_.data() + first / 32;
  marks += from / 32;
  if (shift == 0)
    std::copy_n(marks, words, to);
  else
    for (size_t i = 0; i < words; ++i) to[i] = marks[i] >> shift | marks[i + 1] << (32 - shift);
  first += 32 * words, from = shift + 32 * words, count -= 32 * words;
  copy_few(count);
}

void WitnessShape::finish() {
  size_t bits = 0;
  for (size_t i = 0; i < bit_marks_.size(); ++i) {
    bits_before_word_[i] = static_cast<uint32_t>(bits);
    bits += static_cast<size_t>(std::popcount(bit_marks_[i]));
  }
  num_wide_ = size_ - bits;
}

namespace {

// A combination of the constant one and at most one variable x: constant + slope·x.
struct Line {
  Fr constant = Fr::zero(), slope = Fr::zero();
};

// Fills `line`; false if another variable than x occurs. x is 0 as long as none is known.
bool as_line(std::span<const Term> row, const CoefficientTable& table, uint32_t& x, Line& line) {
  if (row.size() > 2) return false;
  for (const Term& term : row) {
    if (term.variable == 0) {
      line.constant = table[term.coefficient];
      continue;
    }
    if (x != 0 && x != term.variable) return false;
    x = term.variable;
    line.slope = table[term.coefficient];
  }
  return true;
}

// The variable that constraint i forces to be 0 or 1: (a0 + a1·x)(b0 + b1·x) = c0 + c1·x with exactly these
// roots.
std::optional<uint32_t> boolean_variable(const R1cs& circuit, size_t i) {
  uint32_t x = 0;
  Line a, b, c;
  if (!as_line(circuit.a.row(i), circuit.coefficients, x, a) ||
      !as_line(circuit.b.row(i), circuit.coefficients, x, b) ||
      !as_line(circuit.c.row(i), circuit.coefficients, x, c) || a.slope.is_zero() || b.slope.is_zero()) {
    return std::nullopt;
  }
  bool root0 = a.constant * b.constant == c.constant;
  bool root1 = (a.constant + a.slope) * (b.constant + b.slope) == c.constant + c.slope;
  if (!root0 || !root1) return std::nullopt;
  return x;
}

}  // namespace

WitnessShape WitnessShape::of(const R1cs& circuit) {
  WitnessShape shape(circuit.num_variables());
  if (shape.size_ == 0) return shape;
  shape.mark_bit(0);
  for (size_t i = 0; i < circuit.num_constraints(); ++i) {
    if (auto x = boolean_variable(circuit, i)) shape.mark_bit(*x);
  }
  shape.finish();
  return shape;
}

Result<CompactWitness> compact(const WitnessShape& shape, std::span<const Fr> values) {
  if (values.size() != shape.num_variables()) {
    return invalid("the witness has " + std::to_string(values.size()) + " values, the circuit has " +
                   std::to_string(shape.num_variables()) + " variables");
  }
  CompactWitness out;
  out.bits.resize(shape.num_bit_words());
  out.wide.reserve(shape.num_wide());
  size_t place = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (!shape.is_bit(i)) {
      out.wide.push_back(values[i]);
      continue;
    }
    if (values[i].is_one()) {
      out.bits[place / 32] |= uint32_t{1} << (place % 32);
    } else if (!values[i].is_zero()) {
      return fail(
          ErrorCode::kUnsatisfied,
          "wire " + std::to_string(i) + " is neither 0 nor 1, but a constraint of the circuit asks for that");
    }
    ++place;
  }
  return out;
}

}  // namespace cuzk
