#include "r1cs/template_evaluate.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>

namespace cuzk {
namespace {

constexpr uint32_t kWide = 0x80000000;  // in a slot: among the wide values, else among the bits
constexpr size_t kRowsPerTask = 1 << 15;
constexpr int kMostSmall = 64;

// How a row is computed.
enum class RowKind : uint8_t {
  kEmpty,
  kCopy,     // one wide value as it is
  kSmall,    // bits with coefficients whose magnitudes add up to at most kMostSmall
  kInteger,  // bits with coefficients ±2^k
  kGeneral,
};

// What `coefficient` means depends on the kind of row. kSmall: the coefficient itself. kInteger: 2k, or
// 2k + 1 for -2^k. kGeneral: the place in the table.
struct SlotTerm {
  uint32_t slot;
  int32_t coefficient;
};

struct CompiledRow {
  uint32_t begin, size;
  RowKind kind;
};

// v as a sum of few powers of two, if it is one.
void append_powers(uint32_t slot, const Fr::Int& v, bool negative, std::vector<SlotTerm>& out) {
  for (size_t k = 0; k < Fr::kBits; ++k)
    if (v.bit(k)) out.push_back({slot, static_cast<int32_t>(2 * k + (negative ? 1 : 0))});
}
int set_bits(const Fr::Int& v) {
  int count = 0;
  for (uint64_t limb : v.limb) count += std::popcount(limb);
  return count;
}
constexpr int kFewPowers = 8;

std::array<Fr, 2 * kMostSmall + 1> small_numbers() {
  std::array<Fr, 2 * kMostSmall + 1> out;
  for (int i = -kMostSmall; i <= kMostSmall; ++i) out[static_cast<size_t>(i + kMostSmall)] = Fr::from_i64(i);
  return out;
}

// Bytes 0 and 1 for the bits of each byte.
std::array<uint64_t, 256> spread_bytes() {
  std::array<uint64_t, 256> out{};
  for (size_t v = 0; v < 256; ++v)
    for (size_t i = 0; i < 8; ++i) out[v] |= static_cast<uint64_t>((v >> i) & 1) << (8 * i);
  return out;
}

// `count` bits from bit `from` as bytes; writes up to seven bytes more.
void unpack_bits(std::span<const uint32_t> words, size_t from, size_t count, uint8_t* out) {
  static const std::array<uint64_t, 256> kSpread = spread_bytes();
  for (size_t i = 0; i < count; i += 32) {
    const size_t word = (from + i) / 32, shift = (from + i) % 32;
    uint64_t window = words[word];
    if (word + 1 < words.size()) window |= static_cast<uint64_t>(words[word + 1]) << 32;
    window >>= shift;
    for (size_t j = 0; j < 32 && i + j < count; j += 8) {
      std::memcpy(out + i + j, &kSpread[window & 255], 8);
      window >>= 8;
    }
  }
}

bool bit_at(const CompactWitness& w, size_t place) {
  return ((w.bits[place / 32] >> (place % 32)) & 1) != 0;
}

// Sum of counts[k]·2^k.
Fr sum_of_powers(const int32_t* counts) {
  BigInt<4> value = BigInt<4>::zero();
  int64_t carry = 0;
  for (size_t k = 0; k < 256; ++k) {
    carry += counts[k];
    value.limb[k / 64] |= static_cast<uint64_t>(carry & 1) << (k % 64);
    carry >>= 1;
  }
  Fr sum = Fr::from_reduced(value);
  static const Fr kBeyond = Fr::from_u64(2).pow(256);
  if (carry != 0) sum += Fr::from_i64(carry) * kBeyond;
  return sum;
}

}  // namespace

struct StoredEvaluator::CompiledForm {
  uint32_t bits = 0, wide = 0;                    // own ones
  uint32_t external_bits = 1, external_wide = 0;  // the constant one is a bit
  std::array<std::vector<CompiledRow>, 3> rows;
  std::vector<SlotTerm> terms;
};

// The values of one piece by slot.
struct StoredEvaluator::Locals {
  std::vector<uint8_t> bits;
  std::vector<Fr> wide;
};

namespace {

// Turns the rows of a form into rows over slots.
class RowCompiler {
 public:
  RowCompiler(const StoredMatrices& matrices, const MatrixForm& form) : m_(matrices), slots_(form.locals()) {
    const uint32_t* marks = m_.arrays().marks.data() + form.first_mark;
    for (size_t i = 0; i < slots_.size(); ++i) {
      const bool bit = ((marks[i / 32] >> (i % 32)) & 1) != 0;
      slots_[i] = bit ? bits_++ : (kWide | wide_++);
      if (i == form.externals) external_bits_ = bits_, external_wide_ = wide_;
    }
  }
  uint32_t bits() const { return bits_ - external_bits_; }
  uint32_t wide() const { return wide_ - external_wide_; }
  uint32_t external_bits() const { return external_bits_; }
  uint32_t external_wide() const { return external_wide_; }

