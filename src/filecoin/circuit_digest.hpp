// Digests of constraint systems and of assignments, in the form that reference vectors have them.
//
// Constraints: for each of A, B, C a u32 number of terms, then for each term the u32 number of the variable
// (Variable::id) and the 32-byte canonical coefficient; little-endian, terms ascending, like terms added up,
// zeros left out. Values: 32 bytes canonical each. A block is the bytes of kDigestBlock consecutive
// constraints or values (the last one shorter), its digest BLAKE2b-256; the digest of the whole is
// BLAKE2b-256 of all block digests joined.
#pragma once

#include <array>
#include <vector>

#include "base/executor.hpp"
#include "hash/blake2b.hpp"
#include "r1cs/constraint_system.hpp"
#include "r1cs/stored_matrices.hpp"

namespace cuzk {

inline constexpr size_t kDigestBlock = 65536;

// Gathers bytes of items into block digests.
class BlockHasher {
 public:
  using Digest = Blake2b256::Digest;

  BlockHasher() { buffer_.reserve(kBuffer + 4096); }

  // Space for `bytes` more bytes of the current item.
  uint8_t* extend(size_t bytes) {
    if (buffer_.size() >= kBuffer) flush();
    const size_t at = buffer_.size();
    buffer_.resize(at + bytes);
    return buffer_.data() + at;
  }
  // Ends an item; true if it was the last of a block.
  bool end_item();
  void add_value(const Fr& value) {
    value.to_le_bytes(extend(32));
    end_item();
  }

  // Ends the last block. Afterwards only the accessors.
  void finish();
  const std::vector<Digest>& blocks() const { return blocks_; }
  Digest digest() const;

 private:
  static constexpr size_t kBuffer = 1 << 16;
  void flush() {
    hash_.update(buffer_);
    buffer_.clear();
  }
  void end_block();

  Blake2b256 hash_;
  std::vector<uint8_t> buffer_;
  size_t items_ = 0;
  std::vector<Digest> blocks_;
};

BlockHasher::Digest digest_of_values(std::span<const Fr> values);
// Without blocks: BLAKE2b-256 of all values' bytes. For public inputs, the constant one first.
BlockHasher::Digest digest_of_inputs(std::span<const Fr> values);

// Reads a circuit without keeping it: counts and digests. Memory: a few hundred kilobytes. The rows that key
// generation adds for inputs are not in it.
class DigestSystem final : public ConstraintSystem {
 public:
  struct Block {
    uint64_t first_constraint, aux_before, inputs_before;
  };

  DigestSystem() : ConstraintSystem(false) {}

  Variable alloc(const Name&, const Fr&) override { return Variable::aux(aux_++); }
  Variable alloc_input(const Name&, const Fr&) override { return Variable::input(inputs_++); }
  void enforce(const Name& name, LinearTerms a, LinearTerms b, LinearTerms c) override;

  void finish() { hasher_.finish(); }

  uint64_t num_inputs() const { return inputs_; }
  uint64_t num_aux() const { return aux_; }
  uint64_t num_constraints() const { return constraints_; }
  const std::array<uint64_t, 3>& nonzeros() const { return nonzeros_; }
  uint64_t zero_terms_dropped() const { return dropped_; }
  // After finish(). block_starts()[i] belongs to hasher().blocks()[i].
  const BlockHasher& hasher() const { return hasher_; }
  const std::vector<Block>& block_starts() const { return starts_; }

 private:
  void start_block() { starts_.push_back({constraints_, aux_, inputs_}); }
  void write(LinearTerms terms, uint64_t& count);

  uint64_t inputs_ = 1, aux_ = 0, constraints_ = 0, dropped_ = 0;
  std::array<uint64_t, 3> nonzeros_{};
  BlockHasher hasher_;
  std::vector<Block> starts_;
  bool block_ended_ = true;
  LinearCombination scratch_;
};

// The same of stored matrices: block digests, and the digest of the whole. Threads: blocks are spread over
// the executor.
struct MatricesDigest {
  std::vector<BlockHasher::Digest> blocks;
  BlockHasher::Digest digest;
};
MatricesDigest digest_of(const StoredMatrices& matrices, Executor& executor);

}  // namespace cuzk
