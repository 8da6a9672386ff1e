#include "gadgets/sha256_circuit.hpp"

#include <algorithm>

#include "base/check.hpp"
#include "gadgets/sha256_witness.hpp"
#include "hash/sha256.hpp"

namespace cuzk {
namespace {

// 32 bits as a number, least significant first.
struct UInt32 {
  std::array<Boolean, 32> bits;
  uint32_t value = 0;

  static UInt32 constant(uint32_t value) {
    UInt32 r{{}, value};
    for (size_t i = 0; i < 32; ++i) r.bits[i] = Boolean::constant(((value >> i) & 1) != 0);
    return r;
  }
  static UInt32 from_bits_be(std::span<const Boolean> be) {
    UInt32 r;
    for (size_t i = 0; i < 32; ++i) {
      r.bits[i] = be[31 - i];
      r.value |= static_cast<uint32_t>(r.bits[i].value()) << i;
    }
    return r;
  }
  UInt32 rotr(size_t by) const {
    UInt32 r{{}, (value >> by) | (value << (32 - by))};
    for (size_t i = 0; i < 32; ++i) r.bits[i] = bits[(i + by) % 32];
    return r;
  }
  UInt32 shr(size_t by) const {
    UInt32 r{{}, value >> by};
    for (size_t i = 0; i + by < 32; ++i) r.bits[i] = bits[i + by];
    return r;
  }
};

UInt32 word_xor(ConstraintSystem& cs, const UInt32& a, const UInt32& b) {
  UInt32 r{{}, a.value ^ b.value};
  for (size_t i = 0; i < 32; ++i) r.bits[i] = bit_xor(*Scope(cs, {"xor of bit {}", i}), a.bits[i], b.bits[i]);
  return r;
}

// rotr(x, first) ^ rotr(x, second) ^ third, with the names of `which` ("s0" or "s1").
UInt32 sigma(ConstraintSystem& cs, const char* first_name, const char* second_name, const UInt32& x,
             size_t first, size_t second, const UInt32& third) {
  const UInt32 partial = word_xor(*Scope(cs, first_name), x.rotr(first), x.rotr(second));
  return word_xor(*Scope(cs, second_name), partial, third);
}

// Collects equalities of integers and enforces several of them in one constraint, side by side in the bits of
// a field element. Emits under the namespace that is current when it fills up.
class MultiEquality {
 public:
  explicit MultiEquality(ConstraintSystem& cs) : cs_(cs) {}
  ~MultiEquality() {
    if (bits_used_ > 0) emit();
  }

  // Makes room for `bits` more bits; terms of this equality then go in shifted by the returned count.
  size_t begin(size_t bits) {
    if (kPackedBits <= bits_used_ + bits) emit();
    const size_t shift = bits_used_;
    bits_used_ += bits;
    return shift;
  }
  LinearCombination& left() { return left_; }
  LinearCombination& right() { return right_; }

 private:
  void emit() {
    cs_.enforce({"multieq {}", count_++}, left_, {kOne}, right_);
    left_.clear();
    right_.clear();
    bits_used_ = 0;
  }

  ConstraintSystem& cs_;
  size_t count_ = 0, bits_used_ = 0;
  LinearCombination left_, right_;
};

// Sum modulo 2^32 of 2 to 10 words; constant if all are.
UInt32 add_many(ConstraintSystem& cs, MultiEquality& equality, std::span<const UInt32> operands) {
  CUZK_CHECK(operands.size() >= 2 && operands.size() <= 10);
  uint64_t sum = 0;
  bool all_constant = true;
  for (const UInt32& operand : operands) {
    sum += operand.value;
    for (const Boolean& bit : operand.bits) all_constant = all_constant && bit.is_constant();
  }
  if (all_constant) return UInt32::constant(static_cast<uint32_t>(sum));

  const uint64_t largest = operands.size() * uint64_t{0xffffffff};
  const size_t result_bits = 64 - static_cast<size_t>(__builtin_clzll(largest));
  std::array<Boolean, 36> result;
  for (size_t i = 0; i < result_bits; ++i)
    result[i] = Boolean::alloc(*Scope(cs, {"result bit {}", i}), ((sum >> i) & 1) != 0);

  const size_t shift = equality.begin(result_bits);
  const std::vector<Fr>& powers = powers_of_two();
  for (const UInt32& operand : operands)
    for (size_t i = 0; i < 32; ++i) operand.bits[i].add_to(equality.left(), powers[shift + i]);
  for (size_t i = 0; i < result_bits; ++i) result[i].add_to(equality.right(), powers[shift + i]);

  UInt32 word{{}, static_cast<uint32_t>(sum)};
  std::copy_n(result.begin(), 32, word.bits.begin());
  return word;
}

using State = std::array<UInt32, 8>;

class Compression {
 public:
  explicit Compression(ConstraintSystem& cs) : cs_(cs), equality_(cs) {}

  State run(std::span<const Boolean> block, const State& before) {
    expand(block);
    // a and e of a round are sums that are only computed when the next round needs them: the last ones take
    // part in the final addition without being allocated first.
    std::vector<UInt32> next_a, next_e;
    State s = before;
    for (size_t i = 0; i < 64; ++i) {
      const Scope round(cs_, {"compression round {}", i});
      round_step(i, s, next_a, next_e);
    }
    return final_addition(before, s, next_a, next_e);
  }

 private:
  UInt32 sum(const char* name, std::span<const UInt32> operands) {
    return add_many(*Scope(cs_, name), equality_, operands);
  }