  CompiledRow compile(std::span<const Term> row, std::vector<SlotTerm>& out) const {
    const auto begin = static_cast<uint32_t>(out.size());
    auto finish = [&](RowKind kind) {
      return CompiledRow{begin, static_cast<uint32_t>(out.size()) - begin, kind};
    };
    if (row.empty()) return finish(RowKind::kEmpty);
    if (row.size() == 1 && is_wide(row[0]) && row[0].coefficient == CoefficientTable::kOne) {
      out.push_back({slots_[row[0].variable] & ~kWide, 0});
      return finish(RowKind::kCopy);
    }
    if (small(row, out)) return finish(RowKind::kSmall);
    out.resize(begin);
    if (integer(row, out)) return finish(RowKind::kInteger);
    out.resize(begin);
    for (const Term& t : row) out.push_back({slots_[t.variable], static_cast<int32_t>(t.coefficient)});
    return finish(RowKind::kGeneral);
  }

 private:
  bool is_wide(const Term& t) const { return (slots_[t.variable] & kWide) != 0; }

  bool small(std::span<const Term> row, std::vector<SlotTerm>& out) const {
    int total = 0;
    for (const Term& t : row) {
      if (is_wide(t) || !CoefficientTable::is_power_of_two(t.coefficient)) return false;
      const unsigned shift = CoefficientTable::shift(t.coefficient);
      if (shift > 6 || (total += 1 << shift) > kMostSmall) return false;
      const int magnitude = 1 << shift;
      out.push_back(
          {slots_[t.variable], CoefficientTable::is_negative(t.coefficient) ? -magnitude : magnitude});
    }
    return true;
  }

  bool integer(std::span<const Term> row, std::vector<SlotTerm>& out) const {
    for (const Term& t : row) {
      if (is_wide(t)) return false;
      const uint32_t slot = slots_[t.variable];
      if (CoefficientTable::is_power_of_two(t.coefficient)) {
        out.push_back({slot, static_cast<int32_t>(t.coefficient)});
        continue;
      }
      // The same bit at several places of a packed sum.
      const Fr& coefficient = m_.arrays().coefficients[t.coefficient];
      const Fr::Int plus = coefficient.to_canonical(), minus = (-coefficient).to_canonical();
      if (set_bits(plus) <= kFewPowers)
        append_powers(slot, plus, false, out);
      else if (set_bits(minus) <= kFewPowers)
        append_powers(slot, minus, true, out);
      else
        return false;
    }
    return true;
  }

