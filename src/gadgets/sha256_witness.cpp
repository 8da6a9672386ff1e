#include "gadgets/sha256_witness.hpp"

#include <algorithm>
#include <bit>

#include "hash/sha256.hpp"

namespace cuzk {
namespace {

// 32 Booleans side by side: their values, which are constants, which are negations of a variable. The rules
// of bit_xor() and its like hold for all 32 at once.
struct Word {
  uint32_t value = 0;
  uint32_t constant = 0;
  uint32_t negated = 0;  // none of the constants

  static Word known(uint32_t value) { return {value, ~uint32_t{0}, 0}; }
  static Word variable(uint32_t value) { return {value, 0, 0}; }
  Word operator~() const { return {~value, constant, ~negated & ~constant}; }
  Word rotr(int by) const { return {std::rotr(value, by), std::rotr(constant, by), std::rotr(negated, by)}; }
  Word shr(int by) const { return {value >> by, constant >> by | ~(~uint32_t{0} >> by), negated >> by}; }
};

// Takes from each bit of `mask` that is set the bit of a, elsewhere that of b.
Word merge(uint32_t mask, const Word& a, const Word& b) {
  return {(a.value & mask) | (b.value & ~mask), (a.constant & mask) | (b.constant & ~mask),
          (a.negated & mask) | (b.negated & ~mask)};
}

// The bits of `value` at the set bits of `mask`, moved together.
uint64_t gather(uint32_t value, uint32_t mask) {
  uint64_t out = 0;
  for (unsigned at = 0; mask != 0; mask &= mask - 1)
    out |= static_cast<uint64_t>((value >> std::countr_zero(mask)) & 1) << at++;
  return out;
}

// Every bit moved to twice its place.
uint64_t spread(uint32_t value) {
  uint64_t x = value;
  x = (x | x << 16) & 0x0000ffff0000ffff;
  x = (x | x << 8) & 0x00ff00ff00ff00ff;
  x = (x | x << 4) & 0x0f0f0f0f0f0f0f0f;
  x = (x | x << 2) & 0x3333333333333333;
  return (x | x << 1) & 0x5555555555555555;
}

constexpr uint32_t kAll = ~uint32_t{0};

class BlockWriter {
 public:
  explicit BlockWriter(CompactSystem& out) : out_(out) {}

  std::array<Word, 8> run(std::array<Word, 16> block, const std::array<Word, 8>& before) {
    std::array<Word, 64> w;
    std::copy(block.begin(), block.end(), w.begin());
    for (size_t i = 16; i < 64; ++i) {
      const Word s0 = sigma(w[i - 15], 7, 18, w[i - 15].shr(3));
      const Word s1 = sigma(w[i - 2], 17, 19, w[i - 2].shr(10));
      w[i] = sum(std::array{w[i - 16], s0, w[i - 7], s1});
    }
    auto [a, b, c, d, e, f, g, h] = before;
    // What a and e are sums of, beside the temporary that both share.
    std::array<Word, 7> next_a;
    std::array<Word, 6> next_e;
    for (size_t i = 0; i < 64; ++i) {
      if (i > 0) e = sum(next_e);
      const Word s1 = sigma(e, 6, 11, e.rotr(25));
      const Word ch = choose(e, f, g);
      if (i > 0) a = sum(next_a);
      const Word s0 = sigma(a, 2, 13, a.rotr(22));
      const Word maj = majority(a, b, c);
      const Word k = Word::known(kSha256RoundConstants[i]);
      next_e = {h, s1, ch, k, w[i], d};
      next_a = {h, s1, ch, k, w[i], s0, maj};
      h = g, g = f, f = e, d = c, c = b, b = a;
    }
    std::array<Word, 8> after;
    after[0] = sum(
        std::array{next_a[0], next_a[1], next_a[2], next_a[3], next_a[4], next_a[5], next_a[6], before[0]});
    after[1] = sum(std::array{before[1], b});
    after[2] = sum(std::array{before[2], c});
    after[3] = sum(std::array{before[3], d});
    after[4] = sum(std::array{next_e[0], next_e[1], next_e[2], next_e[3], next_e[4], next_e[5], before[4]});
    after[5] = sum(std::array{before[5], f});
    after[6] = sum(std::array{before[6], g});
    after[7] = sum(std::array{before[7], h});
    return after;
  }

 private:
  void emit(uint32_t values, uint32_t mask) {
    if (mask == kAll)
      out_.append_bits(values, 32);
    else if (mask != 0)
      out_.append_bits(gather(values, mask), static_cast<unsigned>(std::popcount(mask)));
  }

  Word xor_of(const Word& a, const Word& b) {
    const uint32_t allocated = ~a.constant & ~b.constant;
    // The variable is the exclusive or of the operands' variables, the result its negation if one of both is.
    emit(a.value ^ b.value ^ a.negated ^ b.negated, allocated);
    Word r{a.value ^ b.value, a.constant & b.constant, a.negated ^ b.negated};
    // Beside a constant one, the other operand comes back negated.
    r.negated ^= (a.constant & ~b.constant & a.value) | (b.constant & ~a.constant & b.value);
    return r;
  }

  Word sigma(const Word& x, int first, int second, const Word& third) {
    return xor_of(xor_of(x.rotr(first), x.rotr(second)), third);
  }

  template <size_t N>
  Word sum(const std::array<Word, N>& operands) {
    uint64_t total = 0;
    uint32_t constant = kAll;
    for (const Word& operand : operands) {
      total += operand.value;
      constant &= operand.constant;
    }
    if (constant == kAll) return Word::known(static_cast<uint32_t>(total));
    constexpr unsigned kBits = static_cast<unsigned>(std::bit_width(N * uint64_t{kAll}));
    out_.append_bits(total, kBits);
    return Word::variable(static_cast<uint32_t>(total));
  }

