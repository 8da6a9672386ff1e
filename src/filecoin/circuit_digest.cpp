#include "filecoin/circuit_digest.hpp"

namespace cuzk {

bool BlockHasher::end_item() {
  if (++items_ % kDigestBlock != 0) return false;
  end_block();
  return true;
}

void BlockHasher::end_block() {
  flush();
  blocks_.push_back(hash_.finish());
  hash_.reset();
}

void BlockHasher::finish() {
  if (items_ % kDigestBlock != 0) end_block();
}

BlockHasher::Digest BlockHasher::digest() const {
  Blake2b256 all;
  for (const Digest& block : blocks_) all.update(block);
  return all.finish();
}

BlockHasher::Digest digest_of_values(std::span<const Fr> values) {
  BlockHasher hasher;
  for (const Fr& value : values) hasher.add_value(value);
  hasher.finish();
  return hasher.digest();
}

BlockHasher::Digest digest_of_inputs(std::span<const Fr> values) {
  Blake2b256 hash;
  for (const Fr& value : values) {
    uint8_t bytes[32];
    value.to_le_bytes(bytes);
    hash.update(bytes);
  }
  return hash.finish();
}

namespace {

// Ascending without repetition or zero: nothing to normalise.
bool is_normal(LinearTerms terms) {
  for (size_t i = 0; i < terms.size(); ++i)
    if (terms[i].coefficient.is_zero() || (i > 0 && !(terms[i - 1].variable < terms[i].variable)))
      return false;
  return true;
}

}  // namespace

void DigestSystem::write(LinearTerms terms, uint64_t& count) {
  if (!is_normal(terms)) {
    scratch_.assign(terms.begin(), terms.end());
    dropped_ += normalise(scratch_);
    terms = scratch_;
  }
  count += terms.size();
  uint8_t* out = hasher_.extend(4 + 36 * terms.size());
  store_le32(out, static_cast<uint32_t>(terms.size()));
  out += 4;
  for (const LinearTerm& t : terms) {
    store_le32(out, t.variable.id);
    t.coefficient.to_le_bytes(out + 4);
    out += 36;
  }
}

void DigestSystem::enforce(const Name&, LinearTerms a, LinearTerms b, LinearTerms c) {
  // A block's record counts what was allocated before its first constraint.
  if (block_ended_) start_block();
  write(a, nonzeros_[0]);
  write(b, nonzeros_[1]);
  write(c, nonzeros_[2]);
  ++constraints_;
  block_ended_ = hasher_.end_item();
}

}  // namespace cuzk
