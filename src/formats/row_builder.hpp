// Rows of matrices from files, whose terms need not be as tidy as a SparseMatrix wants them.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "r1cs/r1cs.hpp"

namespace cuzk {

// The table's index for a coefficient as the file has it. Circuits repeat few coefficients very often, so a
// small cache by the bytes saves the conversion to Montgomery form and the look-up of nearly all.
class CoefficientReader {
 public:
  static constexpr uint32_t kZero = UINT32_MAX;
  // What the integer in the file stands for; nothing if the file may not have it.
  using Decode = std::optional<Fr> (*)(const Fr::Int& stored);

  CoefficientReader(CoefficientTable& table, Decode decode)
      : table_(table), decode_(decode), entries_(kEntries) {}

  // bytes: 32, little-endian. kZero for zero; nothing if decode gives nothing.
  std::optional<uint32_t> read(const uint8_t* bytes) {
    const auto stored = Fr::Int::from_le_bytes(bytes);
    const uint64_t mixed =
        (stored.limb[0] ^ stored.limb[1] ^ stored.limb[2] ^ stored.limb[3]) * 0x9e3779b97f4a7c15;
    Entry& entry = entries_[mixed >> (64 - kLog2Entries)];
    if (entry.index == kZero || !(entry.stored == stored)) {
      const auto coefficient = decode_(stored);
      if (!coefficient) return std::nullopt;
      if (coefficient->is_zero()) return kZero;
      entry = {stored, table_.index_of(*coefficient)};
    }
    return entry.index;
  }

 private:
  static constexpr size_t kLog2Entries = 12, kEntries = size_t{1} << kLog2Entries;
  struct Entry {
    Fr::Int stored;
    uint32_t index = kZero;  // no entry
  };
  CoefficientTable& table_;
  Decode decode_;
  std::vector<Entry> entries_;
};

// Builds one row after the other: zero terms are dropped, terms of the same variable summed into the first;
// the order stays.
class RowBuilder {
 public:
  RowBuilder(SparseMatrix& matrix, CoefficientTable& table) : matrix_(matrix), table_(table) {}

  // Most terms that the caller may put into a row (4 GiB of file).
  static constexpr uint32_t kMostTerms = uint32_t{1} << 27;
  // True when such a row might take the matrix beyond 2^32 - 1 terms.
  bool full() const { return matrix_.nonzeros() > UINT32_MAX - kMostTerms; }

  // coefficient: index in the table. Zero terms are left out by the caller.
  void add(uint32_t variable, uint32_t coefficient) {
    if (!terms_.empty() && variable <= terms_.back().variable) ascending_ = false;
    terms_.push_back({variable, coefficient});
  }

  void finish() {
    if (!ascending_) merge_like_terms();
    matrix_.push_row(terms_);
    terms_.clear();
    ascending_ = true;
  }

 private:
  void merge_like_terms() {
    std::vector<size_t> order(terms_.size());
    for (size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t x, size_t y) { return terms_[x].variable < terms_[y].variable; });
    std::vector<bool> dropped(terms_.size());
    for (size_t i = 0; i < order.size();) {
      const size_t first = i;
      Fr sum = Fr::zero();
      for (; i < order.size() && terms_[order[i]].variable == terms_[order[first]].variable; ++i) {
        sum += table_[terms_[order[i]].coefficient];
        dropped[order[i]] = i != first;
      }
      if (i == first + 1) continue;
      dropped[order[first]] = sum.is_zero();
      if (!sum.is_zero()) terms_[order[first]].coefficient = table_.index_of(sum);
    }
    size_t kept = 0;
    for (size_t i = 0; i < terms_.size(); ++i) {
      if (!dropped[i]) terms_[kept++] = terms_[i];
    }
    terms_.resize(kept);
  }

  SparseMatrix& matrix_;
  CoefficientTable& table_;
  std::vector<Term> terms_;
  bool ascending_ = true;
};

}  // namespace cuzk
