#include "r1cs/r1cs.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace cuzk {

CoefficientTable::CoefficientTable() {
  values_.reserve(kFirstGeneral);
  Fr power = Fr::one();
  for (uint32_t k = 0; k < kPowers; ++k) {
    values_.push_back(power);
    values_.push_back(-power);
    power = power.doubled();
  }
  for (uint32_t i = 0; i < kFirstGeneral; ++i) index_.emplace(values_[i], i);
}

uint32_t CoefficientTable::index_of(const Fr& coefficient) {
  CUZK_CHECK(!coefficient.is_zero());
  if (coefficient.is_one()) return kOne;
  auto [entry, added] = index_.try_emplace(coefficient, static_cast<uint32_t>(values_.size()));
  if (added) values_.push_back(coefficient);
  return entry->second;
}

void SparseMatrix::end_row() {
  CUZK_CHECK(terms_.size() <= UINT32_MAX);
  begin_.push_back(static_cast<uint32_t>(terms_.size()));
}

namespace {

void push_combination(SparseMatrix& matrix, CoefficientTable& table, const R1cs::Combination& combination) {
  std::vector<std::pair<uint32_t, Fr>> merged;
  for (const auto& [variable, coefficient] : combination) {
    auto same =
        std::find_if(merged.begin(), merged.end(), [&](const auto& t) { return t.first == variable; });
    if (same == merged.end()) {
      merged.emplace_back(variable, coefficient);
    } else {
      same->second += coefficient;
    }
  }
  for (const auto& [variable, coefficient] : merged) {
    if (!coefficient.is_zero()) matrix.push_term({variable, table.index_of(coefficient)});
  }
  matrix.end_row();
}

}  // namespace

void R1cs::add_constraint(const Combination& lhs, const Combination& rhs, const Combination& out) {
  push_combination(a, coefficients, lhs);
  push_combination(b, coefficients, rhs);
  push_combination(c, coefficients, out);
}

std::string variable_name(const R1cs& circuit, uint32_t variable) {
  std::string name = "wire " + std::to_string(variable);
  if (variable == 0) return name + " (the constant one)";
  if (variable < circuit.num_inputs) return name + " (input " + std::to_string(variable) + ")";
  return name + " (auxiliary " + std::to_string(variable - circuit.num_inputs) + ")";
}

}  // namespace cuzk