  const StoredMatrices& m_;
  std::vector<uint32_t> slots_;
  uint32_t bits_ = 0, wide_ = 0, external_bits_ = 0, external_wide_ = 0;
};

}  // namespace

StoredEvaluator::StoredEvaluator(std::shared_ptr<const StoredMatrices> matrices)
    : matrices_(std::move(matrices)) {
  const StoredMatrices& m = *matrices_;
  for (const MatrixForm& form : m.arrays().forms) {
    const RowCompiler compiler(m, form);
    CompiledForm out;
    out.bits = compiler.bits();
    out.wide = compiler.wide();
    out.external_bits = compiler.external_bits();
    out.external_wide = compiler.external_wide();
    for (size_t side = 0; side < 3; ++side) {
      out.rows[side].reserve(form.rows);
      for (size_t i = 0; i < form.rows; ++i)
        out.rows[side].push_back(
            compiler.compile(m.row(form, static_cast<StoredMatrices::Side>(side), i), out.terms));
    }
    most_bits_ = std::max<size_t>(most_bits_, out.external_bits + out.bits);
    most_wide_ = std::max<size_t>(most_wide_, out.external_wide + out.wide);
    forms_.push_back(std::move(out));
  }
  size_t rows = kRowsPerTask;
  for (size_t i = 0; i < m.arrays().pieces.size(); ++i) {
    if (rows >= kRowsPerTask) chunks_.push_back(i), rows = 0;
    rows += m.arrays().forms[m.arrays().pieces[i].form].rows;
  }
  chunks_.push_back(m.arrays().pieces.size());
}

StoredEvaluator::~StoredEvaluator() = default;

void StoredEvaluator::load(const MatrixPiece& piece, const CompactWitness& w, Locals& locals) const {
  const StoredMatrices& m = *matrices_;
  const CompiledForm& form = forms_[piece.form];
  const WitnessShape& shape = m.witness_shape();
  locals.bits[0] = 1;
  size_t bit = 1, wide = 0;
  const uint32_t externals = m.arrays().forms[piece.form].externals;
  for (uint32_t id : m.arrays().externals.subspan(piece.first_external, externals)) {
    const size_t number = m.number({id}), place = shape.bits_before(number);
    if (shape.is_bit(number))
      locals.bits[bit++] = bit_at(w, place) ? 1 : 0;
    else
      locals.wide[wide++] = w.wide[number - place];
  }
  if (m.arrays().forms[piece.form].own == 0) return;
  const size_t first = m.num_inputs() + piece.first_aux, place = shape.bits_before(first);
  unpack_bits(w.bits, place, form.bits, locals.bits.data() + bit);
  std::copy_n(w.wide.begin() + static_cast<std::ptrdiff_t>(first - place), form.wide,
              locals.wide.begin() + static_cast<std::ptrdiff_t>(wide));
}

void StoredEvaluator::evaluate_side(const CompiledForm& form, size_t side, const Locals& locals,
                                    Fr* out) const {
  static const std::array<Fr, 2 * kMostSmall + 1> kSmallNumbers = small_numbers();
  const uint8_t* bits = locals.bits.data();
  const Fr* wide = locals.wide.data();
  const std::span<const Fr> table = matrices_->arrays().coefficients;
  for (const CompiledRow& row : form.rows[side]) {
    const SlotTerm* t = form.terms.data() + row.begin;
    const SlotTerm* end = t + row.size;
    switch (row.kind) {
      case RowKind::kEmpty:
        *out++ = Fr::zero();
        break;
      case RowKind::kCopy:
        *out++ = wide[t->slot];
        break;
      case RowKind::kSmall: {
        int sum = kMostSmall;
        for (; t != end; ++t) sum += bits[t->slot] * t->coefficient;
        *out++ = kSmallNumbers[static_cast<size_t>(sum)];
        break;
      }
      case RowKind::kInteger: {
        int32_t counts[256] = {};
        for (; t != end; ++t)
          counts[t->coefficient >> 1] += (t->coefficient & 1) != 0 ? -bits[t->slot] : bits[t->slot];
        *out++ = sum_of_powers(counts);
        break;
      }
      case RowKind::kGeneral: {
        Fr sum = Fr::zero();
        for (; t != end; ++t) {
          const auto coefficient = static_cast<uint32_t>(t->coefficient);
          if ((t->slot & kWide) == 0) {
            if (bits[t->slot] != 0) sum += table[coefficient];
          } else if (coefficient == CoefficientTable::kOne) {
            sum += wide[t->slot & ~kWide];
          } else if (coefficient == CoefficientTable::kMinusOne) {
            sum -= wide[t->slot & ~kWide];
          } else {
            sum += wide[t->slot & ~kWide] * table[coefficient];
          }
        }
        *out++ = sum;
        break;
      }
    }
  }
}

void StoredEvaluator::evaluate(const CompactWitness& w, std::span<Fr> a, std::span<Fr> b, std::span<Fr> c,
                               Executor& executor) const {
  executor.run(chunks_.size() - 1, [&](size_t task) {
    Locals locals{std::vector<uint8_t>(most_bits_ + 8), std::vector<Fr>(most_wide_)};
    for (size_t i = chunks_[task]; i < chunks_[task + 1]; ++i) {
      const MatrixPiece& piece = matrices_->arrays().pieces[i];
      const CompiledForm& form = forms_[piece.form];
      if (form.rows[0].empty()) continue;
      load(piece, w, locals);
      evaluate_side(form, 0, locals, a.data() + piece.first_row);
      evaluate_side(form, 1, locals, b.data() + piece.first_row);
      if (!c.empty()) evaluate_side(form, 2, locals, c.data() + piece.first_row);
    }
  });
}

std::optional<UnsatisfiedConstraint> StoredEvaluator::first_unsatisfied(const CompactWitness& w,
                                                                        Executor& executor) const {
  std::atomic<size_t> first = matrices_->num_constraints();
  std::vector<UnsatisfiedConstraint> found(chunks_.size() - 1,
                                           {SIZE_MAX, Fr::zero(), Fr::zero(), Fr::zero()});
  executor.run(chunks_.size() - 1, [&](size_t task) {
    Locals locals{std::vector<uint8_t>(most_bits_ + 8), std::vector<Fr>(most_wide_)};
    std::array<std::vector<Fr>, 3> values;
    for (size_t i = chunks_[task]; i < chunks_[task + 1]; ++i) {
      const MatrixPiece& piece = matrices_->arrays().pieces[i];
      const CompiledForm& form = forms_[piece.form];
      if (form.rows[0].empty()) continue;
      if (piece.first_row >= first.load(std::memory_order_relaxed)) return;
      load(piece, w, locals);
      for (size_t side = 0; side < 3; ++side) {
        values[side].resize(form.rows[side].size());
        evaluate_side(form, side, locals, values[side].data());
      }
      for (size_t r = 0; r < values[0].size(); ++r) {
        if (values[0][r] * values[1][r] == values[2][r]) continue;
        const size_t index = piece.first_row + r;
        found[task] = {index, values[0][r], values[1][r], values[2][r]};
        size_t seen = first.load();
        while (index < seen && !first.compare_exchange_weak(seen, index)) {
        }
        return;
      }
    }
  });
  for (const UnsatisfiedConstraint& one : found)
    if (one.index == first) return one;
  return std::nullopt;
}

Status check_witness_form(const StoredMatrices& matrices, const CompactWitness& w) {
  const WitnessShape& shape = matrices.witness_shape();
  if (w.bits.size() != shape.num_bit_words() || w.wide.size() != shape.num_wide()) {
    return invalid("the witness has " + std::to_string(w.bits.size()) + " words of bits and " +
                   std::to_string(w.wide.size()) + " wide values, " + matrices.name() + " has " +
                   std::to_string(shape.num_bit_words()) + " and " + std::to_string(shape.num_wide()));
  }
  if ((w.bits[0] & 1) == 0) return invalid("the witness does not start with the constant one");
  return {};
}

}  // namespace cuzk
