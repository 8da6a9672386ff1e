// Poseidon over Fr as neptune (and so Filecoin) has it: x^5, 128 bits of security, one output (element 1).
// Sources: Grassi et al., "Poseidon" (eprint 2019/458), round constants by its Grain LFSR; neptune's
// specification, for the Cauchy matrix, the domain tags and the factoring of partial rounds into sparse
// matrices.
#pragma once

#include <span>
#include <vector>

#include "field/fr.hpp"

namespace cuzk {

inline constexpr size_t kPoseidonMaxArity = 36;

// What a hash is for, told apart by the first element of the state.
enum class PoseidonDomain : uint8_t {
  kMerkleTree,  // 2^arity - 1
  kRandomness,  // 2^40: neptune's custom domain 1, for SnapDeals' phi, rho and challenges
};
Fr poseidon_domain_tag(PoseidonDomain domain, size_t arity);

// One sparse matrix of a partial round: first column `column`, first row beyond the corner `row`, the
// identity otherwise.
struct PoseidonSparseMatrix {
  std::vector<Fr> column;  // width elements
  std::vector<Fr> row;     // width - 1 elements
};

struct PoseidonConstants {
  explicit PoseidonConstants(size_t arity);

  size_t width;  // arity + 1
  size_t full_rounds, partial_rounds;
  std::vector<Fr> round_constants;          // (full + partial) · width, as Grain yields them
  std::vector<Fr> compressed;               // the same pushed back through the linear layers: in order of use
  std::vector<std::vector<Fr>> mds;         // symmetric
  std::vector<std::vector<Fr>> pre_sparse;  // the matrix of the last full round before the partial ones
  std::vector<PoseidonSparseMatrix> sparse;  // one for each partial round

  size_t half_full_rounds() const { return full_rounds / 2; }
};

// The constants for an arity from 1 to kPoseidonMaxArity, computed on first use. Threads: safe.
const PoseidonConstants& poseidon_constants(size_t arity);

// Hash of 1 to kPoseidonMaxArity elements.
Fr poseidon_hash(std::span<const Fr> preimage, PoseidonDomain domain = PoseidonDomain::kMerkleTree);

// Filecoin's Merkle-Damgård mode: blocks of 35 behind the running hash, padded with zeros. At least 2
// elements.
Fr poseidon_hash_md(std::span<const Fr> elements);
inline constexpr size_t kPoseidonMdArity = 36;

// Hash by the textbook rounds, without the optimisations: the reference for tests.
Fr poseidon_hash_textbook(std::span<const Fr> preimage, PoseidonDomain domain = PoseidonDomain::kMerkleTree);

namespace detail {

// out[j] = sum over i of matrix[i][j] · state[i].
void poseidon_apply(const std::vector<std::vector<Fr>>& matrix, std::span<Fr> state);
void poseidon_apply(const PoseidonSparseMatrix& matrix, std::span<Fr> state);

}  // namespace detail

// The permutation on a state of constants.width elements whose first is the domain tag. Calls
// sbox(index, x, x², x⁴, x⁵ + key) for every S-box in order, after the first round's constants were added to
// x. Afterwards the hash is state[1].
template <class Sbox>
void poseidon_permute(const PoseidonConstants& constants, std::span<Fr> state, Sbox&& sbox) {
  const Fr* key = constants.compressed.data();
  for (Fr& element : state) element += *key++;
  const size_t half = constants.half_full_rounds(), rounds = constants.full_rounds + constants.partial_rounds;
  for (size_t round = 0; round < rounds; ++round) {
    const bool partial = round >= half && round < half + constants.partial_rounds;
    const bool last = round + 1 == rounds;
    for (size_t i = 0; i < (partial ? 1 : constants.width); ++i) {
      const Fr x = state[i], x2 = x.square(), x4 = x2.square();
      Fr out = x4 * x;
      if (!last) out += *key++;
      state[i] = out;
      sbox(i, x, x2, x4, out);
    }
    if (partial)
      detail::poseidon_apply(constants.sparse[round - half], state);
    else
      detail::poseidon_apply(round + 1 == half ? constants.pre_sparse : constants.mds, state);
  }
}

}  // namespace cuzk
