#include <algorithm>
#include <cstring>
#include <unordered_map>

#include "base/check.hpp"
#include "r1cs/stored_matrices.hpp"

namespace cuzk {
namespace {

constexpr uint32_t kOwn = 0x80000000;  // while a piece is recorded: kOwn | place among its own auxiliaries

struct Storage {
  std::vector<Fr> coefficients;
  std::vector<MatrixForm> forms;
  std::vector<uint64_t> begins;
  std::vector<Term> terms;
  std::vector<uint32_t> marks;
  std::vector<MatrixPiece> pieces;
  std::vector<uint32_t> externals;

  StoredMatrices::Arrays arrays() const {
    return {coefficients, forms, begins, terms, marks, pieces, externals};
  }
};

uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

}  // namespace

struct TemplateSystem::State {
  StoredMatrices::Counts counts;
  CoefficientTable coefficients;
  std::shared_ptr<Storage> out = std::make_shared<Storage>();
  std::vector<bool> is_bit;  // of all auxiliaries
  std::unordered_multimap<uint64_t, uint32_t> forms_by_hash;

  // The piece being recorded.
  unsigned depth = 0;
  uint64_t first_row = 0, first_aux = 0;
  std::array<std::vector<uint64_t>, 3> begins;
  std::array<std::vector<Term>, 3> terms;
  std::unordered_map<uint32_t, uint32_t> locals;  // of externals
  std::vector<uint32_t> externals;
  std::vector<std::pair<uint32_t, Fr>> scratch;

  uint32_t local_of(Variable v) {
    if (v == kOne) return 0;
    if (v.is_aux() && v.index() >= first_aux) return kOwn | static_cast<uint32_t>(v.index() - first_aux);
    const auto [entry, added] = locals.try_emplace(v.id, static_cast<uint32_t>(externals.size() + 1));
    if (added) externals.push_back(v.id);
    return entry->second;
  }

  void push_row(size_t side, LinearTerms row) {
    scratch.clear();
    bool ascending = true;
    for (const LinearTerm& t : row) {
      const uint32_t local = local_of(t.variable);
      ascending = ascending && !t.coefficient.is_zero() && (scratch.empty() || scratch.back().first < local);
      scratch.emplace_back(local, t.coefficient);
    }
    std::vector<Term>& out_terms = terms[side];
    if (ascending) {
      for (const auto& [local, coefficient] : scratch)
        out_terms.push_back({local, coefficients.index_of(coefficient)});
    } else {
      std::sort(scratch.begin(), scratch.end(),
                [](const auto& x, const auto& y) { return x.first < y.first; });
      for (size_t i = 0; i < scratch.size();) {
        auto [local, sum] = scratch[i++];
        while (i < scratch.size() && scratch[i].first == local) sum += scratch[i++].second;
        if (!sum.is_zero()) out_terms.push_back({local, coefficients.index_of(sum)});
      }
    }
    begins[side].push_back(out_terms.size());
  }

  uint64_t rows() const { return counts.constraints - first_row; }
  uint64_t own() const { return counts.aux - first_aux; }

  // Ends the piece that is being recorded, if there is anything in it, and begins the next.
  void cut() {
    if (rows() > 0 || own() > 0) {
      for (auto& side : terms)
        for (Term& t : side)
          if ((t.variable & kOwn) != 0)
            t.variable = (t.variable & ~kOwn) + static_cast<uint32_t>(externals.size()) + 1;
      const uint32_t form = find_or_add();
      out->pieces.push_back({form, static_cast<uint32_t>(first_row), static_cast<uint32_t>(first_aux),
                             static_cast<uint32_t>(out->externals.size())});
      out->externals.insert(out->externals.end(), externals.begin(), externals.end());
      for (size_t side = 0; side < 3; ++side) counts.nonzeros[side] += terms[side].size();
    }
    first_row = counts.constraints;
    first_aux = counts.aux;
    for (auto& side : begins) side.assign(1, 0);
    for (auto& side : terms) side.clear();
    locals.clear();
    externals.clear();
  }

