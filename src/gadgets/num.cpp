#include "gadgets/num.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace cuzk {
namespace {

// Sum of 2^i · bit i as a combination (if one is wanted) and as a value.
struct Packed {
  LinearCombination terms;
  Fr value = Fr::zero();
};

Packed pack(ConstraintSystem& cs, std::span<const Boolean> bits) {
  Packed packed;
  const bool wants_terms = cs.compact() == nullptr;
  if (wants_terms) packed.terms.reserve(2 * bits.size());
  Fr::Int value = Fr::Int::zero();
  for (size_t i = 0; i < bits.size(); ++i) {
    if (wants_terms) bits[i].add_to(packed.terms, powers_of_two()[i]);
    if (bits[i].value()) value.limb[i / 64] |= uint64_t{1} << (i % 64);
  }
  packed.value = Fr::from_reduced(value);
  return packed;
}

}  // namespace

const std::vector<Fr>& powers_of_two() {
  static const std::vector<Fr> powers = [] {
    std::vector<Fr> out(Fr::kBits);
    Fr power = Fr::one();
    for (Fr& p : out) {
      p = power;
      power = power.doubled();
    }
    return out;
  }();
  return powers;
}

AllocatedNum AllocatedNum::alloc(ConstraintSystem& cs, const Fr& value) {
  return {cs.alloc("num", value), value};
}

void AllocatedNum::inputize(ConstraintSystem& cs) const {
  const Variable input = cs.alloc_input("input variable", value);
  cs.enforce("enforce input is correct", {input}, {kOne}, {variable});
}

AllocatedNum multiply(ConstraintSystem& cs, const AllocatedNum& a, const AllocatedNum& b) {
  const Fr value = a.value * b.value;
  const AllocatedNum product{cs.alloc("product num", value), value};
  cs.enforce("multiplication constraint", {a.variable}, {b.variable}, {product.variable});
  return product;
}

AllocatedNum square(ConstraintSystem& cs, const AllocatedNum& a) {
  const Fr value = a.value.square();
  const AllocatedNum result{cs.alloc("squared num", value), value};
  cs.enforce("squaring constraint", {a.variable}, {a.variable}, {result.variable});
  return result;
}

AllocatedNum add(ConstraintSystem& cs, const AllocatedNum& a, const AllocatedNum& b) {
  const AllocatedNum result = AllocatedNum::alloc(*Scope(cs, "add_num"), a.value + b.value);
  enforce_sum(cs, "sum constraint", a, b, result);
  return result;
}

AllocatedNum subtract(ConstraintSystem& cs, const AllocatedNum& a, const AllocatedNum& b) {
  const AllocatedNum result = AllocatedNum::alloc(*Scope(cs, "sub_num"), a.value - b.value);
  enforce_difference(cs, "subtraction constraint", a, b, result);
  return result;
}

AllocatedNum encode(ConstraintSystem& cs, const AllocatedNum& key, const AllocatedNum& data) {
  return add(*Scope(cs, "encode_add"), key, data);
}

void enforce_equal(ConstraintSystem& cs, const Name& name, const AllocatedNum& a, const AllocatedNum& b) {
  cs.enforce(name, {a.variable}, {kOne}, {b.variable});
}

void enforce_sum(ConstraintSystem& cs, const Name& name, const AllocatedNum& a, const AllocatedNum& b,
                 const AllocatedNum& sum) {
  cs.enforce(name, {a.variable, b.variable}, {kOne}, {sum.variable});
}

void enforce_difference(ConstraintSystem& cs, const Name& name, const AllocatedNum& a, const AllocatedNum& b,
                        const AllocatedNum& difference) {
  cs.enforce(name, {difference.variable, b.variable}, {kOne}, {a.variable});
}

NumberBits to_bits(ConstraintSystem& cs, const AllocatedNum& a) {
  const Fr::Int value = cs.wants_values() ? a.value.to_canonical() : Fr::Int::zero();
  const NumberBits bits = alloc_bits(cs, value, Fr::kBits);
  if (cs.compact() != nullptr) return bits;
  Packed packed = pack(cs, bits);
  packed.terms.push_back(minus(a.variable));
  cs.enforce("unpacking constraint", {}, {}, packed.terms);
  return bits;
}