  // The cases of bit_choose() and bit_majority(), taken in their order: each applies where none before did.
  struct Cases {
    explicit Cases(uint32_t value) : result(Word::variable(value)) {}

    uint32_t take(uint32_t where, const Word& outcome) {
      const uint32_t mask = left & where;
      left &= ~mask;
      result = merge(mask, outcome, result);
      return mask;
    }
    // x and y, or its negation: a new variable where both are variables.
    void take_and(uint32_t where, const Word& x, const Word& y) {
      allocated |= take(where, and_of(x, y)) & ~x.constant & ~y.constant;
    }
    void take_nand(uint32_t where, const Word& x, const Word& y) {
      allocated |= take(where, ~and_of(x, y)) & ~x.constant & ~y.constant;
    }
    static Word and_of(const Word& x, const Word& y) {
      const Word r = merge(x.constant, merge(x.value, y, Word::known(0)), merge(y.value, x, Word::known(0)));
      return merge(~x.constant & ~y.constant, Word::variable(x.value & y.value), r);
    }

    uint32_t left = kAll;    // where no case applied
    uint32_t allocated = 0;  // where the case's result is a new variable
    Word result;
  };

  Word choose(const Word& a, const Word& b, const Word& c) {
    const uint32_t value = (a.value & b.value) ^ (~a.value & c.value);
    if ((a.constant | b.constant | c.constant) == 0) {
      emit(value, kAll);
      return Word::variable(value);
    }
    Cases cases(value);
    cases.take(a.constant & b.constant & c.constant, Word::known(value));
    cases.take(a.constant & ~a.value, c);
    cases.take_and(b.constant & ~b.value, ~a, c);
    cases.take_and(c.constant & ~c.value, a, b);
    cases.take_nand(c.constant, a, ~b);
    cases.take_nand(b.constant, ~a, ~c);
    // A negated result's variable holds the opposite.
    emit(cases.result.value ^ cases.result.negated, cases.left | cases.allocated);
    return cases.result;
  }

  Word majority(const Word& a, const Word& b, const Word& c) {
    const uint32_t value = (a.value & b.value) | (a.value & c.value) | (b.value & c.value);
    if ((a.constant | b.constant | c.constant) == 0) {
      // Each bit allocates the majority, then b and c, whose operands may be negated in any way.
      out_.append_bits(spread(value) | spread(b.value & c.value) << 1, 64);
      return Word::variable(value);
    }
    Cases cases(value);
    cases.take(a.constant & b.constant & c.constant, Word::known(value));
    cases.take_and(a.constant & ~a.value, b, c);
    cases.take_and(b.constant & ~b.value, a, c);
    cases.take_and(c.constant & ~c.value, a, b);
    cases.take_nand(c.constant, ~a, ~b);
    cases.take_nand(b.constant, ~a, ~c);
    cases.take_nand(a.constant, ~b, ~c);
    const uint32_t variable = cases.result.value ^ cases.result.negated, both = b.value & c.value;
    for (unsigned i = 0; i < 32; ++i) {
      if (((cases.left >> i) & 1) != 0)
        out_.append_bits(((value >> i) & 1) | ((both >> i) & 1) << 1, 2);
      else if (((cases.allocated >> i) & 1) != 0)
        out_.append_bits((variable >> i) & 1, 1);
    }
    return cases.result;
  }

  CompactSystem& out_;
};

Word from_bits_be(std::span<const Boolean> be) {
  Word r;
  for (size_t i = 0; i < 32; ++i) {
    const Boolean& bit = be[31 - i];
    r.value |= static_cast<uint32_t>(bit.value()) << i;
    r.constant |= static_cast<uint32_t>(bit.is_constant()) << i;
    r.negated |= static_cast<uint32_t>(!bit.is_constant() && !bit.is_plain()) << i;
  }
  return r;
}

}  // namespace

std::array<Boolean, PaddedMessage::kBlockBits> PaddedMessage::block(size_t number) const {
  std::array<Boolean, kBlockBits> block;  // zeros
  const size_t begin = number * kBlockBits;
  if (begin < bits_.size()) {
    const auto some = bits_.subspan(begin, std::min(kBlockBits, bits_.size() - begin));
    std::copy(some.begin(), some.end(), block.begin());
  }
  if (bits_.size() / kBlockBits == number) block[bits_.size() % kBlockBits] = Boolean::constant(true);
  if (number + 1 == blocks())
    for (size_t i = 0; i < kLengthBits; ++i)
      block[kBlockBits - 1 - i] = Boolean::constant(((uint64_t{bits_.size()} >> i) & 1) != 0);
  return block;
}

NumberBits sha256_witness(CompactSystem& out, const PaddedMessage& message) {
  std::array<Word, 8> state;
  for (size_t i = 0; i < 8; ++i) state[i] = Word::known(kSha256InitialState[i]);
  for (size_t number = 0; number < message.blocks(); ++number) {
    const auto bits = message.block(number);
    std::array<Word, 16> block;
    for (size_t i = 0; i < 16; ++i) block[i] = from_bits_be(std::span(bits).subspan(32 * i, 32));
    state = BlockWriter(out).run(block, state);
  }
  NumberBits digest;
  for (const Word& word : state) {
    for (unsigned i = 32; i-- > 0;) {
      const bool value = ((word.value >> i) & 1) != 0;
      digest.push_back(((word.constant >> i) & 1) != 0 ? Boolean::constant(value) : Boolean::is(kOne, value));
    }
  }
  return digest;
}

}  // namespace cuzk
