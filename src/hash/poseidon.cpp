#include "hash/poseidon.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <mutex>

#include "base/check.hpp"

namespace cuzk {
namespace {

using Matrix = std::vector<std::vector<Fr>>;

// The security inequalities of the paper for a 256-bit field and 128 bits, evaluated in single precision as
// the reference script's port in neptune does.
bool rounds_are_secure(size_t width, size_t full, size_t partial) {
  const float t = static_cast<float>(width), rp = static_cast<float>(partial), n = 256, m = 128;
  const float statistical = m <= (n - 3) * (t + 1) ? 6 : 10;
  const float interpolation = 0.43f * m + std::log2(t) - rp;
  const float groebner1 = 0.21f * n - rp;
  const float groebner2 = (0.14f * n - 1 - rp) / (t - 1);
  for (float bound : {statistical, interpolation, groebner1, groebner2})
    if (static_cast<float>(full) < std::ceil(bound)) return false;
  return true;
}

struct RoundNumbers {
  size_t full = 0, partial = 0;
};

// Fewest S-boxes among secure numbers of rounds, then a margin of two full and 7.5 % partial rounds.
RoundNumbers round_numbers(size_t width) {
  RoundNumbers best;
  size_t fewest = SIZE_MAX;
  for (size_t secure_full = 2; secure_full <= 1000; secure_full += 2) {
    for (size_t secure_partial = 4; secure_partial < 200; ++secure_partial) {
      if (!rounds_are_secure(width, secure_full, secure_partial)) continue;
      const size_t full = secure_full + 2;
      const size_t partial = static_cast<size_t>(std::ceil(1.075f * static_cast<float>(secure_partial)));
      const size_t boxes = width * full + partial;
      if (boxes < fewest || (boxes == fewest && full < best.full)) {
        best = {full, partial};
        fewest = boxes;
      }
    }
  }
  return best;
}

// The Grain LFSR in self-shrinking mode.
class Grain {
 public:
  Grain(size_t width, RoundNumbers rounds) {
    append(1, 2);  // prime field
    append(1, 4);  // S-box x^alpha
    append(Fr::kBits, 12);
    append(width, 12);
    append(rounds.full, 10);
    append(rounds.partial, 10);
    append((1u << 30) - 1, 30);
    for (int i = 0; i < 160; ++i) step();
  }

  Fr next_element() {
    for (;;) {
      Fr::Int v = Fr::Int::zero();
      for (size_t i = 0; i < Fr::kBits; ++i) {
        v = v.shifted_left(1);
        v.limb[0] |= next_bit() ? 1 : 0;
      }
      if (auto element = Fr::from_canonical(v)) return *element;
    }
  }

 private:
  void append(uint64_t value, size_t bits) {
    for (size_t i = bits; i-- > 0;) state_[filled_++] = ((value >> i) & 1) != 0;
  }
  bool at(size_t i) const { return state_[(head_ + i) % 80]; }
  bool step() {
    bool bit = at(62) ^ at(51) ^ at(38) ^ at(23) ^ at(13) ^ at(0);
    state_[head_] = bit;
    head_ = (head_ + 1) % 80;
    return bit;
  }
  bool next_bit() {
    while (!step()) step();
    return step();
  }

