#include "r1cs/evaluate.hpp"

#include <atomic>

namespace cuzk {
namespace {

// Sum of v·2^k for field elements v and k below 255, as an integer: 2^32 terms stay below 2^(255 + 254 + 32),
// in nine limbs. One reduction at the end takes the place of a multiplication for each term.
class ShiftedSum {
 public:
  void add(const Fr& value, unsigned k) {
    const auto& v = value.montgomery().limb;
    const unsigned word = k / 64, bits = k % 64;
    uint64_t shifted[5];
    shifted[0] = v[0] << bits;
    // Two shifts, because a shift by 64 is undefined.
    for (unsigned i = 1; i < 4; ++i) shifted[i] = v[i] << bits | v[i - 1] >> 1 >> (63 - bits);
    shifted[4] = v[3] >> 1 >> (63 - bits);
    uint64_t carry = 0;
    for (unsigned i = 0; i < 5; ++i) {
      uint128_t t = static_cast<uint128_t>(limb_[word + i]) + shifted[i] + carry;
      limb_[word + i] = static_cast<uint64_t>(t);
      carry = static_cast<uint64_t>(t >> 64);
    }
    for (unsigned i = word + 5; carry != 0 && i < 9; ++i) carry = (limb_[i] += carry) < carry ? 1 : 0;
    used_ = true;
  }

  bool used() const { return used_; }

  // The sum mod r. With limbs L + M·2^256 + T·2^512 and Montgomery multiplication (x, y) -> x·y/2^256, of
  // which the right-hand factor may exceed the modulus.
  Fr reduced() const {
    static constexpr Fr kR2 = Fr::from_montgomery(Fr::kR2);
    static constexpr Fr kR3 = kR2 * kR2;
    auto part = [&](size_t from, size_t count) {
      BigInt<4> v = BigInt<4>::zero();
      for (size_t i = 0; i < count; ++i) v.limb[i] = limb_[from + i];
      return Fr::from_montgomery(v);
    };
    return Fr::one() * part(0, 4) + kR2 * part(4, 4) + kR3 * part(8, 1);
  }

 private:
  uint64_t limb_[9] = {};
  bool used_ = false;
};

template <class Values>
Fr row_times(std::span<const Term> row, const CoefficientTable& table, const Values& w) {
  Fr sum = Fr::zero();
  ShiftedSum plus, minus;
  for (const Term& term : row) {
    const Fr& value = w[term.variable];
    const uint32_t coefficient = term.coefficient;
    if (coefficient == CoefficientTable::kOne) {
      sum += value;
    } else if (coefficient == CoefficientTable::kMinusOne) {
      sum -= value;
    } else if (value.is_zero()) {
      continue;
    } else if (value.is_one()) {
      sum += table[coefficient];
    } else if (CoefficientTable::is_power_of_two(coefficient)) {
      (CoefficientTable::is_negative(coefficient) ? minus : plus)
          .add(value, CoefficientTable::shift(coefficient));
    } else {
      sum += value * table[coefficient];
    }
  }
  if (plus.used()) sum += plus.reduced();
  if (minus.used()) sum -= minus.reduced();
  return sum;
}

constexpr size_t kGrain = 512;  // rows a task, so that handing it out costs nothing in comparison

template <class Values>
void evaluate_all(const SparseMatrix& matrix, const CoefficientTable& table, const Values& w,
                  std::span<Fr> out, Executor& executor) {
  parallel_ranges(executor, matrix.rows(), kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) out[i] = row_times(matrix.row(i), table, w);
  });
}

std::string hex(const Fr& value) {
  uint8_t bytes[Fr::kBytes];
  value.to_be_bytes(bytes);
  return "0x" + to_hex(bytes);
}

}  // namespace

void evaluate(const SparseMatrix& matrix, const CoefficientTable& table, std::span<const Fr> w,
              std::span<Fr> out, Executor& executor) {
  evaluate_all(matrix, table, w, out, executor);
}
void evaluate(const SparseMatrix& matrix, const CoefficientTable& table, const WitnessView& w,
              std::span<Fr> out, Executor& executor) {
  evaluate_all(matrix, table, w, out, executor);
}

Fr evaluate_row(std::span<const Term> row, const CoefficientTable& table, std::span<const Fr> w) {
  return row_times(row, table, w);
}

std::optional<UnsatisfiedConstraint> first_unsatisfied(const R1cs& circuit, std::span<const Fr> w,
                                                       Executor& executor) {
  const size_t none = circuit.num_constraints();
  std::atomic<size_t> first = none;
  auto values_at = [&](size_t i) {
    return UnsatisfiedConstraint{i, row_times(circuit.a.row(i), circuit.coefficients, w),
                                 row_times(circuit.b.row(i), circuit.coefficients, w),
                                 row_times(circuit.c.row(i), circuit.coefficients, w)};
  };
  parallel_ranges(executor, none, kGrain, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end && i < first.load(std::memory_order_relaxed); ++i) {
      auto v = values_at(i);
      if (v.a * v.b == v.c) continue;
      size_t seen = first.load();
      while (i < seen && !first.compare_exchange_weak(seen, i)) {
      }
      return;
    }
  });
  if (first == none) return std::nullopt;
  return values_at(first);
}

Status check_witness_form(size_t num_variables, std::span<const Fr> w) {
  if (w.size() != num_variables) {
    return invalid("the witness has " + std::to_string(w.size()) + " values, the circuit has " +
                   std::to_string(num_variables) + " variables: is it the witness of another circuit?");
  }
  if (w.empty() || !w[0].is_one()) {
    return invalid("the witness starts with " + (w.empty() ? std::string("nothing") : hex(w[0])) +
                   ", its first value (the constant one) must be 1");
  }
  return {};
}

Status unsatisfied(const UnsatisfiedConstraint& constraint) {
  return fail(ErrorCode::kUnsatisfied,
              "the witness does not satisfy the circuit: the first failing constraint is " +
                  std::to_string(constraint.index) + " (counted from 0): A·w = " + hex(constraint.a) +
                  ", B·w = " + hex(constraint.b) + ", C·w = " + hex(constraint.c) +
                  ", and A·w times B·w is not C·w");
}

Status check_satisfied(const R1cs& circuit, std::span<const Fr> w, Executor& executor) {
  CUZK_TRY(check_witness_form(circuit.num_variables(), w));
  if (auto bad = first_unsatisfied(circuit, w, executor)) return unsatisfied(*bad);
  return {};
}

}  // namespace cuzk
