// Numbers (field elements) in circuits. Order of allocations and constraints: bellpepper-core 0.2
// (`gadgets/num`), bellpepper 0.2 (`multipack`) and storage-proofs-core 19 (`constraint`, `encode`,
// `insertion`, `uint64`).
#pragma once

#include <array>
#include <span>
#include <vector>

#include "gadgets/boolean.hpp"

namespace cuzk {

struct AllocatedNum {
  Variable variable;
  Fr value;  // means nothing in a pass without values

  // "num"
  static AllocatedNum alloc(ConstraintSystem& cs, const Fr& value);
  // Makes it a public input: allocates "input variable" and enforces equality.
  void inputize(ConstraintSystem& cs) const;
};

// A few numbers: a node's children, a column.
using Numbers = InlineVector<AllocatedNum, 16>;

AllocatedNum multiply(ConstraintSystem& cs, const AllocatedNum& a, const AllocatedNum& b);
AllocatedNum square(ConstraintSystem& cs, const AllocatedNum& a);
// "add_num": a + b
AllocatedNum add(ConstraintSystem& cs, const AllocatedNum& a, const AllocatedNum& b);
// "sub_num": a - b
AllocatedNum subtract(ConstraintSystem& cs, const AllocatedNum& a, const AllocatedNum& b);
// Filecoin's encoding of a node: under "encode_add", key + data.
AllocatedNum encode(ConstraintSystem& cs, const AllocatedNum& key, const AllocatedNum& data);

// a = b; a + b = sum; a - b = difference
void enforce_equal(ConstraintSystem& cs, const Name& name, const AllocatedNum& a, const AllocatedNum& b);
void enforce_sum(ConstraintSystem& cs, const Name& name, const AllocatedNum& a, const AllocatedNum& b,
                 const AllocatedNum& sum);
void enforce_difference(ConstraintSystem& cs, const Name& name, const AllocatedNum& a, const AllocatedNum& b,
                        const AllocatedNum& difference);

// The 255 bits of a number, least significant first; not forced to be below the modulus.
NumberBits to_bits(ConstraintSystem& cs, const AllocatedNum& a);

// 64 bits, least significant first, each under "allocated bit i".
std::array<Boolean, 64> alloc_u64(ConstraintSystem& cs, uint64_t value);

// The number of up to 254 bits (further ones are ignored), least significant first, under "input".
AllocatedNum pack_bits(ConstraintSystem& cs, std::span<const Boolean> bits);
// Public inputs "input i" of 254 bits each, least significant first.
void pack_into_inputs(ConstraintSystem& cs, std::span<const Boolean> bits);
inline constexpr size_t kPackedBits = Fr::kBits - 1;

// a if condition, else b, as "pick result".
AllocatedNum pick(ConstraintSystem& cs, const Boolean& condition, const AllocatedNum& a,
                  const AllocatedNum& b);
// The element of `from` at the index given by `index_bits` (least significant first); from.size() = 2^bits,
// at most kMostSelected.
AllocatedNum select(ConstraintSystem& cs, std::span<const AllocatedNum> from,
                    std::span<const Boolean> index_bits);
inline constexpr size_t kMostSelected = 128;
// `element` inserted among `others` at the index given by `index_bits`; others.size() + 1 = 2^bits. With
// three bits these must be plain allocated bits.
Numbers insert(ConstraintSystem& cs, const AllocatedNum& element, std::span<const Boolean> index_bits,
               std::span<const AllocatedNum> others);

// 2^i for i below 255, and their negatives.
const std::vector<Fr>& powers_of_two();

}  // namespace cuzk
