// Rank-1 constraint systems as sparse matrices: (A·w) ∘ (B·w) = C·w.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "field/fr.hpp"

namespace cuzk {

// The coefficients of a circuit, each once. ±2^k has a fixed index, so that evaluating it needs neither a
// look-up nor a multiplication: 2k for 2^k and 2k + 1 for -2^k, k below 255 (2^254 < r < 2^255). All others
// follow in the order in which they were first seen.
class CoefficientTable {
 public:
  static constexpr uint32_t kPowers = 255;
  static constexpr uint32_t kFirstGeneral = 2 * kPowers;
  static constexpr uint32_t kOne = 0, kMinusOne = 1;

  CoefficientTable();

  // The index of a coefficient, which is added if it is new. Not for zero: a matrix stores no zero terms.
  uint32_t index_of(const Fr& coefficient);

  const Fr& operator[](uint32_t index) const { return values_[index]; }
  size_t size() const { return values_.size(); }

  static constexpr bool is_power_of_two(uint32_t index) { return index < kFirstGeneral; }
  static constexpr unsigned shift(uint32_t index) { return index >> 1; }
  static constexpr bool is_negative(uint32_t index) { return (index & 1) != 0; }

 private:
  struct Hash {
    size_t operator()(const Fr& v) const {
      const auto& limb = v.montgomery().limb;
      return static_cast<size_t>((limb[0] ^ limb[2]) * 0x9e3779b97f4a7c15u ^ limb[1] ^ (limb[3] << 7));
    }
  };
  std::vector<Fr> values_;
  std::unordered_map<Fr, uint32_t, Hash> index_;
};

struct Term {
  uint32_t variable;
  uint32_t coefficient;  // index in the circuit's CoefficientTable
  bool operator==(const Term&) const = default;
};

// Rows of terms, one after the other. A row has no variable twice; terms stay in the order in which they
// came. At most 2^32 - 1 terms.
class SparseMatrix {
 public:
  size_t rows() const { return begin_.size() - 1; }
  size_t nonzeros() const { return terms_.size(); }
  std::span<const Term> row(size_t i) const {
    return {terms_.data() + begin_[i], static_cast<size_t>(begin_[i + 1] - begin_[i])};
  }
  // Row i is terms()[row_begins()[i]] up to, not including, terms()[row_begins()[i + 1]].
  std::span<const uint32_t> row_begins() const { return begin_; }
  std::span<const Term> terms() const { return terms_; }

  void reserve(size_t rows, size_t nonzeros) {
    begin_.reserve(rows + 1);
    terms_.reserve(nonzeros);
  }
  // Terms of the row being built; end_row() closes it.
  void push_term(Term term) { terms_.push_back(term); }
  void end_row();
  void push_row(std::span<const Term> terms) {
    terms_.insert(terms_.end(), terms.begin(), terms.end());
    end_row();
  }
  // Renumbers variables (a circuit that allocates inputs late knows the final numbers only at its end).
  template <class Function>
  void map_variables(Function&& function) {
    for (Term& term : terms_) term.variable = function(term.variable);
  }

 private:
  std::vector<uint32_t> begin_{0};
  std::vector<Term> terms_;
};

// Variables are numbered inputs first (variable 0 is the constant one), then auxiliaries: the wires of
// circom. The x_i · 0 = 0 rows that key generation appends, one for each input, are not part of it.
struct R1cs {
  size_t num_inputs = 1;  // public inputs with the constant one
  size_t num_aux = 0;
  SparseMatrix a, b, c;
  CoefficientTable coefficients;

  size_t num_variables() const { return num_inputs + num_aux; }
  size_t num_constraints() const { return a.rows(); }

  // Appends one constraint. Like terms are summed and zero terms left out.
  using Combination = std::vector<std::pair<uint32_t, Fr>>;
  void add_constraint(const Combination& lhs, const Combination& rhs, const Combination& out);
};

// "wire 7 (input 7)", "wire 9 (auxiliary 4)": how messages name a variable.
std::string variable_name(const R1cs& circuit, uint32_t variable);

}  // namespace cuzk
