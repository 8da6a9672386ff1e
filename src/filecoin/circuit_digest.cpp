#include "filecoin/circuit_digest.hpp"

#include <algorithm>
#include <cstring>

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

namespace {

// Bytes of rows of stored matrices.
class RowWriter {
 public:
  explicit RowWriter(const StoredMatrices& matrices) : m_(matrices) {
    coefficients_.resize(32 * m_.arrays().coefficients.size());
    for (size_t i = 0; i < m_.arrays().coefficients.size(); ++i)
      m_.arrays().coefficients[i].to_le_bytes(coefficients_.data() + 32 * i);
  }

  BlockHasher::Digest digest_of_rows(size_t begin, size_t end) const {
    Blake2b256 hash;
    std::vector<uint8_t> buffer;
    std::vector<Term> terms;
    for (size_t p = m_.piece_of_row(begin); p < m_.arrays().pieces.size(); ++p) {
      const MatrixPiece& piece = m_.arrays().pieces[p];
      if (piece.first_row >= end) break;
      const MatrixForm& form = m_.arrays().forms[piece.form];
      for (size_t i = std::max<size_t>(begin, piece.first_row) - piece.first_row;
           i < form.rows && piece.first_row + i < end; ++i) {
        for (auto side : {StoredMatrices::kA, StoredMatrices::kB, StoredMatrices::kC})
          append(piece, m_.row(form, side, i), terms, buffer);
        if (buffer.size() < kBuffer) continue;
        hash.update(buffer);
        buffer.clear();
      }
    }
    hash.update(buffer);
    return hash.finish();
  }

 private:
  static constexpr size_t kBuffer = 1 << 16;

  void append(const MatrixPiece& piece, std::span<const Term> row, std::vector<Term>& terms,
              std::vector<uint8_t>& out) const {
    terms.clear();
    bool ascending = true;
    for (const Term& t : row) {
      const uint32_t id = m_.variable(piece, t.variable).id;
      ascending = ascending && (terms.empty() || terms.back().variable < id);
      terms.push_back({id, t.coefficient});
    }
    if (!ascending)
      std::sort(terms.begin(), terms.end(),
                [](const Term& x, const Term& y) { return x.variable < y.variable; });
    const size_t at = out.size();
    out.resize(at + 4 + 36 * terms.size());
    uint8_t* to = out.data() + at;
    store_le32(to, static_cast<uint32_t>(terms.size()));
    to += 4;
    for (const Term& t : terms) {
      store_le32(to, t.variable);
      std::memcpy(to + 4, coefficients_.data() + size_t{32} * t.coefficient, 32);
      to += 36;
    }
  }

  const StoredMatrices& m_;
  std::vector<uint8_t> coefficients_;  // canonical
};

}  // namespace

MatricesDigest digest_of(const StoredMatrices& matrices, Executor& executor) {
  const RowWriter writer(matrices);
  const size_t rows = matrices.num_constraints(), blocks = (rows + kDigestBlock - 1) / kDigestBlock;
  MatricesDigest out;
  out.blocks.resize(blocks);
  executor.run(blocks, [&](size_t i) {
    out.blocks[i] = writer.digest_of_rows(i * kDigestBlock, std::min(rows, (i + 1) * kDigestBlock));
  });
  Blake2b256 all;
  for (const BlockHasher::Digest& block : out.blocks) all.update(block);
  out.digest = all.finish();
  return out;
}

}  // namespace cuzk