std::array<Boolean, 64> alloc_u64(ConstraintSystem& cs, uint64_t value) {
  std::array<Boolean, 64> bits;
  for (size_t i = 0; i < bits.size(); ++i)
    bits[i] = Boolean::alloc(*Scope(cs, {"allocated bit {}", i}), ((value >> i) & 1) != 0);
  return bits;
}

AllocatedNum pack_bits(ConstraintSystem& cs, std::span<const Boolean> bits) {
  const Packed packed = pack(cs, bits.first(std::min(bits.size(), kPackedBits)));
  const AllocatedNum result = AllocatedNum::alloc(*Scope(cs, "input"), packed.value);
  cs.enforce("packing constraint", packed.terms, {kOne}, {result.variable});
  return result;
}

void pack_into_inputs(ConstraintSystem& cs, std::span<const Boolean> bits) {
  for (size_t i = 0; i * kPackedBits < bits.size(); ++i) {
    const size_t begin = i * kPackedBits;
    const Packed packed = pack(cs, bits.subspan(begin, std::min(bits.size() - begin, kPackedBits)));
    const Variable input = cs.alloc_input({"input {}", i}, packed.value);
    cs.enforce({"packing constraint {}", i}, packed.terms, {kOne}, {input});
  }
}

AllocatedNum pick(ConstraintSystem& cs, const Boolean& condition, const AllocatedNum& a,
                  const AllocatedNum& b) {
  const AllocatedNum result =
      AllocatedNum::alloc(*Scope(cs, "pick result"), condition.value() ? a.value : b.value);
  SmallCombination<2> selector;
  condition.add_to(selector, Fr::one());
  // (b - a) · condition = b - result
  cs.enforce("pick", {b.variable, minus(a.variable)}, selector, {b.variable, minus(result.variable)});
  return result;
}

AllocatedNum select(ConstraintSystem& cs, std::span<const AllocatedNum> from,
                    std::span<const Boolean> index_bits) {
  CUZK_CHECK(from.size() == size_t{1} << index_bits.size());
  InlineVector<AllocatedNum, kMostSelected / 2> state(from.size() / 2);
  for (size_t level = 0; level < index_bits.size(); ++level) {
    const Boolean& bit = index_bits[index_bits.size() - 1 - level];
    const size_t half = from.size() / 2;
    for (size_t j = 0; j < half; ++j)
      state[j] = pick(*Scope(cs, {"pick {}, {}", level, j}), bit, from[half + j], from[j]);
    from = std::span<const AllocatedNum>(state).first(half);
  }
  return from[0];
}