  std::vector<uint32_t> local_marks() const {
    std::vector<uint32_t> marks((1 + externals.size() + own() + 31) / 32);
    auto mark = [&](size_t local) { marks[local / 32] |= uint32_t{1} << (local % 32); };
    mark(0);
    for (size_t i = 0; i < externals.size(); ++i) {
      const Variable v{externals[i]};
      if (v.is_aux() && is_bit[v.index()]) mark(1 + i);
    }
    for (size_t i = 0; i < own(); ++i)
      if (is_bit[first_aux + i]) mark(1 + externals.size() + i);
    return marks;
  }

  uint32_t find_or_add() {
    const std::vector<uint32_t> marks = local_marks();
    uint64_t hash = mix(mix(mix(0, rows()), own()), externals.size());
    for (uint32_t word : marks) hash = mix(hash, word);
    for (const auto& side : begins)
      for (uint64_t begin : side) hash = mix(hash, begin);
    for (const auto& side : terms)
      for (const Term& t : side) hash = mix(hash, uint64_t{t.variable} << 32 | t.coefficient);
    const auto [begin, end] = forms_by_hash.equal_range(hash);
    for (auto entry = begin; entry != end; ++entry)
      if (equals(out->forms[entry->second], marks)) return entry->second;
    const auto index = static_cast<uint32_t>(out->forms.size());
    forms_by_hash.emplace(hash, index);
    out->forms.push_back({static_cast<uint32_t>(rows()), static_cast<uint32_t>(own()),
                          static_cast<uint32_t>(externals.size()), static_cast<uint32_t>(out->marks.size()),
                          out->begins.size(), out->terms.size()});
    out->marks.insert(out->marks.end(), marks.begin(), marks.end());
    uint64_t before = 0;
    for (size_t side = 0; side < 3; ++side) {
      for (uint64_t at : begins[side]) out->begins.push_back(before + at);
      out->terms.insert(out->terms.end(), terms[side].begin(), terms[side].end());
      before += terms[side].size();
    }
    return index;
  }

  bool equals(const MatrixForm& form, const std::vector<uint32_t>& marks) const {
    if (form.rows != rows() || form.own != own() || form.externals != externals.size()) return false;
    if (!std::equal(marks.begin(), marks.end(), out->marks.begin() + form.first_mark)) return false;
    const uint64_t* stored = out->begins.data() + form.first_begin;
    uint64_t before = 0;
    for (size_t side = 0; side < 3; ++side) {
      for (uint64_t at : begins[side])
        if (*stored++ != before + at) return false;
      const auto first = out->terms.begin() + static_cast<std::ptrdiff_t>(form.first_term + before);
      if (!std::equal(terms[side].begin(), terms[side].end(), first)) return false;
      before += terms[side].size();
    }
    return true;
  }
};

TemplateSystem::TemplateSystem() : ConstraintSystem(false), state_(std::make_unique<State>()) {
  state_->cut();
}
TemplateSystem::~TemplateSystem() = default;

Variable TemplateSystem::alloc(const Name&, const Fr&) {
  state_->is_bit.push_back(false);
  return Variable::aux(state_->counts.aux++);
}
Variable TemplateSystem::alloc_bit(const Name&, bool) {
  state_->is_bit.push_back(true);
  return Variable::aux(state_->counts.aux++);
}
Variable TemplateSystem::alloc_input(const Name&, const Fr&) {
  return Variable::input(state_->counts.inputs++);
}

void TemplateSystem::enforce(const Name&, LinearTerms a, LinearTerms b, LinearTerms c) {
  state_->push_row(0, a);
  state_->push_row(1, b);
  state_->push_row(2, c);
  ++state_->counts.constraints;
}

void TemplateSystem::begin_piece() {
  if (state_->depth++ == 0) state_->cut();
}
void TemplateSystem::end_piece() {
  if (--state_->depth == 0) state_->cut();
}

Result<std::shared_ptr<StoredMatrices>> TemplateSystem::take(std::string name) {
  state_->cut();
  Storage& out = *state_->out;
  for (size_t i = 0; i < state_->coefficients.size(); ++i)
    out.coefficients.push_back(state_->coefficients[static_cast<uint32_t>(i)]);
  return StoredMatrices::create(std::move(name), state_->counts, out.arrays(), state_->out);
}

}  // namespace cuzk
