// Rows of matrices from files, whose terms need not be as tidy as a SparseMatrix wants them.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "r1cs/r1cs.hpp"

namespace cuzk {

// Builds one row after the other: zero terms are dropped, terms of the same variable summed into the first;
// the order stays.
class RowBuilder {
 public:
  RowBuilder(SparseMatrix& matrix, CoefficientTable& table) : matrix_(matrix), table_(table) {}

  // Most terms that the caller may put into a row (4 GiB of file).
  static constexpr uint32_t kMostTerms = uint32_t{1} << 27;
  // True when such a row might take the matrix beyond 2^32 - 1 terms.
  bool full() const { return matrix_.nonzeros() > UINT32_MAX - kMostTerms; }

  void add(uint32_t variable, const Fr& coefficient) {
    if (!terms_.empty() && variable <= terms_.back().first) ascending_ = false;
    terms_.emplace_back(variable, coefficient);
  }

  void finish() {
    if (!ascending_) merge_like_terms();
    for (const auto& [variable, coefficient] : terms_) {
      if (!coefficient.is_zero()) matrix_.push_term({variable, table_.index_of(coefficient)});
    }
    matrix_.end_row();
    terms_.clear();
    ascending_ = true;
  }

 private:
  void merge_like_terms() {
    std::vector<size_t> order(terms_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t x, size_t y) { return terms_[x].first < terms_[y].first; });
    size_t first = 0;
    for (size_t i = 1; i < order.size(); ++i) {
      if (terms_[order[i]].first != terms_[order[first]].first) {
        first = i;
        continue;
      }
      terms_[order[first]].second += terms_[order[i]].second;
      terms_[order[i]].second = Fr::zero();
    }
  }

  SparseMatrix& matrix_;
  CoefficientTable& table_;
  std::vector<std::pair<uint32_t, Fr>> terms_;
  bool ascending_ = true;
};

}  // namespace cuzk