namespace {

using Nums = std::span<const AllocatedNum>;

Numbers insert_into_1(ConstraintSystem& cs, const AllocatedNum& a, const Boolean& bit,
                      const AllocatedNum& b) {
  const AllocatedNum first = pick(*Scope(cs, "binary insert 0"), bit, b, a);
  const AllocatedNum second = pick(*Scope(cs, "binary insert 1"), bit, a, b);
  return Numbers(std::array{first, second});
}

// Positions are named by output and by what is known of the bits so far: "p2_x1" is output 2 when the second
// bit is one and the first not known. For any output only few of the others can appear.
Numbers insert_into_3(ConstraintSystem& cs, const AllocatedNum& a, std::span<const Boolean> bits,
                      Nums others) {
  const Boolean &b0 = bits[0], &b1 = bits[1];
  const AllocatedNum &b = others[0], &c = others[1], &d = others[2];
  auto choose = [&](const char* name, const Boolean& bit, const AllocatedNum& yes, const AllocatedNum& no) {
    return pick(*Scope(cs, name), bit, yes, no);
  };
  const AllocatedNum p0_x0 = choose("p0_x0", b0, b, a);
  const AllocatedNum p0 = choose("p0", b1, b, p0_x0);
  const AllocatedNum p1_x0 = choose("p1_x0", b0, a, b);
  const AllocatedNum p1 = choose("p1", b1, c, p1_x0);
  const AllocatedNum p2_x1 = choose("p2_x1", b0, d, a);
  const AllocatedNum p2 = choose("p2", b1, p2_x1, c);
  const AllocatedNum p3_x1 = choose("p3_x1", b0, a, d);
  const AllocatedNum p3 = choose("p3", b1, p3_x1, d);
  return Numbers(std::array{p0, p1, p2, p3});
}

Numbers insert_into_7(ConstraintSystem& cs, const AllocatedNum& a, std::span<const Boolean> bits,
                      Nums others) {
  const Boolean &b0 = bits[0], &b1 = bits[1], &b2 = bits[2];
  CUZK_CHECK(b0.is_plain() && b1.is_plain());
  const AllocatedNum &b = others[0], &c = others[1], &d = others[2], &e = others[3], &f = others[4],
                     &g = others[5], &h = others[6];
  auto choose = [&](const char* name, const Boolean& bit, const AllocatedNum& yes, const AllocatedNum& no) {
    return pick(*Scope(cs, name), bit, yes, no);
  };
  const Boolean neither = bit_and(*Scope(cs, "b0 nor b1"), !b0, !b1);
  const Boolean both = bit_and(*Scope(cs, "b0 and b1"), b0, b1);
  const AllocatedNum p0_xx0 = choose("p0_xx0", neither, a, b);
  const AllocatedNum p0 = choose("p0", b2, b, p0_xx0);
  const AllocatedNum p1_x00 = choose("p1_x00", b0, a, b);
  const AllocatedNum p1_xx0 = choose("p1_xx0", b1, c, p1_x00);
  const AllocatedNum p1 = choose("p1", b2, c, p1_xx0);
  const AllocatedNum p2_x10 = choose("p2_x10", b0, d, a);
  const AllocatedNum p2_xx0 = choose("p2_xx0", b1, p2_x10, c);
  const AllocatedNum p2 = choose("p2", b2, d, p2_xx0);
  const AllocatedNum p3_xx0 = choose("p3_xx0", both, a, d);
  const AllocatedNum p3 = choose("p3", b2, e, p3_xx0);
  const AllocatedNum p4_xx1 = choose("p4_xx1", neither, a, f);
  const AllocatedNum p4 = choose("p4", b2, p4_xx1, e);
  const AllocatedNum p5_x01 = choose("p5_x01", b0, a, f);
  const AllocatedNum p5_xx1 = choose("p5_xx1", b1, g, p5_x01);
  const AllocatedNum p5 = choose("p5", b2, p5_xx1, f);
  const AllocatedNum p6_x11 = choose("p6_x11", b0, h, a);
  const AllocatedNum p6_xx1 = choose("p6_xx1", b1, p6_x11, g);
  const AllocatedNum p6 = choose("p6", b2, p6_xx1, g);
  const AllocatedNum p7_xx1 = choose("p7_xx1", both, a, h);
  const AllocatedNum p7 = choose("p7", b2, p7_xx1, h);
  return Numbers(std::array{p0, p1, p2, p3, p4, p5, p6, p7});
}

// For each output, the candidate for every index, and a selection among them.
Numbers insert_general(ConstraintSystem& cs, const AllocatedNum& element, std::span<const Boolean> bits,
                       Nums others) {
  const size_t size = others.size() + 1;
  Numbers result, candidates(size);
  for (size_t position = 0; position < size; ++position) {
    for (size_t index = 0; index < size; ++index)
      candidates[index] = position == index ? element : others[position < index ? position : position - 1];
    result.push_back(select(*Scope(cs, {"choice at {}", position}), candidates, bits));
  }
  return result;
}

}  // namespace

Numbers insert(ConstraintSystem& cs, const AllocatedNum& element, std::span<const Boolean> index_bits,
               Nums others) {
  CUZK_CHECK(others.size() + 1 == size_t{1} << index_bits.size());
  switch (others.size()) {
    case 1:
      return insert_into_1(cs, element, index_bits[0], others[0]);
    case 3:
      return insert_into_3(cs, element, index_bits, others);
    case 7:
      return insert_into_7(cs, element, index_bits, others);
    default:
      return insert_general(cs, element, index_bits, others);
  }
}

}  // namespace cuzk