  std::array<bool, 80> state_{};
  size_t filled_ = 0, head_ = 0;
};

Matrix identity(size_t size) {
  Matrix m(size, std::vector<Fr>(size, Fr::zero()));
  for (size_t i = 0; i < size; ++i) m[i][i] = Fr::one();
  return m;
}

// Gauss-Jordan. Every minor of a Cauchy matrix is regular, so the first pivot is never zero.
Matrix inverse(Matrix m) {
  const size_t size = m.size();
  Matrix r = identity(size);
  for (size_t column = 0; column < size; ++column) {
    size_t pivot = column;
    while (m[pivot][column].is_zero()) {
      ++pivot;
      CUZK_CHECK(pivot < size);
    }
    std::swap(m[pivot], m[column]);
    std::swap(r[pivot], r[column]);
    const Fr scale = m[column][column].inverse();
    for (size_t j = 0; j < size; ++j) m[column][j] *= scale, r[column][j] *= scale;
    for (size_t i = 0; i < size; ++i) {
      const Fr factor = m[i][column];
      if (i == column || factor.is_zero()) continue;
      for (size_t j = 0; j < size; ++j) {
        m[i][j] -= factor * m[column][j];
        r[i][j] -= factor * r[column][j];
      }
    }
  }
  return r;
}

Matrix product(const Matrix& a, const Matrix& b) {
  const size_t size = a.size();
  Matrix r(size, std::vector<Fr>(size, Fr::zero()));
  for (size_t i = 0; i < size; ++i)
    for (size_t k = 0; k < size; ++k)
      for (size_t j = 0; j < size; ++j) r[i][j] += a[i][k] * b[k][j];
  return r;
}

Matrix minor_of(const Matrix& m) {
  Matrix r;
  for (size_t i = 1; i < m.size(); ++i) r.emplace_back(m[i].begin() + 1, m[i].end());
  return r;
}

// 1 / (x_i + y_j) with x = 0 … width - 1, y = width … 2 width - 1.
Matrix cauchy(size_t width) {
  Matrix m(width, std::vector<Fr>(width));
  for (size_t i = 0; i < width; ++i)
    for (size_t j = 0; j < width; ++j) m[i][j] = Fr::from_u64(i + j + width).inverse();
  return m;
}

// M = M' · M'' with M' acting on all but the first element: M'' is the partial round's sparse matrix, M'
// joins the matrix of the round before; from the last partial round to the first.
void factor(PoseidonConstants& c) {
  Matrix current = c.mds;
  c.sparse.resize(c.partial_rounds);
  for (size_t round = c.partial_rounds; round-- > 0;) {
    const Matrix hat = minor_of(current);
    std::vector<Fr> w(c.width - 1);
    for (size_t i = 0; i + 1 < c.width; ++i) w[i] = current[i + 1][0];
    detail::poseidon_apply(inverse(hat), w);
    PoseidonSparseMatrix& sparse = c.sparse[round];
    sparse.column = {current[0][0]};
    sparse.column.insert(sparse.column.end(), w.begin(), w.end());
    sparse.row.assign(current[0].begin() + 1, current[0].end());
    Matrix prime = identity(c.width);
    for (size_t i = 1; i < c.width; ++i)
      for (size_t j = 1; j < c.width; ++j) prime[i][j] = current[i][j];
    current = product(c.mds, prime);
  }
  c.pre_sparse = current;
}

// Pushes round constants back through the linear layers, so that each is added right after an S-box: whole
// rows for full rounds, one element for partial ones.
void compress(PoseidonConstants& c) {
  const Matrix inverse_mds = inverse(c.mds);
  auto row = [&](size_t round) {
    const Fr* begin = c.round_constants.data() + round * c.width;
    return std::vector<Fr>(begin, begin + c.width);
  };
  auto append = [&](const std::vector<Fr>& values) {
    c.compressed.insert(c.compressed.end(), values.begin(), values.end());
  };
  auto pushed_back = [&](std::vector<Fr> values) {
    detail::poseidon_apply(inverse_mds, values);
    return values;
  };
  const size_t half = c.half_full_rounds(), first_final = half + c.partial_rounds;
  append(row(0));
  for (size_t round = 1; round < half; ++round) append(pushed_back(row(round)));
  std::vector<Fr> partial_keys(c.partial_rounds), carried = row(first_final);
  for (size_t i = c.partial_rounds; i-- > 0;) {
    carried = pushed_back(std::move(carried));
    partial_keys[i] = carried[0];
    carried[0] = Fr::zero();
    const std::vector<Fr> previous = row(half + i);
    for (size_t j = 0; j < c.width; ++j) carried[j] += previous[j];
  }
  append(pushed_back(std::move(carried)));
  append(partial_keys);
  for (size_t round = first_final + 1; round < first_final + half; ++round) append(pushed_back(row(round)));
}

}  // namespace

namespace detail {

void poseidon_apply(const Matrix& matrix, std::span<Fr> state) {
  std::array<Fr, kPoseidonMaxArity + 1> out;
  for (size_t j = 0; j < state.size(); ++j) {
    Fr sum = Fr::zero();
    for (size_t i = 0; i < state.size(); ++i) sum += matrix[i][j] * state[i];
    out[j] = sum;
  }
  std::copy_n(out.begin(), state.size(), state.begin());
}

void poseidon_apply(const PoseidonSparseMatrix& matrix, std::span<Fr> state) {
  const Fr first = state[0];
  Fr sum = Fr::zero();
  for (size_t i = 0; i < state.size(); ++i) sum += matrix.column[i] * state[i];
  state[0] = sum;
  for (size_t j = 1; j < state.size(); ++j) state[j] += matrix.row[j - 1] * first;
}

}  // namespace detail

PoseidonConstants::PoseidonConstants(size_t arity) : width(arity + 1) {
  const RoundNumbers rounds = round_numbers(width);
  full_rounds = rounds.full;
  partial_rounds = rounds.partial;
  Grain grain(width, rounds);
  round_constants.resize((full_rounds + partial_rounds) * width);
  for (Fr& constant : round_constants) constant = grain.next_element();
  mds = cauchy(width);
  factor(*this);
  compress(*this);
}

const PoseidonConstants& poseidon_constants(size_t arity) {
  struct Slot {
    std::once_flag once;
    std::unique_ptr<const PoseidonConstants> constants;
  };
  static std::array<Slot, kPoseidonMaxArity + 1> slots;
  CUZK_CHECK(arity >= 1 && arity <= kPoseidonMaxArity);
  Slot& slot = slots[arity];
  std::call_once(slot.once, [&] { slot.constants = std::make_unique<const PoseidonConstants>(arity); });
  return *slot.constants;
}

Fr poseidon_domain_tag(PoseidonDomain domain, size_t arity) {
  const uint64_t tag = domain == PoseidonDomain::kMerkleTree ? (uint64_t{1} << arity) - 1 : uint64_t{1} << 40;
  return Fr::from_u64(tag);
}

Fr poseidon_hash(std::span<const Fr> preimage, PoseidonDomain domain) {
  const PoseidonConstants& constants = poseidon_constants(preimage.size());
  std::array<Fr, kPoseidonMaxArity + 1> state;
  state[0] = poseidon_domain_tag(domain, preimage.size());
  std::copy(preimage.begin(), preimage.end(), state.begin() + 1);
  poseidon_permute(constants, std::span(state.data(), constants.width),
                   [](size_t, const Fr&, const Fr&, const Fr&, const Fr&) {});
  return state[1];
}

Fr poseidon_hash_md(std::span<const Fr> elements) {
  CUZK_CHECK(elements.size() >= 2);
  Fr hash = elements[0];
  for (size_t at = 1; at < elements.size(); at += kPoseidonMdArity - 1) {
    std::array<Fr, kPoseidonMdArity> block;
    block.fill(Fr::zero());
    block[0] = hash;
    const size_t take = std::min(elements.size() - at, kPoseidonMdArity - 1);
    std::copy_n(elements.begin() + static_cast<ptrdiff_t>(at), take, block.begin() + 1);
    hash = poseidon_hash(block);
  }
  return hash;
}

Fr poseidon_hash_textbook(std::span<const Fr> preimage, PoseidonDomain domain) {
  const PoseidonConstants& c = poseidon_constants(preimage.size());
  std::vector<Fr> state = {poseidon_domain_tag(domain, preimage.size())};
  state.insert(state.end(), preimage.begin(), preimage.end());
  for (size_t round = 0; round < c.full_rounds + c.partial_rounds; ++round) {
    for (size_t i = 0; i < c.width; ++i) state[i] += c.round_constants[round * c.width + i];
    const bool partial = round >= c.half_full_rounds() && round < c.half_full_rounds() + c.partial_rounds;
    for (size_t i = 0; i < (partial ? 1 : c.width); ++i) state[i] = state[i].pow(5);
    detail::poseidon_apply(c.mds, state);
  }
  return state[1];
}

}  // namespace cuzk