  void expand(std::span<const Boolean> block) {
    for (size_t i = 0; i < 16; ++i) w_[i] = UInt32::from_bits_be(block.subspan(32 * i, 32));
    for (size_t i = 16; i < 64; ++i) {
      const Scope scope(cs_, {"w extension {}", i});
      const UInt32& x = w_[i - 15];
      const UInt32& y = w_[i - 2];
      const UInt32 s0 = sigma(cs_, "first xor for s0", "second xor for s0", x, 7, 18, x.shr(3));
      const UInt32 s1 = sigma(cs_, "first xor for s1", "second xor for s1", y, 17, 19, y.shr(10));
      w_[i] = sum("computation of w[i]", std::array{w_[i - 16], s0, w_[i - 7], s1});
    }
  }

  // s holds a … h of the round before with a and e still to be computed from next_a and next_e (none of both
  // in the first round).
  void round_step(size_t i, State& s, std::vector<UInt32>& next_a, std::vector<UInt32>& next_e) {
    auto& [a, b, c, d, e, f, g, h] = s;
    if (i > 0) e = sum("deferred e computation", next_e);
    const UInt32 s1 = sigma(cs_, "first xor for s1", "second xor for s1", e, 6, 11, e.rotr(25));
    const UInt32 ch = bitwise("ch", "ch {}", bit_choose, e, f, g);
    std::vector<UInt32> sum1 = {h, s1, ch, UInt32::constant(kSha256RoundConstants[i]), w_[i]};
    if (i > 0) a = sum("deferred a computation", next_a);
    const UInt32 s0 = sigma(cs_, "first xor for s0", "second xor for s0", a, 2, 13, a.rotr(22));
    const UInt32 majority = bitwise("maj", "maj {}", bit_majority, a, b, c);
    next_e = sum1;
    next_e.push_back(d);
    next_a = std::move(sum1);
    next_a.push_back(s0);
    next_a.push_back(majority);
    h = g, g = f, f = e, d = c, c = b, b = a;
  }

  State final_addition(const State& before, const State& s, std::vector<UInt32>& next_a,
                       std::vector<UInt32>& next_e) {
    static constexpr const char* kNames[8] = {"deferred h0 computation", "new h1", "new h2", "new h3",
                                              "deferred h4 computation", "new h5", "new h6", "new h7"};
    next_a.push_back(before[0]);
    next_e.push_back(before[4]);
    State out;
    for (size_t i = 0; i < 8; ++i) {
      if (i == 0)
        out[i] = sum(kNames[i], next_a);
      else if (i == 4)
        out[i] = sum(kNames[i], next_e);
      else
        out[i] = sum(kNames[i], std::array{before[i], s[i]});
    }
    return out;
  }

  template <class Operation>
  UInt32 bitwise(const char* name, const char* bit_name, Operation operation, const UInt32& x,
                 const UInt32& y, const UInt32& z) {
    const Scope scope(cs_, name);
    UInt32 r;
    for (size_t i = 0; i < 32; ++i) {
      r.bits[i] = operation(*Scope(cs_, {bit_name, i}), x.bits[i], y.bits[i], z.bits[i]);
      r.value |= static_cast<uint32_t>(r.bits[i].value()) << i;
    }
    return r;
  }

  ConstraintSystem& cs_;
  MultiEquality equality_;
  std::array<UInt32, 64> w_;
};

// Numbers' bits as bytes, most significant bit first, then their digest cut to 254 bits as a number.
AllocatedNum hash_number_bits(ConstraintSystem& cs, const NumberBits& left, const NumberBits& right) {
  InlineVector<Boolean, 512> preimage(reversed_in_bytes(left));
  preimage.append(reversed_in_bytes(right));
  const NumberBits digest = sha256_circuit(*Scope(cs, "hash"), preimage);
  return pack_bits(*Scope(cs, "pack_le"), reversed_in_bytes(digest));
}

}  // namespace

NumberBits sha256_circuit(ConstraintSystem& cs, std::span<const Boolean> bits) {
  CUZK_CHECK(bits.size() % 8 == 0);
  const PaddedMessage message(bits);
  if (CompactSystem* compact = cs.compact()) return sha256_witness(*compact, message);

  State state;
  for (size_t i = 0; i < 8; ++i) state[i] = UInt32::constant(kSha256InitialState[i]);
  for (size_t block = 0; block < message.blocks(); ++block) {
    const Scope scope(cs, {"block {}", block});
    const Piece piece(cs);
    state = Compression(cs).run(message.block(block), state);
  }
  NumberBits digest;
  for (const UInt32& word : state)
    for (size_t i = 32; i-- > 0;) digest.push_back(word.bits[i]);
  return digest;
}

AllocatedNum sha256_node(ConstraintSystem& cs, const AllocatedNum& left, const AllocatedNum& right) {
  const NumberBits l = to_bits(*Scope(cs, "0_num_into_bits"), left);
  const NumberBits r = to_bits(*Scope(cs, "1_num_into_bits"), right);
  return hash_number_bits(cs, l, r);
}

AllocatedNum sha256_hash2(ConstraintSystem& cs, const AllocatedNum& left, const AllocatedNum& right) {
  const NumberBits l = to_bits(*Scope(cs, "a_bits"), left);
  const NumberBits r = to_bits(*Scope(cs, "b_bits"), right);
  return hash_number_bits(cs, l, r);
}

}  // namespace cuzk
