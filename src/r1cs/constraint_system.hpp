// How a circuit is written down: it allocates variables and enforces a · b = c over linear combinations of
// them, on whatever system it is given. Variable 0 of the inputs is the constant one. The same description
// yields the matrices (a shape pass, where values mean nothing) and the assignment (a witness pass).
#pragma once

#include <array>
#include <compare>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "field/fr.hpp"

namespace cuzk {

// A variable by its number: input i is i, auxiliary j is kAuxBit | j. The order of terms in digests and files
// is the order of these numbers: inputs first.
struct Variable {
  static constexpr uint32_t kAuxBit = 0x80000000;
  uint32_t id = 0;

  static constexpr Variable input(size_t index) { return {static_cast<uint32_t>(index)}; }
  static constexpr Variable aux(size_t index) { return {kAuxBit | static_cast<uint32_t>(index)}; }
  constexpr bool is_aux() const { return (id & kAuxBit) != 0; }
  constexpr size_t index() const { return id & ~kAuxBit; }
  constexpr auto operator<=>(const Variable&) const = default;
};
inline constexpr Variable kOne{0};

struct LinearTerm {
  Variable variable;
  Fr coefficient;

  LinearTerm() = default;
  LinearTerm(Variable v) : variable(v), coefficient(Fr::one()) {}
  LinearTerm(const Fr& c, Variable v) : variable(v), coefficient(c) {}
};
inline LinearTerm minus(Variable v) {
  return {-Fr::one(), v};
}

// A linear combination owned: terms in any order, a variable may occur more than once.
using LinearCombination = std::vector<LinearTerm>;

// A linear combination seen. Made in the argument list of enforce(), where it lives long enough.
class LinearTerms {
 public:
  LinearTerms() = default;
  LinearTerms(std::span<const LinearTerm> terms) : data_(terms.data()), size_(terms.size()) {}
  LinearTerms(const LinearCombination& terms) : LinearTerms(std::span<const LinearTerm>(terms)) {}
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
  LinearTerms(std::initializer_list<LinearTerm> terms) : data_(terms.begin()), size_(terms.size()) {}
#pragma GCC diagnostic pop

  const LinearTerm* begin() const { return data_; }
  const LinearTerm* end() const { return data_ + size_; }
  size_t size() const { return size_; }
  const LinearTerm& operator[](size_t i) const { return data_[i]; }

 private:
  const LinearTerm* data_ = nullptr;
  size_t size_ = 0;
};

// A linear combination of few terms, without the heap.
template <size_t N>
class SmallCombination {
 public:
  void push_back(const LinearTerm& term) { terms_[size_++] = term; }
  operator LinearTerms() const { return std::span<const LinearTerm>(terms_.data(), size_); }

 private:
  std::array<LinearTerm, N> terms_;
  size_t size_ = 0;
};

// The name of a variable, constraint or namespace: text with up to three numbers for its {}. Made into a
// string only by systems that keep names; the text must outlive the pass (a literal).
class Name {
 public:
  template <class... Numbers>
  constexpr Name(const char* text, Numbers... numbers)
      : text_(text), numbers_{static_cast<uint64_t>(numbers)...} {
    static_assert(sizeof...(numbers) <= 3);
  }
  std::string to_string() const;

 private:
  const char* text_;
  std::array<uint64_t, 3> numbers_;
};

class CompactSystem;

class ConstraintSystem {
 public:
  virtual ~ConstraintSystem() = default;
  ConstraintSystem(const ConstraintSystem&) = delete;
  ConstraintSystem& operator=(const ConstraintSystem&) = delete;

  // False: the pass records shape only, values that circuits pass and keep mean nothing (and may be zero).
  bool wants_values() const { return wants_values_; }
  // Set where only a compact witness is wanted: gadgets may then write many values at once instead of
  // allocating one by one, and need not build constraints. Variables they return mean nothing.
  CompactSystem* compact() const { return compact_; }

  virtual Variable alloc(const Name& name, const Fr& value) = 0;
  virtual Variable alloc_input(const Name& name, const Fr& value) = 0;
  // A variable that the circuit forces to be 0 or 1, by whatever constraints.
  virtual Variable alloc_bit(const Name& name, bool value) {
    return alloc(name, value ? Fr::one() : Fr::zero());
  }
  // (a) · (b) = (c). LinearTerms in any order; the same variable may occur several times (its coefficients
  // add up).
  virtual void enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) = 0;

  // Namespaces; use Scope.
  virtual void push(const Name&) {}
  virtual void pop() {}

  // Around parts that occur again and again with other variables; use Piece.
  virtual void begin_piece() {}
  virtual void end_piece() {}

 protected:
  explicit ConstraintSystem(bool wants_values, CompactSystem* compact = nullptr)
      : wants_values_(wants_values), compact_(compact) {}

 private:
  bool wants_values_;
  CompactSystem* compact_;
};

// A namespace for as long as it lives: `Scope scope(cs, "hash");`, or for one call: `f(*Scope(cs, "hash"))`.
class Scope {
 public:
  Scope(ConstraintSystem& cs, const Name& name) : cs_(cs) { cs_.push(name); }
  ~Scope() { cs_.pop(); }
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;
  ConstraintSystem& operator*() const { return cs_; }

 private:
  ConstraintSystem& cs_;
};

// A part of a circuit, as long as this lives, that occurs often: systems that store such parts once see where
// it begins and ends. Of nested ones the outermost counts.
class Piece {
 public:
  explicit Piece(ConstraintSystem& cs) : cs_(cs) { cs_.begin_piece(); }
  ~Piece() { cs_.end_piece(); }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

 private:
  ConstraintSystem& cs_;
};

// Sorts by variable, adds up like terms and leaves out those whose sum is zero; returns how many it left out.
size_t normalise(LinearCombination& terms);

// The current namespaces of a system, kept as names.
class NamePath {
 public:
  void push(const Name& name) { names_.push_back(name); }
  void pop() { names_.pop_back(); }
  // "a/b/leaf".
  std::string join(const Name& leaf) const;

 private:
  std::vector<Name> names_;
};

}  // namespace cuzk
